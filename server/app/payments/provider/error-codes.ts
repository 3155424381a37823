/**
 * The provider's error codes, as in version 2 (contract: payments, err_codes): which of them are final, and what to do
 * about each. Unlisted codes are final: the provider has signed that it did not do it.
 */

/** The merchant's calls, by the names of PaymentProvider. */
export type MerchantCall =
  "placeOrder" | "payByCode" | "queryOrder" | "closeOrder" | "reverseOrder" | "refund" | "queryRefund";

interface ErrorCode {
  readonly advice: string;
  /** Calls after which the order or refund may be in any state, so that it must be queried. */
  readonly leavesOpen?: "always" | readonly MerchantCall[];
}

const bug = "This is a fault of the merchant's server: it asks in a way that the provider does not take.";
const configuration = "Check the merchant number, the app id, their binding and the keys in the payment settings.";

/** Sorted by consequence. */
const errorCodes: Readonly<Partial<Record<string, ErrorCode>>> = {
  SYSTEMERROR: { advice: "Try again with the same numbers after a pause; query before that.", leavesOpen: "always" },
  BANKERROR: { advice: "Query the order: the bank may have paid.", leavesOpen: "always" },
  BIZERR_NEED_RETRY: { advice: "Refund again with the same refund number.", leavesOpen: "always" },
  FREQUENCY_LIMITED: { advice: "Wait a minute, then query, then try again.", leavesOpen: "always" },
  INVALID_REQ_TOO_MUCH: { advice: "Wait a minute, then query, then try again.", leavesOpen: "always" },
  USERPAYING: {
    advice: "The buyer is entering a password: query every 10 s for up to 45 s, then reverse.",
    leavesOpen: ["payByCode", "placeOrder"],
  },

  SIGNERROR: { advice: configuration },
  APPID_NOT_EXIST: { advice: configuration },
  MCHID_NOT_EXIST: { advice: configuration },
  APPID_MCHID_NOT_MATCH: { advice: configuration },
  NOAUTH: { advice: configuration },
  ACCOUNT_ERROR: { advice: configuration },
  XML_FORMAT_ERROR: { advice: bug },
  REQUIRE_POST_METHOD: { advice: bug },
  LACK_PARAMS: { advice: bug },
  POST_DATA_EMPTY: { advice: bug },
  NOT_UTF8: { advice: bug },
  PARAM_ERROR: { advice: bug },
  INVALID_TRANSACTIONID: { advice: bug },
  OPENID_MISMATCH: { advice: "The buyer's openid is not of this app id: log in again, and make a new order." },

  INVALID_REQUEST: { advice: "The number was used with other values before: repeat those, or take a new number." },
  OUT_TRADE_NO_USED: { advice: "Query the order number; make a new order if it is another's." },
  ORDERPAID: { advice: "Query the order: it counts as paid only if its trade_state says so." },
  ORDERCLOSED: { advice: "The order is closed: make a new one." },
  ORDERREVERSED: { advice: "The order is reversed: make a new one." },
  ORDERNOTEXIST: { advice: "The provider does not have the order, or not yet: query once more in a moment." },
  REFUNDNOTEXIST: { advice: "The provider has not taken the refund: ask for it again with the same refund number." },
  REFUND_FEE_MISMATCH: {
    advice: "The refund number was used with another amount: refund that amount, or use a new number.",
  },
  REVERSE_EXPIRE: { advice: "Too late to reverse: refund instead." },
  NOTENOUGH: { advice: "There is not enough money: the buyer's when paying, the merchant's when refunding." },
  TRADE_OVERDUE: { advice: "The payment is too old: refund by other means." },
  USER_ACCOUNT_ABNORMAL: { advice: "The buyer's account takes no money: refund by other means." },
  AUTHCODEEXPIRE: { advice: "Ask the buyer for a new payment code." },
  AUTH_CODE_ERROR: { advice: "Ask the buyer for a new payment code." },
  AUTH_CODE_INVALID: { advice: "Scan a payment code of this provider." },
  NOTSUPORTCARD: { advice: "Ask the buyer to pay with another card." },
  BUYER_MISMATCH: { advice: "The order belongs to another buyer: make a new one." },
  TRADE_ERROR: { advice: "The description of the provider says what it refuses." },
  RULE_LIMIT: { advice: "The description of the provider says which rule forbids it." },
};

const withoutUnderscores = (code: string) => code.replaceAll("_", "");
const wordsOfV2 = new Map([
  ...Object.keys(errorCodes).map((code) => [withoutUnderscores(code), code] as const),
  // Codes that differ in version 3 by more than underscores.
  ["MCHNOTEXISTS", "MCHID_NOT_EXIST"],
  ["RATELIMITEXCEEDED", "FREQUENCY_LIMITED"],
]);

/** The version 2 code for an error code of version 3 in any spelling; the code itself where version 2 has none. */
export function codeOfV2(code: string, call: MerchantCall): string {
  const plain = withoutUnderscores(code);
  if (plain === "RESOURCENOTEXISTS") return call === "queryRefund" ? "REFUNDNOTEXIST" : "ORDERNOTEXIST";
  return wordsOfV2.get(plain) ?? code;
}

/** False for a code that the contract does not list. */
export const isKnownCode = (code: string): boolean => Object.hasOwn(errorCodes, code);

/** True when a signed failure with this code leaves the result of the call open. */
export function leavesOpen(code: string, call: MerchantCall): boolean {
  const calls = errorCodes[code]?.leavesOpen;
  return calls === "always" || (calls?.includes(call) ?? false);
}

/** Advice to a person about a code; undefined for an unknown one. */
export const adviceFor = (code: string): string | undefined => errorCodes[code]?.advice;
