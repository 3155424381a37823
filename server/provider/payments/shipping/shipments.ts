import type { Transaction } from "kysely";
import type { Logger } from "pino";
import { isDeepStrictEqual } from "node:util";
import type { AdjustableClock } from "../../../time/adjustable-clock.ts";
import { Agenda } from "../agenda.ts";
import { BackgroundWork } from "../background-work.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { HeldMoney } from "../held-money.ts";
import type { MessagePusher } from "../message-push/message-pusher.ts";
import type { PushEvent } from "../message-push/push-events.ts";
import { subMerchantIdOf, type ShipmentStore, type ShipmentTables, type ShippableOrder } from "./shipment-store.ts";
import {
  packagesAfter,
  parcelProblem,
  rfc3339,
  toStored,
  type OrderNumbers,
  type Parcel,
  type RefusePlatform,
  type StoredPackage,
} from "./shipping-input.ts";
import { settlementEvent, shippingReminder } from "./shipping-events.ts";

const dayMs = 86_400_000;
/** Days until goods count as received: sent by express, or else (our choice). */
const receiveAfterDays = { express: 10, other: 2 } as const;
/** Time between receipt and settlement (our choice). */
const settleAfterMs = dayMs;

type Trx = Transaction<ShipmentTables>;

interface Deps extends Pick<AdjustableClock, "now" | "wakeAt"> {
  readonly store: ShipmentStore;
  readonly ledger: Pick<Ledger, "subscribe">;
  readonly pusher: Pick<MessagePusher, "store" | "send">;
  /** The merchant gets an order's money. */
  readonly settle: HeldMoney["settle"];
  readonly refuse: RefusePlatform;
  readonly log: Logger;
}

interface Upload {
  readonly openid: string;
  /** RFC 3339. */
  readonly uploadTime: string;
}

/**
 * The shipping of paid orders: 1 to ship → 2 shipped, once all packages are sent → 3 received, by the buyer or after some
 * days → 4 completed, when the merchant gets the money. A full refund makes it 5 at any time. Packages of a shipped order
 * may be replaced once.
 */
export class Shipments {
  readonly #deps: Deps;
  readonly #work: BackgroundWork;
  readonly #agenda: Agenda<number>;
  #unsubscribe = (): void => undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#work = new BackgroundWork({
      onError: (error) => deps.log.error({ err: error }, "a shipment was not changed"),
    });
    this.#agenda = new Agenda<number>({ wakeAt: deps.wakeAt, run: (orderId) => this.#work.run(this.#lapse(orderId)) });
  }

  async start(): Promise<void> {
    this.#unsubscribe = this.#deps.ledger.subscribe((change) => {
      const { order } = change;
      if (change.kind === "refund" && change.refund.status === "CLOSED") this.#work.run(this.resume());
      if (change.kind === "order" && order.tradeState === "SUCCESS" && order.tradeType === "JSAPI")
        this.#work.run(this.#planNew(order.id));
    });
    await this.resume();
  }

  /** Plans what waits, after other code has written it. */
  async resume(): Promise<void> {
    const { store, now } = this.#deps;
    await store.resumeRefunded(now());
    this.#agenda.clear();
    for (const { order_id, due_at } of await store.waiting()) this.#agenda.add(due_at, order_id);
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    this.#agenda.clear();
    await this.#work.wait();
  }

  /** Applies what is due, so that no query returns an earlier state. */
  async upToDate(): Promise<void> {
    await this.#work.wait();
    this.#agenda.runDue(this.#deps.now());
    await this.#work.wait();
  }

  /** @throws the platform's refusal of an unknown order */
  async find(key: OrderNumbers): Promise<ShippableOrder> {
    await this.upToDate();
    const order = await this.#deps.store.find(key);
    const isOfSub = key.sub_merchant_id === "" || (order && subMerchantIdOf(order)) === key.sub_merchant_id;
    if (!order || !isOfSub) throw this.#deps.refuse(10060001);
    return order;
  }

  /** Checks all parcels before it stores one. @throws the platform's refusal */
  async upload(parcels: readonly Parcel[], { openid, uploadTime }: Upload): Promise<void> {
    const { refuse } = this.#deps;
    const at = rfc3339(uploadTime);
    const changes = [];
    for (const parcel of parcels) {
      const problem = parcelProblem(parcel);
      if (problem !== undefined) throw refuse(problem);
      if (at === undefined) throw refuse(268485216);
      const order = await this.find(numbersOf(parcel));
      if (openid !== order.openid) throw refuse(10060031);
      changes.push({ order, parcel, packages: this.#packages(order, parcel, at) });
    }
    for (const { order, parcel, packages } of changes) await this.#ship(order, parcel, packages, at ?? 0);
  }

  /** Reminds the buyer to confirm the receipt. @param receivedTime Unix seconds @throws the platform's refusal */
  async remind(key: OrderNumbers, receivedTime: number): Promise<void> {
    const { refuse, store, now } = this.#deps;
    const { id, order_state, shipment } = await this.find(key);
    if (order_state !== 2) throw refuse(10060028);
    if (shipment.logistics_type !== 1) throw refuse(10060032);
    if (receivedTime * 1000 < Math.floor((shipment.shipped_at ?? 0) / 1000) * 1000) throw refuse(10060029);
    if (shipment.reminded_at !== null) throw refuse(10060030);
    await store.change(id, { reminded_at: now() });
  }

  /** The buyer confirms the receipt; false: the order is not shipped. */
  async receive(order: ShippableOrder): Promise<boolean> {
    if (order.order_state !== 2) return false;
    await this.#receive(order.id, 2);
    return true;
  }

  /** Moves the reminder of an order that is sold in advance, or stops it for a test order. */
  async delay({ id }: ShippableOrder, until: number | null): Promise<void> {
    await this.#plan(id, until);
  }

  /** The packages after an upload. @throws the platform's refusal where the order or the time forbids it */
  #packages(order: ShippableOrder, { shipping_list }: Parcel, at: number): StoredPackage[] {
    const { refuse } = this.#deps;
    const { order_state, shipment } = order;
    if (order_state === 3 || order_state === 4) throw refuse(10060002);
    if (order_state === 5) throw refuse(10060004);
    if (shipment.finished === 2) throw refuse(10060003);
    const before = JSON.parse(shipment.packages) as StoredPackage[];
    const added = shipping_list.map((one) => toStored(one, at));
    if ((shipment.uploaded_at ?? -Infinity) >= at || isDeepStrictEqual(before, added)) throw refuse(10060023);
    const packages = packagesAfter(before, added, shipment.finished > 0);
    if (packages.length > 15) throw refuse(10060024);
    return packages;
  }

  async #ship(order: ShippableOrder, parcel: Parcel, packages: readonly StoredPackage[], at: number): Promise<void> {
    const { store, now } = this.#deps;
    const { logistics_type, delivery_mode, is_all_delivered } = parcel;
    const isFinished = delivery_mode === 1 || is_all_delivered === true;
    const change = { logistics_type, delivery_mode, packages: JSON.stringify(packages), uploaded_at: at };
    if (!isFinished) return store.change(order.id, change);
    const days = logistics_type === 1 ? receiveAfterDays.express : receiveAfterDays.other;
    const due_at = now() + days * dayMs;
    const shipped = { ...change, shipped_at: now(), finished: order.shipment.finished + 1, due_at };
    await this.#pushing(async (trx) => {
      await store.change(order.id, shipped, trx);
      return this.#settlement(order.id, trx, due_at + settleAfterMs);
    });
    this.#agenda.add(due_at, order.id);
  }

  /** Makes changes in a transaction, with the event that they return. */
  async #pushing(change: (trx: Trx) => Promise<PushEvent | undefined>): Promise<void> {
    const { store, pusher } = this.#deps;
    const id = await store.transaction(async (trx) => {
      const event = await change(trx);
      return event && (await pusher.store(event, trx));
    });
    if (id !== undefined) pusher.send(id);
  }

  async #receive(orderId: number, receive_method: 1 | 2, trx?: Trx): Promise<void> {
    const { store, now } = this.#deps;
    const due_at = now() + settleAfterMs;
    await store.change(orderId, { received_at: now(), receive_method, due_at }, trx);
    this.#agenda.add(due_at, orderId);
  }

  async #planNew(orderId: number): Promise<void> {
    const due = await this.#deps.store.dueOf(orderId);
    if (due !== undefined) this.#agenda.add(due, orderId);
  }

  async #plan(orderId: number, due: number | null): Promise<void> {
    await this.#deps.store.change(orderId, { due_at: due });
    if (due !== null) this.#agenda.add(due, orderId);
  }

  /** Makes the change that is due by time. */
  async #lapse(orderId: number): Promise<void> {
    const { store, now, settle } = this.#deps;
    const hasShipped = await store.hasShipped();
    await this.#pushing(async (trx) => {
      if (!(await store.claim(orderId, now(), trx))) return undefined;
      const order = await store.find({ id: orderId }, trx);
      if (order?.order_state === 1 && hasShipped) return shippingReminder(order);
      if (order?.order_state === 2) await this.#receive(orderId, 1, trx);
      if (order?.order_state !== 3) return undefined;
      await store.change(orderId, { settled_at: now() }, trx);
      if (order.shipment.managed === 1) await settle(orderId, trx);
      return this.#settlement(orderId, trx);
    });
  }

  /** The event that an order is going to be settled (`estimatedAt`), or has been settled. */
  async #settlement(orderId: number, trx: Trx, estimatedAt?: number): Promise<PushEvent | undefined> {
    const order = await this.#deps.store.find({ id: orderId }, trx);
    return order && settlementEvent(order, estimatedAt);
  }
}

const numbersOf = ({ order_key }: Parcel): OrderNumbers => ({
  transaction_id: order_key.order_number_type === 2 ? order_key.transaction_id : "",
  merchant_id: order_key.mchid,
  sub_merchant_id: "",
  merchant_trade_no: order_key.out_trade_no,
});
