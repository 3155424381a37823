/** Failures in the format of OpenAI's clients. */
import type { Log } from "../../../process/log.ts";
import { withFamilyErrors, type WriteFailure } from "../family-errors.ts";
import type { Handler } from "../mount-routes.ts";
import type { SentEvent } from "../send-events.ts";
import { OllamaError } from "../../ollama-error.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

const types: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  404: "not_found_error",
  413: "invalid_request_error",
};

/** A refusal that names the member of the request for programs, too. */
export class FieldRefusal extends OllamaError {
  readonly param: string;
  readonly code: string;
  constructor(param: string, message: string, code = "unsupported_value") {
    super(400, message);
    this.param = param;
    this.code = code;
  }
}

const errorOf = (status: number, message: string) => ({
  message,
  type: types[status] ?? "api_error",
  param: null,
  code: null,
});

/** Answers a failure: `{"error": {…}}`. */
export const sendOpenAiError: WriteFailure = (res, status, message, error) => {
  const { param, code } = error instanceof FieldRefusal ? error : {};
  sendJson(res, status, { error: { ...errorOf(status, message), ...(param !== undefined && { param, code }) } });
};

/** The handler, with what it throws as an error of OpenAI's. */
export const withOpenAiErrors = (log: Log, handle: Handler): Handler => withFamilyErrors(log, handle, sendOpenAiError);

/** A failure in the middle of a stream of completion chunks; the client throws it. */
export const failedChunk = (status: number, message: string): SentEvent => ({
  data: { error: errorOf(status, message) },
});
