/** Where refunds go, and where they come from, as both versions name it. */
import type { Refund } from "./ledger.ts";

/** The buyer's balance, unless the refund was redirected; the real provider names the account of the payment. */
export const receivingAccount = ({ paidTo }: Pick<Refund, "paidTo">): string => paidTo ?? "支付用户零钱";

export const refundChannel = ({ paidTo }: Pick<Refund, "paidTo">): "ORIGINAL" | "OTHER_BANKCARD" =>
  paidTo === undefined ? "ORIGINAL" : "OTHER_BANKCARD";

const unsettled = { v2: "REFUND_SOURCE_UNSETTLED_FUNDS", v3: "UNSETTLED" } as const;
const available = { v2: "REFUND_SOURCE_RECHARGE_FUNDS", v3: "AVAILABLE" } as const;

export const fundsOfRefunds = {
  v2: [unsettled.v2, available.v2],
  v3: [unsettled.v3, available.v3],
} as const;

/** The merchant's money that pays for a refund, in both versions' words: its notification may be of the other version. */
export const fundsOf = ({ account }: Pick<Refund, "account">): typeof unsettled | typeof available =>
  account === available.v2 || account === available.v3 ? available : unsettled;

/** True for a refund from money that is the merchant's own, rather than from payments that are not settled yet. */
export const isFromOwnMoney = (refund: Pick<Refund, "account">): boolean => fundsOf(refund) === available;
