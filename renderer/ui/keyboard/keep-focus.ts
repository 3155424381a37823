/**
 * Keeps the focus on the page when what has it goes away or is busy: without that, the next key begins at the top, and
 * screen readers lose their place.
 */

/** Where the focus goes from what is gone: to a table, or to what has opened it. The nearest one gets it. */
const homes = "[role='grid'], [data-focus-home]";

/** `content`: the part of a page outside of which dialogs and menus return the focus by themselves. */
export function keepFocus(page: Document, content: string): void {
  let last: HTMLElement | undefined;
  /** The ancestors of the element, the nearest first. */
  let around: HTMLElement[] = [];
  let wasDisabled = false;
  const forget = () => {
    last = undefined;
    around = [];
    wasDisabled = false;
  };
  page.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement) || !target.closest(content)) return;
    forget();
    last = target;
    for (let one = target.parentElement; one; one = one.parentElement) around.push(one);
  });
  page.addEventListener("focusout", ({ target, relatedTarget }) => {
    if (!(target instanceof HTMLElement) || relatedTarget) return;
    // Somebody has left what stays: by a click on the text beside it, for instance.
    setTimeout(() => {
      const isStaying = target.isConnected && !target.matches(":disabled");
      if (isStaying && page.hasFocus() && page.activeElement === page.body) forget();
    });
  });
  const follow = () => {
    if (!last) return;
    const isDisabled = last.matches(":disabled");
    wasDisabled ||= isDisabled;
    if (page.activeElement !== page.body || (last.isConnected && (isDisabled || !wasDisabled))) return;
    const home = last.isConnected ? last : homeIn(around, content);
    forget();
    home?.focus({ preventScroll: true });
  };
  new MutationObserver(follow).observe(page, { subtree: true, childList: true, attributeFilter: ["disabled"] });
}

function homeIn(around: readonly HTMLElement[], content: string): HTMLElement | undefined {
  for (const part of around) {
    if (!part.isConnected) continue;
    const home = part.matches(content) ? part : undefined;
    const found = part.querySelector<HTMLElement>(homes) ?? home;
    if (found) return found;
  }
  return undefined;
}
