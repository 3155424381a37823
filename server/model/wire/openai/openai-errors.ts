/** Failures in the format of OpenAI's clients. */
import type { Log } from "../../../process/log.ts";
import { withFamilyErrors, type WriteFailure } from "../family-errors.ts";
import type { Handler } from "../mount-routes.ts";
import type { SentEvent } from "../send-events.ts";
import { isKeyRefusal } from "../../../http/keys/key-gate.ts";
import { ScriptedError } from "../../scripted/scripted-fault.ts";
import { FieldRefusal } from "../field-refusal.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

/** The type and the code of a rate limit. */
const ofRateLimit = { type: "requests", code: "rate_limit_exceeded" };
/** Types and codes by which OpenAI's clients distinguish refusals of keys. */
const ofKeys: Readonly<Record<string, { readonly type: string; readonly code: string }>> = {
  key_scope: { type: "invalid_request_error", code: "insufficient_permissions" },
  key_requests_per_minute: ofRateLimit,
  key_concurrent_requests: ofRateLimit,
  key_tokens_per_day: { type: "tokens", code: "rate_limit_exceeded" },
};
const ofOtherKeys = { type: "invalid_request_error", code: "invalid_api_key" };

const types: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  404: "not_found_error",
  413: "invalid_request_error",
};

const errorOf = (status: number, message: string) => ({
  message,
  type: types[status] ?? "api_error",
  param: null,
  code: null,
});

/** Answers a failure: `{"error": {…}}`. */
export const sendOpenAiError: WriteFailure = (res, status, message, error) => {
  const { param, code } = error instanceof FieldRefusal ? error : {};
  const ofRule = error instanceof ScriptedError ? (status === 429 ? ofRateLimit : { type: "server_error" }) : {};
  const ofKey = isKeyRefusal(error) ? (ofKeys[error.code] ?? ofOtherKeys) : {};
  sendJson(res, status, {
    error: { ...errorOf(status, message), ...(param !== undefined && { param, code }), ...ofKey, ...ofRule },
  });
};

/** The handler, with what it throws as an error of OpenAI's. */
export const withOpenAiErrors = (log: Log, handle: Handler): Handler => withFamilyErrors(log, handle, sendOpenAiError);

/** A failure in the middle of a stream of completion chunks; the client throws it. */
export const failedChunk = (status: number, message: string): SentEvent => ({
  data: { error: errorOf(status, message) },
});
