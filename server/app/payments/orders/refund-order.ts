import { storedText } from "../store/stored-text.ts";
import { inEnglish } from "../../../contract/messages/in-english.ts";
import { message } from "../../../contract/messages/message.ts";
import { hash } from "node:crypto";
import { idempotencyKeyHeader, type RefundInput } from "../../../contract/app/payments.ts";
import type { BusMessage } from "../../../contract/console/traffic/events.ts";
import type { EventBus } from "../../../events/event-bus.ts";
import { type HttpError, refuse } from "../../../http/http-error.ts";
import { callEntry, decision, replyEntry, type OrderEntry } from "../store/order-history.ts";
import type { Order } from "../store/order-rows.ts";
import { isRefusedWith } from "../provider/call-results.ts";
import type { CallResult, PaymentProvider, QueriedRefund } from "../provider/provider-client.ts";
import { nextInquiryAt } from "./reconcile-times.ts";
import type { RefundStore, StoredRefund } from "../store/refund-store.ts";
import { isWorthARepeat, outcomeUnknown, refusedByProvider } from "../provider/refusal-statuses.ts";
import { settledOrder, type SettleOrder } from "./settle-order.ts";
import { calling, startRefund } from "./start-refund.ts";

interface Deps {
  readonly refunds: RefundStore;
  readonly provider: Pick<PaymentProvider, "refund" | "queryRefund" | "keepsPaidAfterRefund">;
  readonly settle: SettleOrder;
  readonly bus: EventBus;
  readonly now: () => number;
}

export interface RefundCommand {
  readonly key: string | undefined;
  readonly input: RefundInput;
}

export interface RefundInquiry {
  /** False when the query gave no answer. */
  readonly known: boolean;
  readonly refund: StoredRefund;
}

/** The same refund may succeed after such a refusal, once the merchant has topped up. */
const isTemporary = (code: string) => code === "NOTENOUGH";
/** A final refund changes no more. The merchant may still have the money of an abnormal refund paid out. */
const isFinal = (status: StoredRefund["status"]) => status === "SUCCESS" || status === "CLOSED";
/** The only proof that the provider has not accepted the refund; a refusal of the refund call is none. */
const isMissing = (found: CallResult<unknown>) => isRefusedWith("REFUNDNOTEXIST", found);
/** How long a refund that is not accepted is tried (our choice). */
const patienceMs = 24 * 3_600_000;
const queryWithinMs = 3_000;

const hashOf = (amount: number | undefined, reason: string | undefined) =>
  hash("sha256", JSON.stringify([amount ?? null, reason ?? null]), "hex");

/**
 * Makes refunds. A missing answer is no refusal: query refund decides. A repeated call has the same number, so that one
 * request returns the money once. Callers must hold the order's mutex.
 *
 * A refund is `PROCESSING` and not accepted → accepted, when the provider has it → `SUCCESS`, `CLOSED` or `ABNORMAL`, by
 * query refund. One that is not accepted → `CLOSED`, when the provider refuses it, or after a day.
 */
export class Refunding {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * @throws HttpError 400 for more than the remaining amount, or another request under the same key; 403 for an order
   * that is not paid by query order, or a refusal of the provider; 503 when it is unknown whether the order is paid or
   * the refund was accepted
   */
  async refund(stored: Order, request: RefundCommand): Promise<StoredRefund> {
    const { settle, refunds, now } = this.#deps;
    const order = await settledOrder(settle, stored, "refund");
    const { key, input } = request;
    const requestHash = hashOf(input.amount, input.reason);
    const known = key === undefined ? undefined : await refunds.byKey(order.id, key);
    if (known && known.requestHash !== requestHash)
      throw refuse("idempotency.refund", { header: idempotencyKeyHeader }, { field: idempotencyKeyHeader });
    const earlier = known ?? (await this.#unfinishedTwin(order, requestHash, key));
    if (earlier?.accepted) return earlier;
    if (earlier?.status === "CLOSED") {
      const { code = "unknown", description = "" } = earlier.failure ?? {};
      throw refusedByProvider({ code, description });
    }
    const pending = earlier ?? (await startRefund(order, { ...request, requestHash }, { refunds, now }));
    if (!pending) return this.refund(order, request);
    const before = earlier ? [calling(earlier.outRefundNo, earlier.amount, "asked_by_client", now())] : [];
    const { refund, failure } = await this.#send(order, pending, before);
    if (failure) throw failure;
    return refund;
  }

  /** Queries the refund, and requests it again if the provider does not have it. Never rejects because of an answer. */
  async inquire(
    known: StoredRefund,
    order: Order,
    { why, before = [] }: { why: string; before?: readonly OrderEntry[] },
  ): Promise<RefundInquiry> {
    const entries = [...before];
    const found = await this.#query(known, order, { entries, why });
    if (found.outcome === "done")
      return { known: true, refund: await this.#follow(order, await this.#record(known, order, found.value, entries)) };
    if (known.status === "PROCESSING" && isMissing(found))
      return { known: true, refund: await this.#repeat(known, order, entries) };
    return { known: false, refund: await this.#keepOpen(known, found, entries) };
  }

  /** Without a key, a request with the same content continues a refund whose result is unknown. */
  async #unfinishedTwin(order: Order, requestHash: string, key: string | undefined) {
    if (key !== undefined) return undefined;
    const all = await this.#deps.refunds.ofOrder(order.id);
    return all.find((one) => !one.accepted && one.status === "PROCESSING" && one.requestHash === requestHash);
  }

  /**
   * Calls the provider, and once more when communication failed at once. Query refund decides about a refund that is not
   * accepted then: a refusal counts only where the provider does not have the refund. Otherwise the refund stays open,
   * with the failure.
   */
  async #send(order: Order, pending: StoredRefund, entries: OrderEntry[]): Promise<Sent> {
    let result = await this.#call(order, pending, entries);
    if (isWorthARepeat(result)) {
      entries.push(calling(pending.outRefundNo, pending.amount, "same_number_again", this.#deps.now()));
      result = await this.#call(order, pending, entries);
    }
    const accept = async (value: QueriedRefund) => ({
      refund: await this.#follow(order, await this.#record(pending, order, value, entries)),
    });
    if (result.outcome === "done") return accept(result.value);
    const found = await this.#query(pending, order, { entries, why: result.outcome });
    if (found.outcome === "done") return accept(found.value);
    if (result.outcome === "refused" && isMissing(found))
      return {
        refund: await this.#giveUp(pending, result, entries),
        failure: refusedByProvider(result, isTemporary(result.code) ? 503 : undefined),
      };
    const failed = result.outcome === "refused" && found.outcome === "unknown" ? found : result;
    return {
      refund: await this.#keepOpen(pending, failed, entries),
      failure: outcomeUnknown(failed, "unknown.refund"),
    };
  }

  /** Stores the failure and the next inquiry. A refund that has ended waits only for its order, and keeps no failure. */
  #keepOpen(open: StoredRefund, failed: Failed, entries: readonly OrderEntry[]) {
    const { refunds, now } = this.#deps;
    return refunds.change(
      open,
      { ...(open.status === "PROCESSING" && failureOf(failed)), next_query_at: nextInquiryAt(open, now()) },
      entries,
    );
  }

  async #call(order: Order, { outRefundNo, amount, reason }: StoredRefund, entries: OrderEntry[]) {
    const request = { outTradeNo: order.outTradeNo, outRefundNo, total: order.amount, amount, reason };
    const { provider, now } = this.#deps;
    const result = await provider.refund(request);
    entries.push(replyEntry("refund", result, { at: now(), text: message("history.refundAccepted") }));
    return result;
  }

  async #query(
    { outRefundNo }: StoredRefund,
    { outTradeNo }: Order,
    { entries, why }: { readonly entries: OrderEntry[]; readonly why: string },
  ) {
    const { provider, now } = this.#deps;
    entries.push(callEntry("refundquery", why, message("history.queryRefund", { outRefundNo }), now()));
    const result = await provider.queryRefund({ outTradeNo, outRefundNo }, queryWithinMs);
    const text = result.outcome === "done" ? message("history.refundState", { status: result.value.status }) : "";
    entries.push(replyEntry("refundquery", result, { at: now(), text }));
    return result;
  }

  /**
   * The first refund makes the order REFUND. The refund stays due, even when it has ended, until query order confirms
   * that; a failed query or a crash may come in between. A closed refund moved no money, so SUCCESS may be right then.
   */
  async #follow(order: Order, refund: StoredRefund): Promise<StoredRefund> {
    const { settle, refunds, provider } = this.#deps;
    if (order.tradeState !== "SUCCESS") return refund;
    const inquiry = await settle(order, { why: "refund_accepted" });
    const { status, nextQueryAt } = refund;
    const hasFollowed =
      inquiry.order.tradeState !== "SUCCESS" ||
      ((status === "CLOSED" || provider.keepsPaidAfterRefund) && inquiry.verdict === "already_settled");
    if (!hasFollowed || !isFinal(status) || nextQueryAt === undefined) return refund;
    return refunds.change(refund, { next_query_at: null }, []);
  }

  /** Stores the result of query refund, or of the acceptance. */
  async #record(known: StoredRefund, order: Order, claim: QueriedRefund, before: readonly OrderEntry[]) {
    const { now, refunds } = this.#deps;
    if (claim.amount !== known.amount) return this.#refuseAmount(known, order, claim.amount, before);
    const ended = claim.status !== "PROCESSING";
    const isNew = claim.status !== known.status || !known.accepted;
    const text = ended ? message("history.refundState", { status: claim.status }) : message("history.refundOnWay");
    return refunds.change(
      known,
      {
        accepted: 1,
        refund_id: claim.refundId,
        status: claim.status,
        next_query_at: isFinal(claim.status) && order.tradeState !== "SUCCESS" ? null : nextInquiryAt(known, now()),
        ...(ended && { finished_at: claim.succeededAt ?? known.finishedAt ?? now() }),
        err_code: null,
        err_text: null,
      },
      isNew ? [...before, decision("refund", ended ? "finished" : "accepted", text)] : [],
      (refund) => (isNew ? changeOf(refund, order) : undefined),
    );
  }

  async #refuseAmount(known: StoredRefund, order: Order, claimed: number, before: readonly OrderEntry[]) {
    const { now, refunds, bus } = this.#deps;
    const { id, outTradeNo, description: name } = order;
    const text = message("history.refundAmount", { claimed, asked: known.amount });
    const failure = { err_code: null, err_text: storedText(text) };
    const change = { ...failure, accepted: 1, next_query_at: nextInquiryAt(known, now()) } as const;
    const changed = await refunds.change(known, change, [...before, decision("refund", "amount_mismatch", text)]);
    const data = { order_id: id, out_trade_no: outTradeNo, name, reason: "amount_mismatch", text: inEnglish(text) };
    bus.publish({ type: "payment.refused", source: "/app/payments", subject: outTradeNo, data });
    return changed;
  }

  async #giveUp(pending: StoredRefund, refusal: Refused, before: readonly OrderEntry[]): Promise<StoredRefund> {
    const { now, refunds } = this.#deps;
    const { code } = refusal;
    if (isTemporary(code)) {
      const text = message("history.refundPostponed", { code });
      return this.#keepOpen(pending, refusal, [...before, decision("refund", "postponed", text)]);
    }
    const text = message("history.refundRefused", { code });
    const change = { ...failureOf(refusal), status: "CLOSED", next_query_at: null, finished_at: now() } as const;
    return refunds.change(pending, change, [...before, decision("refund", "refused", text)]);
  }

  /**
   * The provider does not have the refund, so its number may be used again. One that it had accepted, and has lost, is never
   * given up here: only its refusal shows that no money goes back.
   */
  async #repeat(known: StoredRefund, order: Order, entries: OrderEntry[]): Promise<StoredRefund> {
    if (!known.accepted && this.#deps.now() > known.createdAt + patienceMs)
      return this.#giveUp(known, { code: "GIVEN_UP", description: message("history.refundGivenUp") }, entries);
    entries.push(calling(known.outRefundNo, known.amount, "same_number_again", this.#deps.now()));
    return (await this.#send(order, { ...known, accepted: false }, entries)).refund;
  }
}

const changeOf = ({ amount, outRefundNo, status }: StoredRefund, order: Order): BusMessage => ({
  type: "refund.changed",
  source: "/app/payments",
  subject: order.outTradeNo,
  data: {
    ...{ order_id: order.id, out_trade_no: order.outTradeNo, name: order.description },
    ...{ out_refund_no: outRefundNo, amount, status },
  },
});

type Refused = Pick<Extract<CallResult<never>, { outcome: "refused" }>, "code" | "description">;
type Failed = Refused | Exclude<CallResult<never>, { outcome: "done" }>;
interface Sent {
  readonly refund: StoredRefund;
  readonly failure?: HttpError;
}

const failureOf = ({ code = undefined, description }: Failed) => ({
  err_code: code ?? null,
  err_text: storedText(description),
});
