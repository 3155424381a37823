/** Refusals in the form of Alipay's gateway: a code, and a sub_code that says more. */
import type { CallName } from "../calls/answer-call.ts";
import type { PaymentRefusal } from "../ledger/ledger.ts";

/** A request that is refused for its sender or its form, before it is performed. */
export class RefusalAlipay extends Error {
  override readonly name = "RefusalAlipay";
  readonly subCode: string;
  constructor(subCode: string, subMsg: string) {
    super(subMsg);
    this.subCode = subCode;
  }
}

/** The gateway's code and its message, by the beginning of a sub_code. The first that fits counts. */
const codes: readonly (readonly [beginning: string, code: string, msg: string])[] = [
  ["isv.missing-", "40001", "Missing Required Arguments"],
  ["isv.insufficient-", "40006", "Insufficient Permissions"],
  ["isv.", "40002", "Invalid Arguments"],
  ["aop.unknow-", "20000", "Service Currently Unavailable"],
  ["isp.unknow-", "20000", "Service Currently Unavailable"],
  ["aop.", "20001", "Insufficient Token Permissions"],
  ["", "40004", "Business Failed"],
];

/** The members of a refusal's reply. */
export function refusedMembers({ subCode, message }: Pick<RefusalAlipay, "subCode" | "message">) {
  const [, code = "", msg = ""] = codes.find(([beginning]) => subCode.startsWith(beginning)) ?? [];
  return { code, msg, sub_code: subCode, sub_msg: message };
}

type SubCode = readonly [code: string, text: string];

const authCode: SubCode = ["ACQ.PAYMENT_AUTH_CODE_INVALID", "获取顾客账户信息失败，请顾客刷新付款码后重新收款"];
const inconsistent: SubCode = ["ACQ.CONTEXT_INCONSISTENT", "交易信息被篡改"];
const hasClosed: SubCode = ["ACQ.TRADE_HAS_CLOSE", "交易已经关闭"];
const wrongStatus: SubCode = ["ACQ.TRADE_STATUS_ERROR", "交易状态不合法"];
const systemError: SubCode = ["ACQ.SYSTEM_ERROR", "系统错误"];
const noBill: SubCode = ["isp.bill_not_exist", "账单不存在"];

/** Alipay's codes for those of the ledger. */
const subCodes: Readonly<Record<string, SubCode>> = {
  AUTHCODEEXPIRE: authCode,
  AUTH_CODE_ERROR: authCode,
  AUTH_CODE_INVALID: authCode,
  BANKERROR: ["ACQ.BUYER_BALANCE_NOT_ENOUGH", "买家余额不足"],
  ERROR: wrongStatus,
  FREQUENCY_LIMITED: systemError,
  INVALID_REQUEST: inconsistent,
  NOTENOUGH: ["ACQ.SELLER_BALANCE_NOT_ENOUGH", "商户的支付宝账户中无足够的资金进行操作"],
  NO_STATEMENT_EXIST: noBill,
  OPENID_MISMATCH: ["ACQ.BUYER_NOT_EXIST", "买家不存在"],
  ORDERCLOSED: hasClosed,
  ORDERNOTEXIST: ["ACQ.TRADE_NOT_EXIST", "交易不存在"],
  ORDERPAID: ["ACQ.TRADE_HAS_SUCCESS", "交易已被支付"],
  ORDERREVERSED: hasClosed,
  ORDER_EXPIRED: hasClosed,
  OUT_TRADE_NO_USED: inconsistent,
  PARAM_ERROR: ["ACQ.INVALID_PARAMETER", "参数无效"],
  REFUND_FEE_MISMATCH: ["ACQ.DISCORDANT_REPEAT_REQUEST", "请求信息不一致"],
  STATEMENT_CREATING: noBill,
  SYSTEMERROR: systemError,
  TRADE_ERROR: wrongStatus,
  TRADE_OVERDUE: ["ACQ.TRADE_HAS_FINISHED", "交易已完结"],
};

/** Closing names the status, whatever it is. */
const ofClosing: Readonly<Record<string, SubCode>> = { ORDERPAID: wrongStatus, ORDERCLOSED: wrongStatus };

/** A code that Alipay has no other one for stays as it is, behind `ACQ.`. */
export function toRefusalAlipay({ code, message }: PaymentRefusal, call: CallName): RefusalAlipay {
  const [subCode, text] = (call === "closeorder" ? ofClosing[code] : undefined) ??
    subCodes[code] ?? [code.includes(".") ? code : `ACQ.${code}`, message];
  return new RefusalAlipay(subCode, text);
}
