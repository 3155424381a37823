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

const calls = list(payCall).min(1).optional().describe("The calls that it is for; all unless given.");

/** Whether the call takes effect although the caller gets no answer. */
const when = z
  .enum(["before", "after"])
  .default("before")
  .describe("`before`: nothing has been done. `after`: the call has been carried out, only its answer is wrong.");

const queries = z.int().min(1).max(1_000_000);

const queriesOrSeconds = {
  after_queries: z.int().min(0).max(1_000_000).optional().describe("So many queries still say USERPAYING."),
  after_seconds: z.number().min(0).max(86_400).optional().describe("So long after the payment was asked for."),
};

const wayOut = z
  .strictObject({
    outcome: z
      .enum(["SUCCESS", "PAYERROR", "never"])
      .describe("What becomes of it. `never`: the buyer types no password."),
    ...queriesOrSeconds,
  })
  .refine((params) => params.outcome === "never" || (params.after_queries ?? params.after_seconds) !== undefined, {
    path: ["after_queries"],
    message: conditions["condition.paymentEnd"],
  });

export const callFaults = [
  paymentFault(
    "return_code_fail",
    "Communication fails: version 2 answers an unsigned return_code FAIL, version 3 an unsigned HTTP 500.",
    z.strictObject({
      calls,
      when,
      message: z.string().min(1).max(128).default("system busy").describe("The return_msg."),
    }),
  ),
  paymentFault(
    "err_code",
    "The call is refused: a signed result_code FAIL with an err_code, or version 3's code with its HTTP status.",
    z.strictObject({
      calls,
      when,
      code: errCode.describe("In the words of version 2."),
      description: z.string().min(1).max(128).optional().describe("The err_code_des; a text of its own unless given."),
    }),
  ),
  paymentFault(
    "trade_state",
    "Queries answer result_code SUCCESS and a trade_state that is not the order's.",
    z.strictObject({
      state: tradeState.exclude(["SUCCESS"]).describe("What queries say."),
      queries: queries.optional().describe("Only the first so many queries of each order."),
    }),
  ),
  paymentFault(
    "order_not_exist",
    "The first queries of an order answer ORDERNOTEXIST, as right after it was placed.",
    z.strictObject({ queries: queries.default(1).describe("So many of each order.") }),
  ),
  paymentFault("user_paying", "A payment by code asks for the buyer's password: USERPAYING until it ends.", wayOut),
  paymentFault(
    "pay_error",
    "A payment by code fails at the bank: queries say PAYERROR.",
    z.strictObject({
      outcome: z
        .enum(["PAYERROR", "SUCCESS"])
        .default("PAYERROR")
        .describe("`SUCCESS`: the money was taken all the same, and queries say so later."),
      queries: queries.default(1).describe("With SUCCESS: so many queries say PAYERROR before."),
    }),
  ),
  paymentFault(
    "close_race",
    "The buyer's payment arrives while the order is being closed, and wins.",
    z.strictObject({
      answer: z.enum(["ORDERPAID", "FREQUENCY_LIMITED"]).default("ORDERPAID").describe("How the close is refused."),
    }),
  ),
  paymentFault(
    "refund_outcome",
    "An accepted refund ends otherwise, or at another time, than the settings say.",
    z.strictObject({
      status: refundStatus.describe(
        "`PROCESSING`: it never ends. Version 2 says CHANGE for ABNORMAL, REFUNDCLOSE for CLOSED.",
      ),
      after_seconds: z
        .number()
        .min(0)
        .max(86_400)
        .default(0)
        .describe("After it was accepted; timeScale is not applied."),
    }),
  ),
  paymentFault("no_answer", "The request is accepted and never answered.", z.strictObject({ calls, when })),
  paymentFault(
    "slow_answer",
    "The answer takes long.",
    z.strictObject({
      calls,
      delay_ms: pauseMs.describe("So long."),
      when: when.describe("`before`: it waits, then carries the call out. `after`: the other way round."),
    }),
  ),
  paymentFault("reset", "The connection is reset in place of an answer.", z.strictObject({ calls, when })),
  paymentFault(
    "http_status",
    "A server in between answers: an HTTP error without a signature.",
    z.strictObject({
      calls,
      when,
      status: z
        .union([z.literal(429), z.literal(500), z.literal(502), z.literal(503)])
        .default(500)
        .describe("The HTTP status."),
    }),
  ),
  paymentFault(
    "truncated_body",
    "The call is carried out, and its answer breaks off half-way.",
    z.strictObject({ calls }),
  ),
  paymentFault(
    "reply_signature",
    "The call is carried out, and the answer's signature is none.",
    z.strictObject({
      calls,
      how: z
        .enum(["changed_sign", "changed_body", "missing", "signtest", "unknown_serial"])
        .default("changed_sign")
        .describe(
          "`changed_sign`: one character is another. `changed_body`: the trade_state is SUCCESS where it was not, else one character is another. `missing`: no sign, no Wechatpay headers. Version 3 only, else as `changed_sign`: `signtest` (WECHATPAY/SIGNTEST/…) and `unknown_serial`.",
        ),
    }),
  ),
] as const;
