/** Where refunds go, as both versions name it. */
import type { Refund } from "./ledger.ts";

/** The buyer's balance, unless the refund was redirected; the real provider names the account of the payment. */
export const receivingAccount = ({ paidTo }: Pick<Refund, "paidTo">): string => paidTo ?? "支付用户零钱";

export const refundChannel = ({ paidTo }: Pick<Refund, "paidTo">): "ORIGINAL" | "OTHER_BANKCARD" =>
  paidTo === undefined ? "ORIGINAL" : "OTHER_BANKCARD";
