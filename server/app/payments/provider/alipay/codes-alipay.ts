/** Alipay's error codes in the words of version 2, which the rest of this server reads. */
import type { MerchantCall } from "../../../../contract/provider/payment-errors/error-codes.ts";

const words: Readonly<Record<string, string>> = {
  "ACQ.BUYER_BALANCE_NOT_ENOUGH": "NOTENOUGH",
  "ACQ.CONTEXT_INCONSISTENT": "OUT_TRADE_NO_USED",
  "ACQ.DISCORDANT_REPEAT_REQUEST": "REFUND_FEE_MISMATCH",
  "ACQ.INVALID_PARAMETER": "PARAM_ERROR",
  "ACQ.PAYMENT_AUTH_CODE_INVALID": "AUTH_CODE_INVALID",
  "ACQ.SELLER_BALANCE_NOT_ENOUGH": "NOTENOUGH",
  "ACQ.SYSTEM_ERROR": "SYSTEMERROR",
  "ACQ.TRADE_HAS_CLOSE": "ORDERCLOSED",
  "ACQ.TRADE_HAS_FINISHED": "TRADE_OVERDUE",
  "ACQ.TRADE_HAS_SUCCESS": "ORDERPAID",
  "ACQ.TRADE_NOT_EXIST": "ORDERNOTEXIST",
  "aop.unknow-error": "SYSTEMERROR",
  "isp.unknow-error": "SYSTEMERROR",
};

/** @param subCode `sub_code` of a reply; it stays as it is where version 2 has no word for it */
export function codeOfAlipay(subCode: string, call: MerchantCall): string {
  // Only a trade that waits for its buyer can be closed, so it is paid or over.
  if (call === "closeOrder" && subCode === "ACQ.TRADE_STATUS_ERROR") return "ORDERPAID";
  return words[subCode] ?? subCode;
}
