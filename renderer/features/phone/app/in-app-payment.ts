/** Payments that the app starts itself, by the platform's requestPayment. */
import type { TradeType } from "../../../../server/contract/provider/payment-terms.ts";

/** The products of which the server's parameters go to requestPayment. Others are paid by what is outside of the app. */
const inApp = ["JSAPI", "APP"] as const satisfies TradeType[];
type PaidInApp = (typeof inApp)[number];

export const isPaidInApp = (type: TradeType): type is PaidInApp => inApp.some((one) => one === type);

/** Why the platform refused a payment; undefined where it took it, or where the person has cancelled it. */
export function paymentRefusal(errMsg: string): string | undefined {
  const reason = /^requestPayment:fail\s*(.*)$/s.exec(errMsg)?.[1];
  return reason === "cancel" ? undefined : reason;
}
