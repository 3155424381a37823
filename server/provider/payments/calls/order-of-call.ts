import type { Ledger } from "../ledger/ledger.ts";
import type { PaymentCall } from "./answer-call.ts";
import type { LoggedOrder } from "./call-log.ts";

/** The order that a call names, by any of its numbers. */
export async function orderOfCall(
  ledger: Pick<Ledger, "find" | "refunds" | "orderOf">,
  { mchId, outTradeNo, transactionId, outRefundNo }: PaymentCall,
): Promise<LoggedOrder | undefined> {
  const byTransaction = transactionId === undefined ? undefined : await ledger.find({ mchId, transactionId });
  if (byTransaction) return { mchId, outTradeNo: byTransaction.outTradeNo };
  if (outTradeNo !== undefined) return { mchId, outTradeNo };
  const [refund] = outRefundNo === undefined ? [] : await ledger.refunds({ mchId, outRefundNo });
  return refund && { mchId, outTradeNo: (await ledger.orderOf(refund)).outTradeNo };
}
