/** Failures in the format of OpenAI's clients. */
import type { Log } from "../../../process/log.ts";
import { withFamilyErrors } from "../family-errors.ts";
import type { Handler } from "../mount-routes.ts";
import type { SentEvent } from "../send-events.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

const types: Readonly<Record<number, string>> = { 400: "invalid_request_error", 404: "not_found_error" };

const errorOf = (status: number, message: string) => ({
  message,
  type: types[status] ?? "api_error",
  param: null,
  code: null,
});

/** Wraps a handler: its errors are answered as `{"error": {…}}`. */
export const withOpenAiErrors = (log: Log, handle: Handler): Handler =>
  withFamilyErrors(log, handle, (res, status, message) => sendJson(res, status, { error: errorOf(status, message) }));

/** A failure in the middle of a stream of completion chunks; the client throws it. */
export const failedChunk = (status: number, message: string): SentEvent => ({
  data: { error: errorOf(status, message) },
});
