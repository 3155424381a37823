/**
 * Queries an order and settles it by the answer's trade_state. No result_code and no notification decides. Callers must
 * hold the order's mutex (keyed-mutex.ts).
 */
import { inEnglish } from "../../../contract/messages/in-english.ts";
import { message, type Message, type Text } from "../../../contract/messages/message.ts";
import type { TradeState } from "../../../contract/provider/payment-terms.ts";
import type { EventBus } from "../../../events/event-bus.ts";
import { callEntry, decision, replyEntry, type OrderEntry } from "../store/order-history.ts";
import type { Order } from "../store/order-rows.ts";
import type { OrderChange, OrderStore } from "../store/order-store.ts";
import { isRefusedWith } from "../provider/call-results.ts";
import type { CallResult, PaymentProvider, QueriedOrder } from "../provider/provider-client.ts";
import { outcomeUnknown } from "../provider/refusal-statuses.ts";
import { isOpen, mayFollow } from "../store/trade-states.ts";
import { orderNamed } from "./order-view.ts";

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
  /** Unix ms. */
  readonly now: () => number;
  /** Time limit of query order, within the 5 s of a notification's reply. */
  readonly queryWithinMs: number;
}

const source = "/app/payments";
/** The currency of all orders and refunds. */
export const currency = "CNY";

export const createSettleOrder =
  (deps: SettleDeps): SettleOrder =>
  (order, options) =>
    new OrderInquiry(deps, order, options).run();

/** One inquiry: queries the order, compares the answer with the order and the notification, and stores the verdict. */
class OrderInquiry {
  readonly #deps: SettleDeps;
  readonly #order: Order;
  readonly #options: InquiryOptions;
  /** The history entries so far; they are stored together with the verdict. */
  readonly #entries: OrderEntry[];

  constructor(deps: SettleDeps, order: Order, options: InquiryOptions) {
    this.#deps = deps;
    this.#order = order;
    this.#options = options;
    this.#entries = [...(options.before ?? [])];
  }

  async run(): Promise<Inquiry> {
    const { transactionId, tradeState } = this.#order;
    if (transactionId !== undefined && this.#options.claim?.transactionId === transactionId && !isOpen(tradeState)) {
      const text = message("history.known");
      this.#entries.push(decision("settle", "already_settled", text));
      return this.#keep("already_settled", text);
    }
    const result = await this.#query();
    return result.outcome === "done" ? this.#judge(result.value) : this.#unanswered(result);
  }

  /** A new order may not be visible yet, so the query is repeated once (contract: payments, err_codes). */
  async #query(): Promise<CallResult<QueriedOrder>> {
    const first = await this.#queryOnce();
    return isRefusedWith("ORDERNOTEXIST", first) ? this.#queryOnce() : first;
  }

  async #queryOnce(): Promise<CallResult<QueriedOrder>> {
    const { provider, queryWithinMs, now } = this.#deps;
    this.#entries.push(callEntry("orderquery", this.#options.why, message("history.query"), now()));
    const result = await provider.queryOrder(this.#order.outTradeNo, queryWithinMs);
    this.#entries.push(queryEntry(result, now()));
    return result;
  }

  async #unanswered(failed: FailedQuery): Promise<Inquiry> {
    const order = await this.#store();
    return isRefusedWith("ORDERNOTEXIST", failed)
      ? { verdict: "not_found", order, text: message("history.missing"), failed }
      : { verdict: "query_failed", order, text: message("history.queryFailed"), failed };
  }

  /** Stores the entries, and the caller's change if there is one. */
  async #store(change = this.#options.change): Promise<Order> {
    const { store } = this.#deps;
    const { outTradeNo } = this.#order;
    if (change) return store.change(outTradeNo, change, this.#entries);
    await store.note(outTradeNo, this.#entries);
    return this.#order;
  }

  /** Ends with a verdict that leaves the order's state as it is. */
  async #keep(verdict: "already_settled" | "recorded" | "not_paid", text: Message): Promise<Inquiry> {
    return { verdict, order: await this.#store(), text };
  }

  #judge(found: QueriedOrder): Promise<Inquiry> {
    const { tradeState } = found;
    if (tradeState === "SUCCESS") return this.#checkPayment(found);
    const text = message("history.found", { state: tradeState, meaning: message(`state.${tradeState}`) });
    if (tradeState === this.#order.tradeState) return this.#keep(isOpen(tradeState) ? "not_paid" : "recorded", text);
    if (!mayFollow(this.#order.tradeState, tradeState)) return this.#contradict(found);
    return this.#record(tradeState, found, text);
  }

  /** Stores a new state other than a payment. */
  async #record(state: Exclude<TradeState, "SUCCESS">, found: QueriedOrder, text: Message): Promise<Inquiry> {
    const order = this.#order;
    const ends = !isOpen(state);
    const verdict = ends ? "recorded" : "not_paid";
    const changed = await this.#deps.store.changeState(
      order.outTradeNo,
      state,
      {
        ...this.#options.change,
        ...(ends && { next_query_at: needsReversal(order, state) ? order.createdAt : null, reversing: 0 }),
        transaction_id: found.transactionId,
        paid_at: found.paidAt,
      },
      [...this.#entries, decision(ends ? "record" : "wait", verdict, text, state)],
      // The refund of a settled order has events of its own.
      (closed) =>
        ends && (order.settledAt === undefined || state !== "REFUND")
          ? {
              type: "order.closed",
              source,
              subject: closed.outTradeNo,
              data: { ...orderNamed(closed), trade_state: state },
            }
          : undefined,
    );
    if (changed) return { verdict, order: changed, text };
    return (await this.#repeatIfOutdated()) ?? this.#contradict(found);
  }

  async #checkPayment(found: QueriedOrder): Promise<Inquiry> {
    const { claim, change } = this.#options;
    const order = this.#order;
    const { transactionId } = found;
    if (transactionId === undefined) return this.#refuse("transaction_mismatch", message("history.noPayment"));
    if ((claim?.transactionId ?? transactionId) !== transactionId)
      return this.#refuse("transaction_mismatch", message("history.otherNotified"));
    if ((order.transactionId ?? transactionId) !== transactionId)
      return this.#refuse("transaction_mismatch", message("history.otherPayment"));
    const mismatch = amountsThatDiffer(order, found, claim);
    if (mismatch !== undefined && order.settledAt === undefined)
      return this.#refuse("amount_mismatch", mismatch, { ...change, amount_mismatch: 1 });
    if (order.tradeState === "SUCCESS") return this.#keep("already_settled", message("history.settledBefore"));
    if (!isOpen(order.tradeState)) return this.#contradict(found);
    if (order.amountMismatch) return this.#refuse("held", message("history.held"));
    return this.#settle(transactionId, found.paidAt);
  }

  async #settle(transactionId: string, paidAt: number | undefined): Promise<Inquiry> {
    const order = this.#order;
    const text = message("history.settled", { amount: order.amount });
    const entries = [...this.#entries, decision("settle", "settled", text, "SUCCESS")];
    const settled = await this.#deps.store.settle(order, { transactionId, paidAt }, entries, {
      ...afterPayment(order, this.#options.change),
      eventOf: (paid) => ({
        type: "payment.settled",
        source,
        subject: paid.outTradeNo,
        data: { ...orderNamed(paid), transaction_id: transactionId },
      }),
    });
    if (settled) return { verdict: "settled", order: settled, text };
    return (await this.#repeatIfOutdated()) ?? this.#refuse("transaction_mismatch", message("history.otherOrder"));
  }

  /**
   * The write was refused. Another instance that lost the connection to the database, and the order's mutex with it, may
   * have changed the order meanwhile. The answer may be older than that change, so query order is asked again then.
   */
  async #repeatIfOutdated(): Promise<Inquiry | undefined> {
    const { tradeState, amountMismatch, outTradeNo } = this.#order;
    const current = await this.#deps.store.current(outTradeNo);
    if (current.tradeState === tradeState && current.amountMismatch === amountMismatch) return undefined;
    return new OrderInquiry(this.#deps, current, { ...this.#options, before: this.#entries }).run();
  }

  #contradict({ tradeState: found }: QueriedOrder): Promise<Inquiry> {
    return this.#refuse("contradiction", message("history.contradiction", { found, state: this.#order.tradeState }));
  }

  async #refuse(
    verdict: "amount_mismatch" | "held" | "transaction_mismatch" | "contradiction",
    text: Message,
    change?: OrderChange,
  ): Promise<Inquiry> {
    const { id, outTradeNo, description: name } = this.#order;
    this.#entries.push(decision("settle", verdict, text));
    const order = await this.#store(change);
    const data = { order_id: id, out_trade_no: outTradeNo, name, reason: verdict, text: inEnglish(text) };
    if (verdict !== "held") this.#deps.bus.publish({ type: "payment.refused", source, subject: outTradeNo, data });
    return { verdict, order, text };
  }
}

/** A failed payment by code may have taken money nevertheless; the reconcile job reverses it at once. */
const needsReversal = ({ tradeType }: Order, state: QueriedOrder["tradeState"]) =>
  state === "PAYERROR" && tradeType === "MICROPAY";

/** A payment does not end a reversal that was requested; one that was just called may still take effect. */
function afterPayment(order: Order, change: OrderChange = {}) {
  const { reversing = order.reversing ? 1 : 0 } = change;
  if (change.reversing !== undefined) return { reversing, inquireAgainAt: change.next_query_at ?? undefined };
  return { reversing, inquireAgainAt: order.reversing ? order.nextQueryAt : undefined };
}

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
  if (!wrong) return undefined;
  const { who, total, unit } = wrong;
  return message("history.amounts", { amount, currency, who, reported: String(total), reportedCurrency: unit });
}

function queryEntry(result: CallResult<QueriedOrder>, at: number): OrderEntry {
  if (result.outcome !== "done") return replyEntry("orderquery", result, { at, text: "" });
  const { tradeState, total } = result.value;
  const text =
    total === undefined
      ? message("history.tradeState", { state: tradeState })
      : message("history.tradeStateOf", { state: tradeState, total });
  return replyEntry("orderquery", result, { at, tradeState, text });
}

/**
 * Queries an order that is still open, for it may be paid without a notification.
 * @throws HttpError 503 when the query fails
 */
export async function settledOrder(settle: SettleOrder, order: Order, why: string): Promise<Order> {
  if (!isOpen(order.tradeState)) return order;
  const inquiry = await settle(order, { why });
  if (inquiry.verdict === "query_failed") throw outcomeUnknown(inquiry.failed, "unknown.paid");
  return inquiry.order;
}
