/** The client's error when the provider refuses or does not answer, with the status of the table of error codes. */
import type { CodeOfRefusal } from "../../../contract/messages/english.ts";
import { message, type Text } from "../../../contract/messages/message.ts";
import { errorCodes } from "../../../contract/provider/payment-errors/error-codes.ts";
import { HttpError, refuse } from "../../../http/http-error.ts";
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

/** A signed refusal (result_code FAIL): the error names err_code and advice. `status`: in place of the table's. */
export function refusedByProvider(
  { code, description }: { code: string; description: Text },
  status: number = errorCodes[code]?.status ?? 403,
): HttpError {
  const advice = message(errorCodes[code]?.advice ?? "advice.read");
  return new HttpError(status, "payment_refused", message("provider.refuses", { code, description, advice }), {
    ...withErrCode(code),
    ...(status === 503 && { retryAfter: errorCodes[code]?.retryAfter ?? usualRetryAfter }),
  });
}

/**
 * Communication failed (no answer, return_code FAIL, an untrusted reply), or the query was refused, so the call may have been
 * done or not.
 * @param options `location`: the path at which the client can query the state
 */
export function outcomeUnknown(
  { code, description, reply }: Exclude<CallResult<unknown>, { outcome: "done" }>,
  what: Extract<CodeOfRefusal, `unknown.${string}`>,
  { location }: { readonly location?: string } = {},
): HttpError {
  const known = code === undefined ? undefined : errorCodes[code];
  return refuse(
    what,
    {
      description: typeof description === "string" ? description.replace(/[.]$/, "") : description,
      advice: message(known?.advice ?? "advice.again"),
    },
    {
      retryAfter: known?.retryAfter ?? usualRetryAfter,
      ...(location !== undefined && { headers: { Location: location } }),
      details: [
        { field: "return_code", problem: reply.returnCode ?? "none" },
        ...(code === undefined ? [] : [{ field: "err_code", problem: code }]),
      ],
    },
  );
}

/** For a refusal because of the order's state, before the provider is called. */
export const withErrCode = (code: string) => ({ details: [{ field: "err_code", problem: code }] });
