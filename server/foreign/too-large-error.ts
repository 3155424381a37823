/** Size limits of the results of templates. */

/** Something exceeds its size limit. The message names it. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";
}

/** The maximum number of items in a list. */
export const mostItems = 1_000_000;

export const tooManyItems = () => new TooLargeError(`it makes a list of more than ${String(mostItems)} items`);

/** Limits what the parts of a result amount to: each may occur in another many times. */
export class CharacterCount {
  readonly #most: number;
  #length = 0;
  constructor(most: number) {
    this.#most = most;
  }
  /** The text itself. @throws TooLargeError */
  add(text: string): string {
    this.#length += text.length;
    if (this.#length > this.#most) throw tooManyCharacters(this.#most);
    return text;
  }
}

export const tooManyCharacters = (most: number) =>
  new TooLargeError(`it makes a text of more than ${String(most)} characters`);
