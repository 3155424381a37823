/** Failures in the format of Anthropic's clients. */
import type { Log } from "../../../process/log.ts";
import { withFamilyErrors, type WriteFailure } from "../family-errors.ts";
import type { Handler } from "../mount-routes.ts";
import { randomId } from "../../options/random-id.ts";
import type { SentEvent } from "../send-events.ts";
import { OllamaError } from "../../ollama-error.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

const types: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  529: "overloaded_error",
};
const errorOf = (status: number, message: string, details?: object) => ({
  type: "error",
  error: { type: types[status] ?? "api_error", message, ...(details !== undefined && { details }) },
});

/** A refusal with what Anthropic's clients look for to go on in another way. */
export class DetailedRefusal extends OllamaError {
  readonly details: object;
  constructor(message: string, details: object) {
    super(400, message);
    this.details = details;
  }
}

/** Answers a failure: `{"type": "error", "error": {…}, "request_id": …}`. */
export const sendAnthropicError: WriteFailure = (res, status, message, error) => {
  const id = randomId("req_");
  res.setHeader("request-id", id);
  const details = error instanceof DetailedRefusal ? error.details : undefined;
  sendJson(res, status, { ...errorOf(status, message, details), request_id: id });
};

/** The handler, with what it throws as an error of Anthropic's. */
export const withAnthropicErrors = (log: Log, handle: Handler): Handler =>
  withFamilyErrors(log, handle, sendAnthropicError);

/** A failure in the middle of a stream; the client throws it. */
export const failedMessage = (status: number, message: string): SentEvent => ({
  name: "error",
  data: errorOf(status, message),
});
