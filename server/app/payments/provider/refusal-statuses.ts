/** The client's error when the provider refuses or does not answer, with the one table of HTTP statuses by err_code. */
import { HttpError } from "../../../http/http-error.ts";
import { adviceFor } from "./error-codes.ts";
import type { CallResult } from "./provider-client.ts";

/**
 * 400: the request or this server's settings are wrong; a repeat is refused the same way. 403: the state of the order,
 * or the account of buyer or merchant, forbids it. 404: the provider does not have it. 503: it works later. Unlisted
 * codes are 403.
 */
const statuses: Readonly<Record<string, 400 | 403 | 404 | 503>> = {
  SYSTEMERROR: 503,
  BANKERROR: 503,
  BIZERR_NEED_RETRY: 503,
  FREQUENCY_LIMITED: 503,
  INVALID_REQ_TOO_MUCH: 503,
  USERPAYING: 503,

  SIGNERROR: 400,
  XML_FORMAT_ERROR: 400,
  REQUIRE_POST_METHOD: 400,
  LACK_PARAMS: 400,
  POST_DATA_EMPTY: 400,
  NOT_UTF8: 400,
  PARAM_ERROR: 400,
  INVALID_REQUEST: 400,
  INVALID_TRANSACTIONID: 400,
  OPENID_MISMATCH: 400,
  REFUND_FEE_MISMATCH: 400,
  AUTHCODEEXPIRE: 400,
  AUTH_CODE_ERROR: 400,
  AUTH_CODE_INVALID: 400,

  APPID_NOT_EXIST: 403,
  MCHID_NOT_EXIST: 403,
  APPID_MCHID_NOT_MATCH: 403,
  NOAUTH: 403,
  NOTENOUGH: 403,
  ORDERPAID: 403,
  ORDERCLOSED: 403,
  ORDERREVERSED: 403,
  OUT_TRADE_NO_USED: 403,
  BUYER_MISMATCH: 403,
  NOTSUPORTCARD: 403,
  TRADE_ERROR: 403,
  TRADE_OVERDUE: 403,
  USER_ACCOUNT_ABNORMAL: 403,
  REVERSE_EXPIRE: 403,

  ORDERNOTEXIST: 404,
  REFUNDNOTEXIST: 404,
};

/** Seconds until a repeat makes sense: the provider limits frequencies by the minute. */
const retryAfter: Readonly<Record<string, number>> = {
  FREQUENCY_LIMITED: 60,
  INVALID_REQ_TOO_MUCH: 60,
  USERPAYING: 10,
};
const usualRetryAfter = 5;

/**
 * Whether to retry with the same numbers: when communication failed at once. Not after a timeout, nor when the provider
 * itself leaves the result open or postpones it.
 */
export const isWorthARepeat = (result: CallResult<unknown>): boolean =>
  result.outcome === "unknown" &&
  result.reason !== "timed_out" &&
  result.reason !== "undecided" &&
  result.code !== "FREQUENCY_LIMITED";

interface Options {
  /** Path at which the client can query the state. */
  readonly location?: string;
}

/** A signed refusal (result_code FAIL): the error names err_code and advice. `status`: in place of the table's. */
export function refusedByProvider(
  { code, description }: { code: string; description: string },
  status = statuses[code] ?? 403,
): HttpError {
  const advice = adviceFor(code) ?? "Read the provider's description of this code.";
  return new HttpError(status, "payment_refused", `The payment provider refuses: ${code} (${description}). ${advice}`, {
    details: [{ field: "err_code", problem: code }],
    ...(status === 503 && { headers: { "Retry-After": String(retryAfter[code] ?? usualRetryAfter) } }),
  });
}

/**
 * Communication failed (no answer, return_code FAIL, an untrusted reply), or the query was refused, so the call may have been
 * done or not.
 */
export function outcomeUnknown(
  { code, description, reply }: Exclude<CallResult<unknown>, { outcome: "done" }>,
  what: string,
  { location }: Options = {},
): HttpError {
  const advice = (code === undefined ? undefined : adviceFor(code)) ?? "Try again in a moment.";
  const seconds = (code === undefined ? undefined : retryAfter[code]) ?? usualRetryAfter;
  return new HttpError(503, "payment_outcome_unknown", `${what} ${description.replace(/[.]$/, "")}. ${advice}`, {
    headers: { "Retry-After": String(seconds), ...(location !== undefined && { Location: location }) },
    details: [
      { field: "return_code", problem: reply.returnCode ?? "none" },
      ...(code === undefined ? [] : [{ field: "err_code", problem: code }]),
    ],
  });
}

/** The state of the order forbids it, before the provider is called. */
export const forbiddenState = (code: string, message: string) =>
  new HttpError(403, "payment_refused", message, { details: [{ field: "err_code", problem: code }] });
