/**
 * The payment provider's error codes by their names in version 2 (contract: payments, err_codes), for the simulator that
 * answers them and the merchant's side that reads them.
 */

/** The merchant's calls. */
export type MerchantCall =
  "placeOrder" | "payByCode" | "queryOrder" | "closeOrder" | "reverseOrder" | "refund" | "queryRefund";

export interface ErrorCode {
  /** HTTP status and code of version 3; without it 400 and the name of version 2. */
  readonly v3?: readonly [status: number, code: string];
  /**
   * What the merchant's side answers its client. 400: the request or this server's settings are wrong; a repeat is
   * refused the same way. 403, unless given: the state of the order, or the account of buyer or merchant, forbids it.
   * 404: the provider does not have it. 503: it works later.
   */
  readonly status?: 400 | 404 | 503;
  /** Seconds until a repeat makes sense: the provider limits frequencies by the minute. */
  readonly retryAfter?: number;
  readonly advice: string;
  /** Calls after which the order or refund may be in any state, so that it must be queried. Other failures are final. */
  readonly leavesOpen?: "always" | readonly MerchantCall[];
}

const bug = "This is a fault of the merchant's server: it asks in a way that the provider does not take.";
const configuration = "Check the merchant number, the app id, their binding and the keys in the payment settings.";

/** Sorted by consequence. */
export const errorCodes: Readonly<Partial<Record<string, ErrorCode>>> = {
  SYSTEMERROR: {
    v3: [500, "SYSTEM_ERROR"],
    status: 503,
    advice: "Try again with the same numbers after a pause; query before that.",
    leavesOpen: "always",
  },
  BANKERROR: {
    v3: [500, "BANK_ERROR"],
    status: 503,
    advice: "Query the order: the bank may have paid.",
    leavesOpen: "always",
  },
  BIZERR_NEED_RETRY: {
    v3: [500, "SYSTEM_ERROR"],
    status: 503,
    advice: "Refund again with the same refund number.",
    leavesOpen: "always",
  },
  FREQUENCY_LIMITED: {
    v3: [429, "FREQUENCY_LIMITED"],
    status: 503,
    retryAfter: 60,
    advice: "Wait a minute, then query, then try again.",
    leavesOpen: "always",
  },
  INVALID_REQ_TOO_MUCH: {
    v3: [429, "FREQUENCY_LIMITED"],
    status: 503,
    retryAfter: 60,
    advice: "Wait a minute, then query, then try again.",
    leavesOpen: "always",
  },
  USERPAYING: {
    v3: [202, "USERPAYING"],
    status: 503,
    retryAfter: 10,
    advice: "The buyer is entering a password: query every 10 s for up to 45 s, then reverse.",
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
    advice: "The buyer's openid is not of this app id: log in again, and make a new order.",
  },

  INVALID_REQUEST: {
    status: 400,
    advice: "The number was used with other values before: repeat those, or take a new number.",
  },
  OUT_TRADE_NO_USED: {
    v3: [403, "OUT_TRADE_NO_USED"],
    advice: "Query the order number; make a new order if it is another's.",
  },
  ORDERPAID: { advice: "Query the order: it counts as paid only if its trade_state says so." },
  ORDERCLOSED: { v3: [400, "ORDER_CLOSED"], advice: "The order is closed: make a new one." },
  ORDERREVERSED: { v3: [403, "TRADE_ERROR"], advice: "The order is reversed: make a new one." },
  ORDERNOTEXIST: {
    v3: [404, "ORDER_NOT_EXIST"],
    status: 404,
    advice: "The provider does not have the order, or not yet: query once more in a moment.",
  },
  REFUNDNOTEXIST: {
    v3: [404, "RESOURCE_NOT_EXISTS"],
    status: 404,
    advice: "The provider has not taken the refund: ask for it again with the same refund number.",
  },
  REFUND_FEE_MISMATCH: {
    v3: [400, "INVALID_REQUEST"],
    status: 400,
    advice: "The refund number was used with another amount: refund that amount, or use a new number.",
  },
  REVERSE_EXPIRE: { advice: "Too late to reverse: refund instead." },
  NOTENOUGH: {
    v3: [403, "NOT_ENOUGH"],
    advice: "There is not enough money: the buyer's when paying, the merchant's when refunding.",
  },
  TRADE_OVERDUE: { v3: [400, "INVALID_REQUEST"], advice: "The payment is too old: refund by other means." },
  USER_ACCOUNT_ABNORMAL: {
    v3: [403, "USER_ACCOUNT_ABNORMAL"],
    advice: "The buyer's account takes no money: refund by other means.",
  },
  AUTHCODEEXPIRE: { status: 400, advice: "Ask the buyer for a new payment code." },
  AUTH_CODE_ERROR: { status: 400, advice: "Ask the buyer for a new payment code." },
  AUTH_CODE_INVALID: { status: 400, advice: "Scan a payment code of this provider." },
  NOTSUPORTCARD: { advice: "Ask the buyer to pay with another card." },
  BUYER_MISMATCH: { advice: "The order belongs to another buyer: make a new one." },
  TRADE_ERROR: { v3: [403, "TRADE_ERROR"], advice: "The description of the provider says what it refuses." },
  RULE_LIMIT: { advice: "The description of the provider says which rule forbids it." },
};
