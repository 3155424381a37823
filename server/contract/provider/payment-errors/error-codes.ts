/**
 * The payment provider's error codes by their names in version 2 (contract: payments, err_codes), for the simulator that
 * answers them and the merchant's side that reads them.
 */

import type { Code } from "../../messages/message.ts";

/** The merchant's calls. */
export type MerchantCall =
  "placeOrder" | "payByCode" | "queryOrder" | "closeOrder" | "reverseOrder" | "refund" | "queryRefund";

export interface ErrorCode {
  /** HTTP status and code of version 3; without it 400 and the name of version 2. */
  readonly v3?: readonly [status: number, code: string];
  /**
   * The status of the merchant's answer to its client. 400: the request or this server's settings are wrong; a repeat is
   * refused the same way. 403, unless given: the state of the order, or the account of buyer or merchant, forbids it.
   * 404: the provider does not have it. 503: it works later.
   */
  readonly status?: 400 | 404 | 503;
  /** Seconds until a repeat makes sense: the provider limits frequencies by the minute. */
  readonly retryAfter?: number;
  readonly advice: Extract<Code, `advice.${string}`>;
  /** Calls after which the order or refund may be in any state, so that it must be queried. Other failures are final. */
  readonly leavesOpen?: "always" | readonly MerchantCall[];
}

const bug = "advice.bug";
const configuration = "advice.configuration";

/** Sorted by consequence. */
export const errorCodes: Readonly<Partial<Record<string, ErrorCode>>> = {
  SYSTEMERROR: {
    v3: [500, "SYSTEM_ERROR"],
    status: 503,
    advice: "advice.pause",
    leavesOpen: "always",
  },
  BANKERROR: {
    v3: [500, "BANK_ERROR"],
    status: 503,
    advice: "advice.bank",
    leavesOpen: "always",
  },
  BIZERR_NEED_RETRY: {
    v3: [500, "SYSTEM_ERROR"],
    status: 503,
    advice: "advice.refundAgain",
    leavesOpen: "always",
  },
  FREQUENCY_LIMITED: {
    v3: [429, "FREQUENCY_LIMITED"],
    status: 503,
    retryAfter: 60,
    advice: "advice.minute",
    leavesOpen: "always",
  },
  INVALID_REQ_TOO_MUCH: {
    v3: [429, "FREQUENCY_LIMITED"],
    status: 503,
    retryAfter: 60,
    advice: "advice.minute",
    leavesOpen: "always",
  },
  USERPAYING: {
    v3: [202, "USERPAYING"],
    status: 503,
    retryAfter: 10,
    advice: "advice.password",
    leavesOpen: ["payByCode", "placeOrder"],
  },

  SIGNERROR: { v3: [401, "SIGN_ERROR"], status: 400, advice: configuration },
  APPID_NOT_EXIST: { v3: [400, "PARAM_ERROR"], advice: configuration },
  MCHID_NOT_EXIST: { v3: [400, "MCH_NOT_EXISTS"], advice: configuration },
  APPID_MCHID_NOT_MATCH: { advice: configuration },
  NOAUTH: { v3: [403, "NO_AUTH"], advice: configuration },
  ACCOUNT_ERROR: { advice: configuration },
  XML_FORMAT_ERROR: { v3: [400, "PARAM_ERROR"], status: 400, advice: bug },
  REQUIRE_POST_METHOD: { status: 400, advice: bug },
  LACK_PARAMS: { v3: [400, "PARAM_ERROR"], status: 400, advice: bug },
  POST_DATA_EMPTY: { v3: [400, "PARAM_ERROR"], status: 400, advice: bug },
  NOT_UTF8: { v3: [400, "PARAM_ERROR"], status: 400, advice: bug },
  PARAM_ERROR: { status: 400, advice: bug },
  INVALID_TRANSACTIONID: { v3: [500, "INVALID_TRANSACTIONID"], status: 400, advice: bug },
  OPENID_MISMATCH: {
    v3: [500, "OPENID_MISMATCH"],
    status: 400,
    advice: "advice.openid",
  },

  INVALID_REQUEST: {
    status: 400,
    advice: "advice.numberUsed",
  },
  OUT_TRADE_NO_USED: {
    v3: [403, "OUT_TRADE_NO_USED"],
    advice: "advice.orderNumber",
  },
  ORDERPAID: { advice: "advice.paid" },
  ORDERCLOSED: { v3: [400, "ORDER_CLOSED"], advice: "advice.closed" },
  ORDERREVERSED: { v3: [403, "TRADE_ERROR"], advice: "advice.reversed" },
  ORDERNOTEXIST: {
    v3: [404, "ORDER_NOT_EXIST"],
    status: 404,
    advice: "advice.noOrder",
  },
  REFUNDNOTEXIST: {
    v3: [404, "RESOURCE_NOT_EXISTS"],
    status: 404,
    advice: "advice.noRefund",
  },
  REFUND_FEE_MISMATCH: {
    v3: [400, "INVALID_REQUEST"],
    status: 400,
    advice: "advice.refundAmount",
  },
  REVERSE_EXPIRE: { advice: "advice.tooLate" },
  NOTENOUGH: {
    v3: [403, "NOT_ENOUGH"],
    advice: "advice.money",
  },
  TRADE_OVERDUE: { v3: [400, "INVALID_REQUEST"], advice: "advice.tooOld" },
  USER_ACCOUNT_ABNORMAL: {
    v3: [403, "USER_ACCOUNT_ABNORMAL"],
    advice: "advice.account",
  },
  AUTHCODEEXPIRE: { status: 400, advice: "advice.newCode" },
  AUTH_CODE_ERROR: { status: 400, advice: "advice.newCode" },
  AUTH_CODE_INVALID: { status: 400, advice: "advice.otherCode" },
  NOTSUPORTCARD: { advice: "advice.card" },
  BUYER_MISMATCH: { advice: "advice.buyer" },
  TRADE_ERROR: { v3: [403, "TRADE_ERROR"], advice: "advice.description" },
  RULE_LIMIT: { advice: "advice.rule" },
};
