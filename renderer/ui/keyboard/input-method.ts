/** The part of a keydown event that is used here. */
export interface TypedKey {
  readonly isComposing: boolean;
  readonly keyCode: number;
  stopImmediatePropagation(): void;
}

/** The code of a key that an input method has used. */
const usedByInputMethod = 229;

/**
 * Keeps a key that chooses the letters of a Chinese text from all that listens to keys: an Enter would send half a message,
 * an Escape close a dialog. As a listener it has to be the first one. WebKit tells the last of these keys when the choice
 * is over, by its code alone: https://bugs.webkit.org/show_bug.cgi?id=165004
 */
export function stopInputMethodKey(event: TypedKey): void {
  if (event.isComposing || event.keyCode === usedByInputMethod) event.stopImmediatePropagation();
}
