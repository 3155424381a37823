import { useEffect, type RefObject } from "react";

/** The name in the style sheet. */
const name = "search-match";

/** Marks the text, wherever it is in the element and whichever case it has, also when the content changes. */
export function useHighlight(element: RefObject<HTMLElement | null>, text: string | undefined): void {
  useEffect(() => {
    const root = element.current;
    const wanted = text?.toLowerCase();
    if (!root || !wanted || !("highlights" in CSS)) return;
    const mark = () => CSS.highlights.set(name, new Highlight(...matchesIn(root, wanted)));
    const observer = new MutationObserver(mark);
    observer.observe(root, { childList: true, characterData: true, subtree: true });
    mark();
    return () => {
      observer.disconnect();
      CSS.highlights.delete(name);
    };
  }, [element, text]);
}

function matchesIn(root: HTMLElement, wanted: string): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const content = node.nodeValue?.toLowerCase() ?? "";
    for (let at = content.indexOf(wanted); at >= 0; at = content.indexOf(wanted, at + wanted.length)) {
      // A few letters change their length with their case.
      if (at + wanted.length > (node.nodeValue?.length ?? 0)) break;
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      ranges.push(range);
    }
  }
  return ranges;
}
