/**
 * The two ways to end an order from this side: close, and reverse for payments by code. Both query the order before or
 * after.
 */
import { message } from "../../../contract/messages/message.ts";
import { callEntry, decision, replyEntry, type OrderEntry } from "../store/order-history.ts";
import type { Order } from "../store/order-rows.ts";
import type { OrderChange, OrderStore } from "../store/order-store.ts";
import { isRefusedWith } from "../provider/call-results.ts";
import type { CallResult, PaymentProvider } from "../provider/provider-client.ts";
import { reversalAgainMs } from "./reconcile-times.ts";
import type { Inquiry, SettleOrder } from "./settle-order.ts";
import { isOpen } from "../store/trade-states.ts";

/** The result. `failure`: why the order did not end. */
export interface OrderEnding {
  readonly order: Order;
  readonly failure?: Exclude<CallResult<unknown>, { outcome: "done" }> | undefined;
}

interface Deps {
  readonly store: OrderStore;
  readonly provider: Pick<PaymentProvider, "closeOrder" | "reverseOrder">;
  readonly settle: SettleOrder;
  readonly now: () => number;
}

/** The provider may ask for more calls. This many follow at once; the reconcile job makes the others. */
const reversalsAtOnce = 3;

/** Ends orders at the provider. Callers must hold the order's mutex. */
export class EndOrder {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Queries, closes, and queries again: a payment that arrives at the same moment wins. */
  async close(order: Order, why: string): Promise<OrderEnding> {
    const { settle, provider, now } = this.#deps;
    const inquiry = await settle(order, { why });
    if (!isOpen(inquiry.order.tradeState)) return { order: inquiry.order };
    if (inquiry.verdict === "query_failed") return { order: inquiry.order, failure: unconfirmed(inquiry) };
    if (inquiry.verdict !== "not_paid" && inquiry.verdict !== "not_found")
      return {
        order: inquiry.order,
        failure: { outcome: "refused", code: "ORDERPAID", description: inquiry.text, reply: {} },
      };
    const sentAt = now();
    const result = await provider.closeOrder(order.outTradeNo);
    const before = [
      callEntry("closeorder", why, message("history.close"), sentAt),
      replyEntry("closeorder", result, { at: now(), text: message("history.closed") }),
    ];
    if (isRefusedWith("ORDERNOTEXIST", result) && inquiry.verdict === "not_found")
      return { order: await this.#closeHere(inquiry.order, before) };
    const after = await settle(inquiry.order, { why: "after_close", before });
    if (!isOpen(after.order.tradeState)) return { order: after.order };
    if (result.outcome === "done" && inquiry.verdict === "not_found" && after.verdict === "not_found")
      return { order: await this.#closeHere(after.order, []) };
    return { order: after.order, failure: result.outcome === "done" ? unconfirmed(after) : result };
  }

  /**
   * Reverses until the provider asks for no more calls, then queries. The reconcile job continues where that takes
   * longer.
   * @param options `isWanted`: its owner or a person requested it, paid or not; otherwise a payment that query order
   * reports wins
   */
  async reverse(order: Order, why: string, { isWanted }: { readonly isWanted: boolean }): Promise<OrderEnding> {
    const { settle, provider, now } = this.#deps;
    const before: OrderEntry[] = [];
    let result: CallResult<{ readonly again: boolean }>;
    let again = false;
    let calls = 0;
    do {
      const sentAt = now();
      result = await provider.reverseOrder(order.outTradeNo);
      again = result.outcome === "done" && result.value.again;
      const text = again ? message("history.reverseAgain") : message("history.reversed");
      before.push(
        callEntry("reverse", why, message("history.reverse"), sentAt),
        replyEntry("reverse", result, { at: now(), text }),
      );
    } while (again && ++calls < reversalsAtOnce);
    // The reversal may have to be repeated until query order confirms it.
    const isFinal = result.outcome === "refused" && result.code !== "USERPAYING";
    const change: OrderChange = isFinal
      ? { reversing: 0 }
      : { reversing: isWanted ? 1 : 0, next_query_at: now() + reversalAgainMs };
    const inquiry = await settle(order, { why: "after_reverse", before, change });
    const { tradeState } = inquiry.order;
    const isDone =
      tradeState === "REVOKED" || tradeState === "CLOSED" || (result.outcome === "done" && tradeState === "REFUND");
    if (isDone) return { order: inquiry.order };
    return { order: inquiry.order, failure: result.outcome === "done" ? unconfirmed(inquiry) : result };
  }

  /** The provider does not have the order, so nobody can pay it. */
  async #closeHere({ outTradeNo }: Order, entries: readonly OrderEntry[]): Promise<Order> {
    const { store } = this.#deps;
    const all = [...entries, decision("close", "not_found", message("history.closedHere"), "CLOSED")];
    const closed = await store.changeState(outTradeNo, "CLOSED", { next_query_at: null }, all);
    return closed ?? store.current(outTradeNo);
  }
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
