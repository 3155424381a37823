/** The text of an editor for code, by the element that people type into: CodeMirror keeps it outside of the page's fields. */

interface EditorText {
  readonly read: () => string;
  readonly write: (text: string) => void;
}

const texts = new WeakMap<Element, EditorText>();

/** The event of the element after a person has changed the text. */
export const editedEvent = "hearth-edited";

/** Undefined for an element that is no editor, or one that can only be read. */
export const editorTextOf = (element: Element): EditorText | undefined => texts.get(element);

export const noteEditor = (element: Element, text: EditorText): void => void texts.set(element, text);
