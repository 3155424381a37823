/**
 * The two ways to end an order from this side: close, and reverse for payments by code. Both query the order before or
 * after.
 */
import { message } from "../../../contract/messages/message.ts";
import { callEntry, decision, replyEntry, type OrderEntry } from "../store/order-history.ts";
import type { Order } from "../store/order-rows.ts";
import type { OrderChange, OrderStore } from "../store/order-store.ts";
import type { CallResult, PaymentProvider } from "../provider/provider-client.ts";
import { reversalAgainMs } from "./reconcile-times.ts";
import type { Inquiry, SettleOrder } from "./settle-order.ts";
import { isOpen } from "../store/trade-states.ts";

/** The result. `failure`: why the order did not end. */
export interface OrderEnding {
  readonly order: Order;
  readonly failure?: Exclude<CallResult<unknown>, { outcome: "done" }> | undefined;
}

/** Callers must hold the order's mutex. */
export interface EndOrder {
  /** Query, close, and query again: a payment that arrives at the same moment wins. */
  close(order: Order, why: string): Promise<OrderEnding>;
  /**
   * Reverses until the provider asks for no more calls, then queries. The reconcile job continues where that takes
   * longer.
   * @param options `isWanted`: by its owner or a person, paid or not; else a payment that query order tells of wins
   */
  reverse(order: Order, why: string, options: { readonly isWanted: boolean }): Promise<OrderEnding>;
}

interface Deps {
  readonly store: OrderStore;
  readonly provider: Pick<PaymentProvider, "closeOrder" | "reverseOrder">;
  readonly settle: SettleOrder;
  readonly now: () => number;
}

/** The provider may ask for more calls. This many follow at once; the reconcile job makes the others. */
const reversalsAtOnce = 3;

export function createEndOrder({ store, provider, settle, now }: Deps): EndOrder {
  async function close(order: Order, why: string): Promise<OrderEnding> {
    const inquiry = await settle(order, { why });
    if (!isOpen(inquiry.order.tradeState)) return { order: inquiry.order };
    if (inquiry.verdict === "query_failed") return { order: inquiry.order, failure: unconfirmed(inquiry) };
    if (inquiry.verdict !== "not_paid" && inquiry.verdict !== "not_found")
      return {
        order: inquiry.order,
        failure: { outcome: "refused", code: "ORDERPAID", description: inquiry.text, reply: {} },
      };
    const call = callEntry("closeorder", why, message("history.close"));
    const result = await provider.closeOrder(order.outTradeNo);
    const before = [call, replyEntry("closeorder", result, { text: message("history.closed") })];
    const isMissing = result.outcome === "refused" && result.code === "ORDERNOTEXIST";
    if (isMissing && inquiry.verdict === "not_found") return { order: await closeHere(inquiry.order, before) };
    const after = await settle(inquiry.order, { why: "after_close", before });
    if (!isOpen(after.order.tradeState)) return { order: after.order };
    return { order: after.order, failure: result.outcome === "done" ? unconfirmed(after) : result };
  }

  /** The provider does not have the order, so nobody can pay it. */
  async function closeHere(order: Order, entries: readonly OrderEntry[]): Promise<Order> {
    const text = message("history.closedHere");
    const all = [...entries, decision("close", "not_found", text, "CLOSED")];
    return (
      (await store.changeState(order.outTradeNo, "CLOSED", { next_query_at: null }, all)) ??
      store.current(order.outTradeNo)
    );
  }

  async function reverse(
    order: Order,
    why: string,
    { isWanted }: { readonly isWanted: boolean },
  ): Promise<OrderEnding> {
    const entries: OrderEntry[] = [];
    let result: CallResult<{ readonly again: boolean }>;
    let tries = 0;
    do {
      entries.push(callEntry("reverse", why, message("history.reverse")));
      result = await provider.reverseOrder(order.outTradeNo);
      const again = result.outcome === "done" && result.value.again;
      entries.push(
        replyEntry("reverse", result, { text: again ? message("history.reverseAgain") : message("history.reversed") }),
      );
    } while (result.outcome === "done" && result.value.again && ++tries < reversalsAtOnce);
    // The reversal may have to be repeated until query order confirms it.
    const isFinal = result.outcome === "refused" && result.code !== "USERPAYING";
    const change: OrderChange = isFinal
      ? { reversing: 0 }
      : { reversing: isWanted ? 1 : 0, next_query_at: now() + reversalAgainMs };
    const inquiry = await settle(order, { why: "after_reverse", before: entries, change });
    const done = inquiry.order.tradeState === "REVOKED" || inquiry.order.tradeState === "CLOSED";
    return {
      order: inquiry.order,
      ...(!done && { failure: result.outcome === "done" ? unconfirmed(inquiry) : result }),
    };
  }

  return { close, reverse };
}

/** Query order does not say that the order has ended. A query that is refused is no refusal of the ending. */
const unconfirmed = (inquiry: Inquiry) =>
  ({
    reason: "undecided",
    description: inquiry.text,
    reply: {},
    ...("failed" in inquiry && inquiry.failed),
    outcome: "unknown",
  }) as const;
