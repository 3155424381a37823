import { PaymentRefusal, type Ledger, type Order, type OrderKey } from "../ledger/ledger.ts";
import { orderOfSub } from "../partner/sub-merchant.ts";

/** Closes an order of a sub-merchant, or of a direct merchant; a repeated close succeeds like the first. */
export async function closeOrderV3(
  ledger: Pick<Ledger, "close" | "get">,
  key: OrderKey,
  subMchId: string | undefined,
): Promise<Order> {
  const order = await orderOfSub(ledger, key, subMchId);
  try {
    return await ledger.close(key);
  } catch (error) {
    if (error instanceof PaymentRefusal && error.code === "ORDERCLOSED") return order;
    throw error;
  }
}
