/** Reasons for which the store of the uploads' contents is unusable. */
export type BucketProblemCode = "store_full" | "store_forbidden" | "store_missing" | "store_unreachable";

/** A reason; also the `code` of the answer. */
export type StoreProblemCode = BucketProblemCode | "database_unreachable" | "database_full";

/**
 * The database, or the store of the uploads' contents, cannot be used now. The message says what to do; the cause is the
 * store's own word.
 */
export class StoreProblem extends Error {
  override readonly name = "StoreProblem";
  readonly code: StoreProblemCode;
  constructor(code: StoreProblemCode, message: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** The database cannot store a text because of a NUL character. */
export class UnstorableText extends Error {
  override readonly name = "UnstorableText";
  readonly field: string;
  constructor(field: string) {
    super(`${field} holds a NUL character, which the database cannot store.`);
    this.field = field;
  }
}
