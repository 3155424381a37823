/** Faults of calls to the payment API, of both versions. */
import { z } from "zod";
import { conditions } from "../messages/en/conditions.ts";
import { list } from "../bounded-lists.ts";
import { payCall, refundStatus, tradeState } from "./payment-terms.ts";
import { paymentFault, pauseMs } from "./sim-fault-parts.ts";

/** Business failures by the words of version 2; version 3 answers its own code and HTTP status for each. */
export const errCode = z.enum([
  "SYSTEMERROR",
  "SIGNERROR",
  "XML_FORMAT_ERROR",
  "REQUIRE_POST_METHOD",
  "LACK_PARAMS",
  "POST_DATA_EMPTY",
  "NOT_UTF8",
  "APPID_NOT_EXIST",
  "MCHID_NOT_EXIST",
  "APPID_MCHID_NOT_MATCH",
  "NOAUTH",
  "INVALID_REQUEST",
  "PARAM_ERROR",
  "NOTENOUGH",
  "ORDERPAID",
  "ORDERCLOSED",
  "ORDERREVERSED",
  "BUYER_MISMATCH",
  "OUT_TRADE_NO_USED",
  "ORDERNOTEXIST",
  "USERPAYING",
  "BANKERROR",
  "AUTHCODEEXPIRE",
  "AUTH_CODE_ERROR",
  "AUTH_CODE_INVALID",
  "NOTSUPORTCARD",
  "TRADE_ERROR",
  "BIZERR_NEED_RETRY",
  "TRADE_OVERDUE",
  "USER_ACCOUNT_ABNORMAL",
  "ERROR",
  "INVALID_TRANSACTIONID",
  "REFUND_FEE_MISMATCH",
  "INVALID_REQ_TOO_MUCH",
  "FREQUENCY_LIMITED",
  "REFUNDNOTEXIST",
  "REVERSE_EXPIRE",
  // Those of version 3 only.
  "RULELIMIT",
  "ACCOUNTERROR",
  "OPENID_MISMATCH",
  "RATELIMIT_EXCEEDED",
  "SERVICE_UNAVAILABLE",
  "NO_STATEMENT_EXIST",
  "STATEMENT_CREATING",
]);

const calls = list(payCall).min(1).optional().describe("Calls that the fault hits. Default: all.");

/** Whether the call takes effect although the caller gets no answer. */
const when = z
  .enum(["before", "after"])
  .default("before")
  .describe("`before`: the platform has done nothing yet. `after`: the call succeeded, only its reply is wrong.");

const queries = z.int().min(1).max(1_000_000);

const queriesOrSeconds = {
  after_queries: z.int().min(0).max(1_000_000).optional().describe("Number of queries that still return USERPAYING."),
  after_seconds: z
    .number()
    .min(0)
    .max(86_400)
    .optional()
    .describe("Seconds between the payment request and its result."),
};

const wayOut = z
  .strictObject({
    outcome: z
      .enum(["SUCCESS", "PAYERROR", "never"])
      .describe("Result of the payment. `never`: the buyer enters no password."),
    ...queriesOrSeconds,
  })
  .refine((params) => params.outcome === "never" || (params.after_queries ?? params.after_seconds) !== undefined, {
    path: ["after_queries"],
    message: conditions["condition.paymentEnd"],
  });

export const callFaults = [
  paymentFault(
    "return_code_fail",
    "Communication fails: version 2 returns an unsigned return_code FAIL, version 3 an unsigned HTTP 500.",
    z.strictObject({
      calls,
      when,
      message: z.string().min(1).max(128).default("system busy").describe("Value of return_msg."),
    }),
  ),
  paymentFault(
    "err_code",
    "The platform refuses the call: a signed result_code FAIL with an err_code, or version 3's code and HTTP status.",
    z.strictObject({
      calls,
      when,
      code: errCode.describe("Error code of version 2."),
      description: z
        .string()
        .min(1)
        .max(128)
        .optional()
        .describe("Value of err_code_des. Default: the platform's text."),
    }),
  ),
  paymentFault(
    "trade_state",
    "Queries return result_code SUCCESS with a wrong trade_state.",
    z.strictObject({
      state: tradeState.exclude(["SUCCESS"]).describe("trade_state that queries return."),
      queries: queries.optional().describe("Number of queries per order that are wrong. Default: all."),
    }),
  ),
  paymentFault(
    "order_not_exist",
    "The first queries of an order return ORDERNOTEXIST.",
    z.strictObject({ queries: queries.default(1).describe("Number of queries per order.") }),
  ),
  paymentFault(
    "user_paying",
    "A payment by code asks for the buyer's password. Queries return USERPAYING until it ends.",
    wayOut,
  ),
  paymentFault(
    "pay_error",
    "The bank refuses a payment by code. Queries return PAYERROR.",
    z.strictObject({
      outcome: z
        .enum(["PAYERROR", "SUCCESS"])
        .default("PAYERROR")
        .describe("`SUCCESS`: the buyer was charged anyway. Later queries return SUCCESS."),
      queries: queries.default(1).describe("With SUCCESS: number of queries that return PAYERROR first."),
    }),
  ),
  paymentFault(
    "close_race",
    "The buyer pays while the merchant closes the order. The payment wins.",
    z.strictObject({
      answer: z
        .enum(["ORDERPAID", "FREQUENCY_LIMITED"])
        .default("ORDERPAID")
        .describe("Error code of the refused close."),
    }),
  ),
  paymentFault(
    "refund_outcome",
    "An accepted refund ends with another status, or at another time, than the settings say.",
    z.strictObject({
      status: refundStatus.describe(
        "Final status. `PROCESSING`: the refund never ends. Version 2 returns CHANGE for ABNORMAL and REFUNDCLOSE for CLOSED.",
      ),
      after_seconds: z
        .number()
        .min(0)
        .max(86_400)
        .default(0)
        .describe("Time from acceptance to the end. The time scale does not apply."),
    }),
  ),
  paymentFault("no_answer", "The platform accepts the request and never replies.", z.strictObject({ calls, when })),
  paymentFault(
    "slow_answer",
    "The reply is slow.",
    z.strictObject({
      calls,
      delay_ms: pauseMs.describe("Delay in milliseconds."),
      when: when.describe("`before`: waits, then carries out the call. `after`: carries out the call, then waits."),
    }),
  ),
  paymentFault("reset", "The connection is reset instead of a reply.", z.strictObject({ calls, when })),
  paymentFault(
    "http_status",
    "A gateway returns an HTTP error without a signature.",
    z.strictObject({
      calls,
      when,
      status: z
        .union([z.literal(429), z.literal(500), z.literal(502), z.literal(503)])
        .default(500)
        .describe("HTTP status."),
    }),
  ),
  paymentFault("truncated_body", "The call succeeds, and its reply breaks off halfway.", z.strictObject({ calls })),
  paymentFault(
    "reply_signature",
    "The call succeeds, and the reply's signature is invalid.",
    z.strictObject({
      calls,
      how: z
        .enum(["changed_sign", "changed_body", "missing", "signtest", "unknown_serial"])
        .default("changed_sign")
        .describe(
          "`changed_sign`: one character of the signature is changed. `changed_body`: trade_state becomes SUCCESS, otherwise one character is changed. `missing`: no sign, no Wechatpay headers. Only version 3 (version 2 uses `changed_sign`): `signtest` (WECHATPAY/SIGNTEST/…) and `unknown_serial`.",
        ),
    }),
  ),
] as const;
