/** What goes wrong with refunds after they were accepted. */
import type { RefundStatus } from "../../../contract/provider/payment-terms.ts";
import type { Order, Refund } from "../ledger/ledger.ts";
import type { FaultStore } from "./fault-store.ts";
import type { FaultedOrders } from "./faulted-orders.ts";

export interface RefundOutcome {
  /** PROCESSING: it never ends. */
  readonly status: RefundStatus;
  /** From its acceptance; in the clock of the simulator, not scaled. */
  readonly afterSeconds: number;
}

export interface RefundFaults {
  /**
   * How a refund ends that a fault has hit; undefined for one that ends as the settings say. The answer for a refund is
   * the same each time it is asked, over restarts, too.
   */
  outcomeOf(order: Order, refund: Refund): Promise<RefundOutcome | undefined>;
}

export function createRefundFaults(store: FaultStore, orders: FaultedOrders): RefundFaults {
  async function known(refundId: string): Promise<RefundOutcome | undefined> {
    for (const { faultId } of await orders.ofRefund(refundId)) {
      const outcome = outcomeBy(faultId);
      if (outcome) return outcome;
    }
    return undefined;
  }

  function outcomeBy(faultId: number): RefundOutcome | undefined {
    const input = store.byId(faultId)?.input;
    return input?.kind === "refund_outcome"
      ? { status: input.params.status, afterSeconds: input.params.after_seconds }
      : undefined;
  }

  return {
    async outcomeOf(order, { refundId }) {
      if (store.isEmpty()) return undefined;
      const before = await known(refundId);
      if (before) return before;
      const fault = store.of(["refund_outcome"], order).find((one) => store.hit(one));
      await store.saved();
      if (!fault) return undefined;
      const { mchId, outTradeNo } = order;
      await orders.begin({ faultId: fault.id, mchId, outTradeNo, refundId }, { step: "" });
      return outcomeBy(fault.id);
    },
  };
}
