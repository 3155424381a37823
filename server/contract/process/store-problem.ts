/** What makes the store of the uploads' contents unusable: also the `code` of the answer. */
export type StoreProblemCode = "store_full" | "store_forbidden" | "store_missing" | "store_unreachable";

/** The store of the uploads' contents cannot be used now. The message says what to do; the cause is the store's own word. */
export class StoreProblem extends Error {
  override readonly name = "StoreProblem";
  readonly code: StoreProblemCode;
  constructor(code: StoreProblemCode, message: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
