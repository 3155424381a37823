/** The faults that a rule asks for: no error of this server. */
import type { RuleFault } from "../../contract/model/model-rules.ts";
import { HttpError } from "../../http/http-error.ts";

/** The error of a rule, which each API writes in its own form. */
export class ScriptedError extends HttpError {
  constructor({ status, message, retry_after: retryAfter }: Extract<RuleFault, { kind: "error" }>, place: string) {
    const text = message ?? `the error configured in ${place} of the model`;
    super(status, "scripted_error", text, retryAfter === undefined ? {} : { retryAfter });
  }
}

/** The end of an answer by which the connection breaks. */
export class ScriptedCut extends HttpError {
  constructor(place: string) {
    super(500, "scripted_cut", `${place} of the model cuts the connection`);
  }
}
