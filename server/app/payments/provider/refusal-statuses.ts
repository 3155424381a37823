/** The client's error when the provider refuses or does not answer, with the status of the table of error codes. */
import { errorCodes } from "../../../contract/provider/payment-errors/error-codes.ts";
import { HttpError } from "../../../http/http-error.ts";
import type { CallResult } from "./provider-client.ts";

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
  status: number = errorCodes[code]?.status ?? 403,
): HttpError {
  const advice = errorCodes[code]?.advice ?? "Read the provider's description of this code.";
  return new HttpError(status, "payment_refused", `The payment provider refuses: ${code} (${description}). ${advice}`, {
    details: [{ field: "err_code", problem: code }],
    ...(status === 503 && { headers: { "Retry-After": String(errorCodes[code]?.retryAfter ?? usualRetryAfter) } }),
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
  const known = code === undefined ? undefined : errorCodes[code];
  const advice = known?.advice ?? "Try again in a moment.";
  const seconds = known?.retryAfter ?? usualRetryAfter;
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
