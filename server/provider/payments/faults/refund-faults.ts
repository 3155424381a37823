/** Faults of refunds that act after the refund was accepted. */
import type { RefundStatus } from "../../../contract/provider/payment-terms.ts";
import type { Order, Refund } from "../ledger/ledger.ts";
import type { FaultStore } from "./fault-store.ts";
import type { FaultedOrders } from "./faulted-orders.ts";

export interface RefundOutcome {
  /** PROCESSING: it never ends. */
  readonly status: RefundStatus;
  /** Counted from its latest acceptance, in the simulator's clock, not scaled. */
  readonly afterSeconds: number;
}

/** The refund while it goes to one account: a redirected one meets faults anew. */
const attemptOf = ({ refundId, acceptedAt, paidTo }: Refund): string =>
  paidTo === undefined ? refundId : `${refundId} ${String(acceptedAt)} ${paidTo}`;

export type RefundFaults = ReturnType<typeof createRefundFaults>;

export function createRefundFaults(store: FaultStore, orders: FaultedOrders) {
  async function known(attempt: string): Promise<RefundOutcome | undefined> {
    for (const { faultId } of await orders.ofRefund(attempt)) {
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
    /**
     * How a faulted refund ends; undefined if the settings decide. The answer never changes, even across restarts, until the
     * refund is redirected. `isNew`: it was accepted or redirected just now; faults that were armed later are not for it.
     */
    async outcomeOf(order: Order, refund: Refund, isNew: boolean): Promise<RefundOutcome | undefined> {
      if (store.isEmpty()) return undefined;
      const attempt = attemptOf(refund);
      const before = await known(attempt);
      if (before || !isNew) return before;
      const fault = store.of(["refund_outcome"], order).find((one) => store.hit(one));
      await store.saved();
      if (!fault) return undefined;
      const { mchId, outTradeNo } = order;
      await orders.begin({ faultId: fault.id, mchId, outTradeNo, refundId: attempt }, { step: "" });
      return outcomeBy(fault.id);
    },
  };
}
