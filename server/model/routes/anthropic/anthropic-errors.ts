/** Failures in the format of Anthropic's clients. */
import type { Log } from "../../../process/log.ts";
import { withFamilyErrors } from "../family-errors.ts";
import type { Handler } from "../mount-routes.ts";
import { randomId } from "../random-id.ts";
import type { SentEvent } from "../send-events.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

const types: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
  503: "overloaded_error",
  529: "overloaded_error",
};
const errorOf = (status: number, message: string) => ({
  type: "error",
  error: { type: types[status] ?? "api_error", message },
});

/** Wraps a handler: its errors are answered as `{"type": "error", "error": {…}, "request_id": …}`. */
export const withAnthropicErrors = (log: Log, handle: Handler): Handler =>
  withFamilyErrors(log, handle, (res, status, message) => {
    const id = randomId("req_");
    res.setHeader("request-id", id);
    sendJson(res, status, { ...errorOf(status, message), request_id: id });
  });

/** A failure in the middle of a stream; the client throws it. */
export const failedMessage = (status: number, message: string): SentEvent => ({
  name: "error",
  data: errorOf(status, message),
});
