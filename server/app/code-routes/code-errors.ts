/** How a call of the code, or its load, can end. */
import type { CodeFailure } from "./child-messages.ts";

/** The code ended otherwise than by an answer or `fail`: its own exception, its deadline, the end of its process. */
export class CodeError extends Error {
  override readonly name = "CodeError";
  readonly kind: "failed" | "deadline" | "ended";
  readonly failure: CodeFailure;

  constructor(kind: CodeError["kind"], failure: CodeFailure) {
    super(failure.message);
    this.kind = kind;
    this.failure = failure;
  }
}

/** The call could not begin, or others have ended its process. */
export class CallLost extends Error {
  override readonly name = "CallLost";
  readonly reason: "restarting" | "busy" | "unusable";

  constructor(reason: CallLost["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

/** The files cannot be used. */
export class CodeUnusable extends Error {
  override readonly name = "CodeUnusable";
  readonly failure: CodeFailure;

  constructor(failure: CodeFailure) {
    super(failure.message);
    this.failure = failure;
  }
}
