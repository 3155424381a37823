import { english } from "../messages/english.ts";
import { inEnglish } from "../messages/in-english.ts";
import { message } from "../messages/message.ts";

/** What makes the store of the uploads' contents unusable. */
export type BucketProblemCode = "store_full" | "store_forbidden" | "store_missing" | "store_unreachable";

/** What makes a store unusable: also the `code` of the answer. */
export type StoreProblemCode = BucketProblemCode | "database_unreachable" | "database_full";

/**
 * The database, or the store of the uploads' contents, cannot be used now. The message says what to do; the cause is the
 * store's own word.
 */
export class StoreProblem extends Error {
  override readonly name = "StoreProblem";
  readonly code: StoreProblemCode;
  /** The refusal that it becomes. */
  readonly problem: `store.${StoreProblemCode}` | "store.raced";
  constructor(code: StoreProblemCode, cause: unknown, problem: StoreProblem["problem"] = `store.${code}`) {
    super(english[problem], { cause });
    this.code = code;
    this.problem = problem;
  }
}

/** The database cannot store a text because of a NUL character. */
export class UnstorableText extends Error {
  override readonly name = "UnstorableText";
  readonly field: string;
  constructor(field: string) {
    super(inEnglish(message("store.nul", { field })));
    this.field = field;
  }
}
