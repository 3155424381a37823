/** Refusals in the format of version 3. */
import type { CallName } from "../calls/answer-call.ts";
import type { PaymentRefusal } from "../ledger/ledger.ts";

/** A call that is refused for its sender or its form, before it is performed. */
export class RefusalV3 extends Error {
  override readonly name = "RefusalV3";
  readonly status: number;
  readonly code: string;
  readonly detail: unknown;
  constructor(status: number, code: string, message: string, detail?: unknown) {
    super(message);
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}

/** Version 2's codes, with the HTTP status and code of version 3. */
const names: Readonly<Record<string, readonly [status: number, code: string]>> = {
  USERPAYING: [202, "USERPAYING"],
  PARAM_ERROR: [400, "PARAM_ERROR"],
  LACK_PARAMS: [400, "PARAM_ERROR"],
  NOT_UTF8: [400, "PARAM_ERROR"],
  POST_DATA_EMPTY: [400, "PARAM_ERROR"],
  XML_FORMAT_ERROR: [400, "PARAM_ERROR"],
  APPID_NOT_EXIST: [400, "PARAM_ERROR"],
  INVALID_REQUEST: [400, "INVALID_REQUEST"],
  REFUND_FEE_MISMATCH: [400, "INVALID_REQUEST"],
  TRADE_OVERDUE: [400, "INVALID_REQUEST"],
  ERROR: [400, "INVALID_REQUEST"],
  APPID_MCHID_NOT_MATCH: [400, "APPID_MCHID_NOT_MATCH"],
  MCHID_NOT_EXIST: [400, "MCH_NOT_EXISTS"],
  ORDERCLOSED: [400, "ORDER_CLOSED"],
  ORDERPAID: [400, "ORDERPAID"],
  NO_STATEMENT_EXIST: [400, "NO_STATEMENT_EXIST"],
  STATEMENT_CREATING: [400, "STATEMENT_CREATING"],
  SIGNERROR: [401, "SIGN_ERROR"],
  NOAUTH: [403, "NO_AUTH"],
  OUT_TRADE_NO_USED: [403, "OUT_TRADE_NO_USED"],
  RULELIMIT: [403, "RULE_LIMIT"],
  TRADE_ERROR: [403, "TRADE_ERROR"],
  ORDERREVERSED: [403, "TRADE_ERROR"],
  NOTENOUGH: [403, "NOT_ENOUGH"],
  ACCOUNTERROR: [403, "ACCOUNT_ERROR"],
  USER_ACCOUNT_ABNORMAL: [403, "USER_ACCOUNT_ABNORMAL"],
  ORDERNOTEXIST: [404, "ORDER_NOT_EXIST"],
  REFUNDNOTEXIST: [404, "RESOURCE_NOT_EXISTS"],
  FREQUENCY_LIMITED: [429, "FREQUENCY_LIMITED"],
  INVALID_REQ_TOO_MUCH: [429, "FREQUENCY_LIMITED"],
  RATELIMIT_EXCEEDED: [429, "RATELIMIT_EXCEEDED"],
  SYSTEMERROR: [500, "SYSTEM_ERROR"],
  BIZERR_NEED_RETRY: [500, "SYSTEM_ERROR"],
  BANKERROR: [500, "BANK_ERROR"],
  OPENID_MISMATCH: [500, "OPENID_MISMATCH"],
  INVALID_TRANSACTIONID: [500, "INVALID_TRANSACTIONID"],
  BAD_GATEWAY: [502, "BAD_GATEWAY"],
  SERVICE_UNAVAILABLE: [503, "SERVICE_UNAVAILABLE"],
};

/** The calls about refunds answer "no such resource" for a missing order. */
const ofRefunds: Readonly<Record<string, readonly [status: number, code: string]>> = {
  ORDERNOTEXIST: [404, "RESOURCE_NOT_EXISTS"],
  MCHID_NOT_EXIST: [404, "MCH_NOT_EXISTS"],
};

/** A refusal of the ledger in version 3; a code without an equivalent stays the same, with status 400. */
export function toRefusalV3({ code, message }: PaymentRefusal, call: CallName): RefusalV3 {
  const special = call === "refund" || call === "refundquery" ? ofRefunds[code] : undefined;
  const [status, name] = special ?? names[code] ?? [400, code];
  return new RefusalV3(status, name, message);
}

/** Where the refused value was. */
export type ValueLocation = "body" | "url" | "query";

/** @param field JSON pointer into the body, or a name in the path or query */
export const paramError = (location: ValueLocation, field: string, value: unknown, issue: string) =>
  new RefusalV3(400, "PARAM_ERROR", `${field || "body"}: ${issue}`, {
    field,
    value: typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value),
    issue,
    location,
  });
