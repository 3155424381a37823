/** Size limits of the results of templates. */

/** Something exceeds its size limit. The message names it. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";
}

/** The maximum number of items in a list. */
export const mostItems = 1_000_000;

export const tooManyItems = () => new TooLargeError(`it makes a list of more than ${String(mostItems)} items`);

export const tooManyCharacters = (most: number) =>
  new TooLargeError(`it makes a text of more than ${String(most)} characters`);
