import { storedText } from "../store/stored-text.ts";
import { message, type Message } from "../../../contract/messages/message.ts";
import { hash, randomUUID } from "node:crypto";
import { idempotencyKeyHeader, type OrderInput } from "../../../contract/app/payments.ts";
import { checkPrefix, internalNumbers } from "../../../contract/provider/internal-people.ts";
import type { BusMessage } from "../../../contract/console/traffic/events.ts";
import { refuse } from "../../../http/http-error.ts";
import { utf8Length, isStorableV3, maxDescriptionBytes } from "../../../payment-wire/text-v3.ts";
import type { KeyedMutex } from "./keyed-mutex.ts";
import { callEntry, decision, replyEntry, type MerchantCallName, type OrderEntry } from "../store/order-history.ts";
import type { Order } from "../store/order-rows.ts";
import type { OrderStore } from "../store/order-store.ts";
import type { CallResult, PaymentProvider, PlacedOrder, QueriedOrder } from "../provider/provider-client.ts";
import { nextInquiryAt } from "./reconcile-times.ts";
import { isWorthARepeat, outcomeUnknown, refusedByProvider } from "../provider/refusal-statuses.ts";
import { orderNamed } from "./order-view.ts";
import type { SettleOrder } from "./settle-order.ts";
import { isOpen } from "../store/trade-states.ts";

export interface OrderCommand {
  readonly userId: number;
  readonly key: string | undefined;
  readonly input: OrderInput;
  /** IP address of the client. */
  readonly clientIp: string;
}

interface Deps {
  readonly store: OrderStore;
  readonly provider: Pick<PaymentProvider, "version" | "placeOrder" | "payByCode">;
  readonly settle: SettleOrder;
  readonly mutex: KeyedMutex;
  /** The provider's id of this user; undefined without a login through the provider. */
  readonly openidOf: (userId: number) => Promise<string | undefined>;
  readonly isConsole: (openid: string) => Promise<boolean>;
  readonly now: () => number;
}

/** How long an order can be paid, as long as its prepay id is valid (our choice). */
const payableMs = 2 * 3_600_000;

/** The provider's link to its mobile page is valid for five minutes; a repeat after this time gets another one. */
const linkValidMs = 4 * 60_000;

/** Equal requests have equal hashes; the payment code itself is not stored. */
const hashOf = ({ description, amount, trade_type, auth_code }: OrderInput) =>
  hash("sha256", JSON.stringify([description, amount, trade_type, auth_code ?? null]), "hex");

const badDescription = (problem: Message) =>
  refuse("problem.is", { subject: "description", problem }, { details: [{ field: "description", problem }] });

/** @throws HttpError 400 for a text that version 3 of the payment API refuses */
function checkDescriptionV3(description: string): void {
  const bytes = utf8Length(description);
  if (bytes > maxDescriptionBytes) throw badDescription(message("is.manyBytes", { most: maxDescriptionBytes, bytes }));
  if (!isStorableV3(description)) throw badDescription(message("is.fourBytes"));
}

const numberLength = 31;

/**
 * Unique. The time comes first, so that new numbers are neighbours in every index, here and at the provider; scattered
 * ones took half of the time of all writes.
 * @param at Unix ms
 * @param prefix see internalNumbers
 */
const newOutTradeNo = (at: number, prefix = "H") =>
  (prefix + at.toString(16).padStart(12, "0") + randomUUID().replaceAll("-", "")).slice(0, numberLength).toUpperCase();

/**
 * Places orders by unified order, or by the payment by code for MICROPAY. Repeats of a request yield the same order.
 */
export class OrderPlacer {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * @throws HttpError 400 for another request under the same key, or a refusal of the provider; 503 when it is unknown
   * whether the order was placed
   * @param onNumber called with the order's number before the provider is asked
   */
  async place(request: OrderCommand, onNumber: (outTradeNo: string) => void): Promise<Order> {
    const { store, mutex } = this.#deps;
    const { userId, key } = request;
    const requestHash = hashOf(request.input);
    const known = key === undefined ? undefined : await store.byKey(userId, key);
    const created = known ? undefined : await this.#create(request, requestHash);
    const order = known ?? created ?? (await store.byKey(userId, key ?? ""));
    if (!order) throw new Error("an order disappeared during its creation");
    onNumber(order.outTradeNo);
    if (order.requestHash !== requestHash)
      throw refuse("idempotency.order", { header: idempotencyKeyHeader }, { field: idempotencyKeyHeader });
    // Nobody else can have an order that was just created without a key. By its key, another instance may have placed it.
    const isOurs = created !== undefined && key === undefined;
    return mutex.run(order.outTradeNo, async () =>
      this.#send(isOurs ? created : await store.current(order.outTradeNo), request),
    );
  }

  async #create({ userId, key, input, clientIp }: OrderCommand, requestHash: string) {
    const { store, provider, now } = this.#deps;
    if (provider.version === "v3") checkDescriptionV3(input.description);
    const at = now();
    const { trade_type: tradeType, description, amount } = input;
    const expiresAt = Math.floor((at + payableMs) / 1000) * 1000; // the provider takes whole seconds
    const outTradeNo = newOutTradeNo(at, await this.#internalPrefix(userId, key));
    const order = {
      ...{ userId, outTradeNo, tradeType, description, amount, clientIp, expiresAt },
      ...{ idempotencyKey: key, requestHash, nextQueryAt: nextInquiryAt({ tradeType, createdAt: at, expiresAt }, at) },
    };
    return store.create(order, [calling(order, at)]);
  }

  /** Undefined for an order that is not internal. */
  async #internalPrefix(userId: number, key = ""): Promise<string | undefined> {
    if (key.startsWith(checkPrefix)) return internalNumbers.check;
    const openid = await this.#deps.openidOf(userId);
    return openid !== undefined && (await this.#deps.isConsole(openid)) ? internalNumbers.console : undefined;
  }

  /** Places an order at the provider, unless that has been done. */
  async #send(order: Order, { input }: OrderCommand): Promise<Order> {
    if (order.placement === "placed" || order.transactionId !== undefined) return this.#withValidLink(order);
    if (order.placement === "refused") throw refusedByProvider(order.refusal ?? { code: "unknown", description: "" });
    // An order that is placed after its end could be paid at the provider, and would stay closed here.
    if (!isOpen(order.tradeState)) return order;
    const entries = order.placement === "unknown" ? [calling(order, this.#deps.now())] : [];
    return input.trade_type === "MICROPAY"
      ? this.#payByCode(order, input.auth_code ?? "", entries)
      : this.#prepay(order, input.trade_type, entries);
  }

  /**
   * The provider answers the same order again, with a new link. Whatever else it says, the order stays as it is, with
   * the signature type of its first request.
   */
  async #withValidLink(order: Order): Promise<Order> {
    const { store, provider, now } = this.#deps;
    const { tradeType, tradeState, createdAt, expiresAt } = order;
    const isValid = now() < createdAt + linkValidMs;
    if (tradeType !== "MWEB" || tradeState !== "NOTPAY" || isValid || expiresAt <= now()) return order;
    const call = calling(order, now());
    const result = await provider.placeOrder({ ...order, tradeType, openid: undefined });
    const entries = [call, replyEntry("unifiedorder", result, { at: now(), text: message("history.newLink") })];
    if (result.outcome !== "done") return store.change(order.outTradeNo, {}, entries);
    const placed: PlacedOrder = { ...result.value, signType: order.placed?.signType ?? result.value.signType };
    return store.change(order.outTradeNo, { placed: JSON.stringify(placed) }, entries);
  }

  async #prepay(order: Order, tradeType: Exclude<OrderInput["trade_type"], "MICROPAY">, entries: OrderEntry[]) {
    const { store, provider, openidOf, now } = this.#deps;
    const openid = tradeType === "JSAPI" ? await openidOf(order.userId) : undefined;
    if (tradeType === "JSAPI" && openid === undefined) throw refuse("pay.noPayer");
    const call = async () => {
      const result = await provider.placeOrder({ ...order, tradeType, openid });
      entries.push(replyEntry("unifiedorder", result, { at: now(), text: message("history.placed") }));
      return result;
    };
    let result = await call();
    if (isWorthARepeat(result)) {
      entries.push(calling(order, now()));
      result = await call();
    }
    if (result.outcome === "done") return store.markPlaced(order, result.value, entries, placementOf);
    if (result.outcome === "refused") return this.#refuse(order, result, entries);
    await store.change(order.outTradeNo, { placement: "unknown" }, entries, failureOf("unknown", result.code));
    throw outcomeUnknown(result, "unknown.placed", { location: pathOfOrder(order) });
  }

  /**
   * A signed failure ends the order only if the provider does not have it: this may be a repeat of a call that
   * succeeded.
   */
  async #refuse(order: Order, refusal: Refused, before: readonly OrderEntry[]): Promise<Order> {
    const { store, settle } = this.#deps;
    const { verdict } = await settle(order, { why: "refused", before });
    if (verdict === "settled" || verdict === "already_settled" || verdict === "recorded")
      return store.change(order.outTradeNo, { placement: "placed" }, []);
    const change = {
      placement: "refused",
      err_code: refusal.code,
      err_text: storedText(refusal.description),
    } as const;
    const entries = [decision("place", "refused", message("history.notPlaced", { code: refusal.code }))];
    const eventOf = failureOf("refused", refusal.code);
    if (verdict === "not_found")
      await store.changeState(order.outTradeNo, "CLOSED", { ...change, next_query_at: null }, entries, eventOf);
    else await store.change(order.outTradeNo, change, entries, eventOf);
    throw refusedByProvider(refusal);
  }

  /** No reply of this call is final, not even a success: query order follows in any case. */
  async #payByCode(order: Order, authCode: string, before: OrderEntry[]): Promise<Order> {
    const { store, provider, settle, now } = this.#deps;
    const result = await provider.payByCode({ ...order, authCode });
    const entries = [...before, replyEntry("micropay", result, { at: now(), text: message("history.paid") })];
    if (result.outcome === "refused") return this.#refuse(order, result, entries);
    const inquiry = await settle(order, { why: "payment_by_code", before: entries });
    if (inquiry.verdict === "not_found" || inquiry.verdict === "query_failed") {
      const failed = result.outcome === "unknown" ? result : inquiry.failed;
      await store.change(order.outTradeNo, { placement: "unknown" }, [], failureOf("unknown", failed.code));
      throw outcomeUnknown(failed, "unknown.buyer", { location: pathOfOrder(order) });
    }
    return store.change(order.outTradeNo, { placement: "placed" }, [], placementOf);
  }
}

const placementOf = (order: Order): BusMessage => ({
  type: "order.placed",
  ...eventAbout(order),
  data: { ...orderNamed(order), trade_type: order.tradeType },
});

const failureOf =
  (placement: "refused" | "unknown", code: string | undefined) =>
  (order: Order): BusMessage => ({
    type: "order.not_placed",
    ...eventAbout(order),
    data: { ...orderNamed(order), placement, ...(code !== undefined && { code }) },
  });

const eventAbout = ({ outTradeNo }: Order) => ({ source: "/app/payments", subject: outTradeNo });

type Refused = Extract<CallResult<PlacedOrder | QueriedOrder>, { outcome: "refused" }>;

export const pathOfOrder = ({ id }: Pick<Order, "id">) => `/api/orders/${String(id)}`;

function calling({ tradeType, amount }: Pick<Order, "tradeType" | "amount">, at: number): OrderEntry {
  const name: MerchantCallName = tradeType === "MICROPAY" ? "micropay" : "unifiedorder";
  return callEntry(name, "placed_by_client", message("history.place", { amount, tradeType }), at);
}
