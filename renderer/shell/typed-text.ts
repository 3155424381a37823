/**
 * Keeps what is typed into the fields on the page, so that a page whose process has ended has it again. It is kept for
 * as long as the fields show it; passwords and codes are not kept.
 */

type Field = HTMLInputElement | HTMLTextAreaElement;

const storageKey = "hearth.typed";
const kept = new Set(["text", "search", "url", "email", "tel", "number", "textarea"]);

const isKept = (target: EventTarget | null): target is Field =>
  (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) &&
  kept.has(target.type) &&
  target.autocomplete !== "one-time-code" &&
  !target.readOnly;

const labelOf = (field: Field) =>
  field.getAttribute("aria-label") ?? field.labels?.[0]?.textContent ?? field.placeholder;

/** A field as it is found again: by its page, its label and, among equal labels, its number. */
function nameOf(page: Document, field: Field): string {
  const label = labelOf(field);
  const alike = fieldsOf(page).filter((other) => labelOf(other) === label);
  return JSON.stringify([page.location.pathname, label, alike.indexOf(field)]);
}

const fieldsOf = (page: Document): Field[] => [...page.querySelectorAll("input, textarea")].filter(isKept);

/** Types it for React, which listens to the event and overrides the element's own setter. */
function type(field: Field, text: string): void {
  const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function readTyped(storage: Storage): Map<string, string> {
  try {
    return new Map(JSON.parse(storage.getItem(storageKey) ?? "[]") as [string, string][]);
  } catch {
    return new Map();
  }
}

/** Fields appear as their parts of the page are loaded; a page that has not shown one by then has changed. */
const restoreWithinMs = 15_000;

/** Types what was kept into its fields as they appear. */
function restore(page: Document, lost: Map<string, string>): void {
  const fill = () => {
    for (const field of fieldsOf(page)) {
      const name = nameOf(page, field);
      const text = lost.get(name);
      if (text === undefined) continue;
      lost.delete(name);
      if (field.value !== text) type(field, text);
    }
    if (lost.size === 0) appearing.disconnect();
  };
  const appearing = new MutationObserver(fill);
  appearing.observe(page, { childList: true, subtree: true });
  setTimeout(() => appearing.disconnect(), restoreWithinMs);
}

export function keepTypedText(page: Document, storage: Storage): void {
  const typed = new Map<Field, string>();
  const lost = readTyped(storage);
  if (lost.size > 0) restore(page, lost);

  /** What was sent or left is no longer typed. */
  const keep = () => {
    for (const field of typed.keys()) if (!field.isConnected || field.value === "") typed.delete(field);
    if (typed.size === 0) return storage.removeItem(storageKey);
    const texts = [...typed].map(([field, name]) => [name, field.value]);
    storage.setItem(storageKey, JSON.stringify(texts));
  };
  page.addEventListener("input", ({ target }) => {
    if (!isKept(target)) return;
    typed.set(target, nameOf(page, target));
    keep();
  });
  // Sending empties a field, or removes it, without an event of its own.
  for (const event of ["keyup", "click"])
    page.addEventListener(event, () => {
      if (typed.size > 0) setTimeout(keep);
    });
  // A page that ends in order was left by its user.
  addEventListener("pagehide", () => storage.removeItem(storageKey));
}
