import type { RunnerErrorCode } from "../contract/model/runner.ts";

/** A request that the runner cannot fulfil; `code` is its kind for the model service. */
export class RunnerFailure extends Error {
  override readonly name = "RunnerFailure";
  readonly code: RunnerErrorCode;
  constructor(code: RunnerErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
