/**
 * Queries an order and settles it by the answer's trade_state. No result_code and no notification decides. Callers must
 * hold the order's mutex (keyed-mutex.ts).
 */
import { inEnglish } from "../../../contract/messages/in-english.ts";
import { message, type Message, type Text } from "../../../contract/messages/message.ts";
import type { EventBus } from "../../../events/event-bus.ts";
import { callEntry, decision, replyEntry, type OrderEntry } from "../store/order-history.ts";
import type { Order } from "../store/order-rows.ts";
import type { OrderChange, OrderStore } from "../store/order-store.ts";
import type { CallResult, PaymentProvider, QueriedOrder } from "../provider/provider-client.ts";
import { isOpen, mayFollow } from "../store/trade-states.ts";

/**
 * `recorded`: a final state other than a payment, now stored. `held`: paid, but its amounts differed before, so a
 * person must look. `contradiction`: a state that cannot follow the known one. `not_found`: the provider does not have
 * the order, or not yet. `query_failed`: unknown.
 */
export type Verdict =
  | "settled"
  | "already_settled"
  | "recorded"
  | "not_paid"
  | "amount_mismatch"
  | "held"
  | "transaction_mismatch"
  | "contradiction"
  | "not_found"
  | "query_failed";

export type Inquiry = {
  /** The order after the inquiry. */
  readonly order: Order;
  /** The result, in a sentence. */
  readonly text: Text;
} & (
  | { readonly verdict: Exclude<Verdict, "not_found" | "query_failed"> }
  | { readonly verdict: "not_found" | "query_failed"; readonly failed: FailedQuery }
);

type FailedQuery = Exclude<CallResult<QueriedOrder>, { outcome: "done" }>;

/** The content of a notification. It is compared with query order, never trusted. */
export interface NotificationClaim {
  readonly transactionId?: string | undefined;
  /** Fen. */
  readonly total?: number | undefined;
  readonly currency: string;
}

export interface InquiryOptions {
  /** The reason of the inquiry, for the history. */
  readonly why: string;
  readonly claim?: NotificationClaim;
  /** Earlier entries that are not stored yet. */
  readonly before?: readonly OrderEntry[];
  /** Changes for the same transaction as the result. */
  readonly change?: OrderChange;
}

export type SettleOrder = (order: Order, options: InquiryOptions) => Promise<Inquiry>;

export interface SettleDeps {
  readonly store: OrderStore;
  readonly provider: Pick<PaymentProvider, "queryOrder">;
  readonly bus: EventBus;
  /** Time limit of query order, within the 5 s of a notification's reply. */
  readonly queryWithinMs: number;
}

const source = "/app/payments";
/** Of all orders and refunds. */
export const currency = "CNY";

export function createSettleOrder({ store, provider, bus, queryWithinMs }: SettleDeps): SettleOrder {
  async function inquire(order: Order, options: InquiryOptions): Promise<Inquiry> {
    const { claim } = options;
    if (
      claim?.transactionId !== undefined &&
      claim.transactionId === order.transactionId &&
      !isOpen(order.tradeState)
    ) {
      const text = message("history.known");
      await store.note(order.outTradeNo, [...(options.before ?? []), decision("settle", "already_settled", text)]);
      return { verdict: "already_settled", order, text };
    }
    const { result, entries } = await ask(order, options);
    if (result.outcome !== "done") return unanswered(order, result, entries, options);
    return judge(order, result.value, entries, options);
  }

  /** A new order may not be visible yet, so the query is repeated once (contract: payments, err_codes). */
  async function ask(order: Order, { why, before = [] }: InquiryOptions) {
    const call = callEntry("orderquery", why, message("history.query"));
    let result = await provider.queryOrder(order.outTradeNo, queryWithinMs);
    const first = queryEntry(result);
    if (result.outcome !== "refused" || result.code !== "ORDERNOTEXIST")
      return { result, entries: [...before, call, first] };
    result = await provider.queryOrder(order.outTradeNo, queryWithinMs);
    return { result, entries: [...before, call, first, call, queryEntry(result)] };
  }

  async function unanswered(
    order: Order,
    failed: FailedQuery,
    entries: readonly OrderEntry[],
    { change }: InquiryOptions,
  ): Promise<Inquiry> {
    const isMissing = failed.outcome === "refused" && failed.code === "ORDERNOTEXIST";
    const verdict = isMissing ? "not_found" : "query_failed";
    const text = isMissing ? message("history.missing") : message("history.queryFailed");
    return { verdict, order: await unchanged(order, entries, change), text, failed };
  }

  async function unchanged(order: Order, entries: readonly OrderEntry[], change?: OrderChange): Promise<Order> {
    if (change) return store.change(order.outTradeNo, change, entries);
    await store.note(order.outTradeNo, entries);
    return order;
  }

  async function judge(order: Order, found: QueriedOrder, entries: readonly OrderEntry[], options: InquiryOptions) {
    if (found.tradeState === "SUCCESS") return paid(order, found, entries, options);
    const { tradeState } = found;
    const text = message("history.found", { state: tradeState, meaning: message(`state.${tradeState}`) });
    if (tradeState === order.tradeState) {
      const verdict = isOpen(tradeState) ? "not_paid" : "recorded";
      return { verdict, order: await unchanged(order, entries, options.change), text } as const;
    }
    if (!mayFollow(order.tradeState, tradeState)) return contradiction(order, found, entries, options);
    const ends = !isOpen(tradeState);
    const changed = await store.changeState(
      order.outTradeNo,
      tradeState,
      {
        ...options.change,
        ...(ends && { next_query_at: needsReversal(order, tradeState) ? order.createdAt : null, reversing: 0 }),
        ...(found.transactionId !== undefined && { transaction_id: found.transactionId }),
        ...(found.paidAt !== undefined && { paid_at: found.paidAt }),
      },
      [...entries, decision(ends ? "record" : "wait", ends ? "recorded" : "not_paid", text, tradeState)],
      // The refund of a settled order has events of its own.
      (closed) =>
        ends && (order.settledAt === undefined || tradeState !== "REFUND")
          ? {
              type: "order.closed",
              source,
              subject: closed.outTradeNo,
              data: { ...named(closed), trade_state: tradeState },
            }
          : undefined,
    );
    if (!changed) return unlessOutdated(order, entries, options, () => contradiction(order, found, entries, options));
    return { verdict: ends ? "recorded" : "not_paid", order: changed, text } as const;
  }

  async function paid(order: Order, found: QueriedOrder, entries: readonly OrderEntry[], options: InquiryOptions) {
    const { claim } = options;
    const { transactionId } = found;
    if (transactionId === undefined)
      return refuse(order, "transaction_mismatch", message("history.noPayment"), entries, options);
    if (claim?.transactionId !== undefined && claim.transactionId !== transactionId)
      return refuse(order, "transaction_mismatch", message("history.otherTold"), entries, options);
    if (order.transactionId !== undefined && order.transactionId !== transactionId)
      return refuse(order, "transaction_mismatch", message("history.otherPayment"), entries, options);
    const mismatch = amountsThatDiffer(order, found, claim);
    if (mismatch !== undefined && order.settledAt === undefined)
      return refuse(order, "amount_mismatch", mismatch, entries, {
        ...options,
        change: { ...options.change, amount_mismatch: 1 },
      });
    if (order.tradeState === "SUCCESS") {
      const text = message("history.settledBefore");
      return { verdict: "already_settled", order: await unchanged(order, entries, options.change), text } as const;
    }
    if (!isOpen(order.tradeState)) return contradiction(order, found, entries, options);
    if (order.amountMismatch) return refuse(order, "held", message("history.held"), entries, options);
    const text = message("history.settled", { amount: order.amount });
    const made = [...entries, decision("settle", "settled", text, "SUCCESS")];
    const settled = await store.settle(order, { transactionId, paidAt: found.paidAt }, made, {
      ...afterPayment(order, options.change),
      eventOf: (paid) => ({
        type: "payment.settled",
        source,
        subject: paid.outTradeNo,
        data: { ...named(paid), transaction_id: transactionId },
      }),
    });
    if (!settled)
      return unlessOutdated(order, entries, options, () =>
        refuse(order, "transaction_mismatch", message("history.otherOrder"), entries, options),
      );
    return { verdict: "settled", order: settled, text } as const;
  }

  /**
   * The write was refused. Another instance that lost the connection to the database, and the order's mutex with it, may
   * have changed the order meanwhile; the answer may be older than that, so query order is asked again.
   */
  async function unlessOutdated(
    order: Order,
    before: readonly OrderEntry[],
    options: InquiryOptions,
    refusal: () => Promise<Inquiry>,
  ): Promise<Inquiry> {
    const current = await store.current(order.outTradeNo);
    const isOutdated = current.tradeState !== order.tradeState || current.amountMismatch !== order.amountMismatch;
    return isOutdated ? inquire(current, { ...options, before }) : refusal();
  }

  function contradiction(order: Order, found: QueriedOrder, entries: readonly OrderEntry[], options: InquiryOptions) {
    const text = message("history.contradiction", { found: found.tradeState, state: order.tradeState });
    return refuse(order, "contradiction", text, entries, options);
  }

  async function refuse(
    order: Order,
    verdict: "amount_mismatch" | "held" | "transaction_mismatch" | "contradiction",
    text: Message,
    entries: readonly OrderEntry[],
    { change }: InquiryOptions,
  ): Promise<Inquiry> {
    const all = [...entries, decision("settle", verdict, text)];
    const after = await unchanged(order, all, change);
    if (verdict !== "held")
      bus.publish({
        type: "payment.refused",
        source,
        subject: order.outTradeNo,
        data: { order_id: order.id, out_trade_no: order.outTradeNo, reason: verdict, text: inEnglish(text) },
      });
    return { verdict, order: after, text };
  }

  return inquire;
}

/** A failed payment by code may have taken money nevertheless; the reconcile job reverses it at once. */
const needsReversal = ({ tradeType }: Order, state: QueriedOrder["tradeState"]) =>
  state === "PAYERROR" && tradeType === "MICROPAY";

/** A payment does not end the wish to have it back, and a reversal that was just called may still take effect. */
function afterPayment(order: Order, change: OrderChange = {}) {
  const { reversing = order.reversing ? 1 : 0 } = change;
  if (change.reversing !== undefined) return { reversing, inquireAgainAt: change.next_query_at ?? undefined };
  return { reversing, inquireAgainAt: order.reversing ? order.nextQueryAt : undefined };
}

const named = ({ id, outTradeNo, amount }: Order) => ({ order_id: id, out_trade_no: outTradeNo, amount });

/** Describes the amounts when they differ; the currency is part of an amount. */
function amountsThatDiffer(
  { amount }: Order,
  found: QueriedOrder,
  claim: NotificationClaim | undefined,
): Message | undefined {
  const all = [
    { who: message("history.queryOrder"), total: found.total, unit: found.currency ?? currency },
    ...(claim ? [{ who: message("history.notification"), total: claim.total ?? amount, unit: claim.currency }] : []),
  ];
  const wrong = all.find(({ total, unit }) => total !== amount || unit !== currency);
  return (
    wrong &&
    message("history.amounts", {
      amount,
      currency,
      who: wrong.who,
      told: String(wrong.total),
      toldCurrency: wrong.unit,
    })
  );
}

function queryEntry(result: CallResult<QueriedOrder>): OrderEntry {
  if (result.outcome !== "done") return replyEntry("orderquery", result, { text: "" });
  const { tradeState, total } = result.value;
  const text =
    total === undefined
      ? message("history.tradeState", { state: tradeState })
      : message("history.tradeStateOf", { state: tradeState, total });
  return replyEntry("orderquery", result, { tradeState, text });
}
