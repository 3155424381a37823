/**
 * Keeps what is typed into the fields and code editors on the page, so that a page whose process has ended has it again.
 * It is kept for as long as the fields show it; passwords and codes are not kept.
 */
import { editedEvent, editorTextOf } from "../../ui/code/editor-text.ts";
import { isKeptField } from "./kept-field.ts";

/** A field, or the element of an editor that people type into. */
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLElement;

const storageKey = "hearth.typed";

const isPlain = (target: unknown): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

function isKept(target: EventTarget | null): target is Field {
  if (isPlain(target)) return isKeptField(target);
  return target instanceof HTMLElement && editorTextOf(target) !== undefined;
}

const textOf = (field: Field) => (isPlain(field) ? field.value : (editorTextOf(field)?.read() ?? ""));

const labelOf = (field: Field) =>
  field.getAttribute("aria-label") ?? (isPlain(field) ? (field.labels?.[0]?.textContent ?? field.placeholder) : "");

/** A field as it is found again: by its page, its label and, among equal labels, its number. */
function nameOf(page: Document, field: Field): string {
  const label = labelOf(field);
  const alike = fieldsOf(page).filter((other) => labelOf(other) === label);
  return JSON.stringify([page.location.pathname, label, alike.indexOf(field)]);
}

const fieldsOf = (page: Document): Field[] =>
  [...page.querySelectorAll<HTMLElement>("input, textarea, [contenteditable=true]")].filter(isKept);

/** Types it for React, which listens to the event and overrides the element's own setter. */
function type(field: Field, text: string): void {
  if (!isPlain(field)) {
    editorTextOf(field)?.write(text);
    field.dispatchEvent(new Event(editedEvent, { bubbles: true }));
    return;
  }
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

/** By then the page shows what it shows by itself. Other fields wait for a person to open their form again, right there. */
const loadedWithinMs = 15_000;

/** Types what was kept into its fields as they appear, until the page shows something else. */
function restore(page: Document, lost: Map<string, string>): void {
  let at: string | undefined;
  const fill = () => {
    if (at !== undefined && at !== page.location.href) lost.clear();
    for (const field of fieldsOf(page)) {
      const name = nameOf(page, field);
      const text = lost.get(name);
      if (text === undefined) continue;
      lost.delete(name);
      if (textOf(field) !== text) type(field, text);
    }
    if (lost.size === 0) appearing.disconnect();
  };
  const appearing = new MutationObserver(fill);
  appearing.observe(page, { childList: true, subtree: true });
  setTimeout(() => (at = page.location.href), loadedWithinMs);
}

export function keepTypedText(page: Document, storage: Storage): void {
  const typed = new Map<Field, string>();
  const lost = readTyped(storage);
  if (lost.size > 0) restore(page, lost);

  /** Forgets text that was sent or discarded. */
  const keep = () => {
    for (const field of typed.keys()) if (!field.isConnected || textOf(field) === "") typed.delete(field);
    const texts = [...lost, ...[...typed].map(([field, name]) => [name, textOf(field)])];
    if (texts.length === 0) storage.removeItem(storageKey);
    else storage.setItem(storageKey, JSON.stringify(texts));
  };
  for (const event of ["input", editedEvent])
    page.addEventListener(event, ({ target }) => {
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
