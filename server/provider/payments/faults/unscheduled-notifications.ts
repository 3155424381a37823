import type { Logger } from "pino";
import { longestPauseMs } from "../../../contract/provider/sim-fault-parts.ts";
import { isWaiting } from "../../../store/waits.ts";
import type { AdjustableClock } from "../../../time/adjustable-clock.ts";
import { Agenda } from "../agenda.ts";
import { BackgroundWork } from "../background-work.ts";
import type { Ledger, LedgerChange, Order } from "../ledger/ledger.ts";
import type { OrderName } from "./code-payments.ts";
import { asPaid } from "./false-orders.ts";
import type { ActiveFault, FaultStore } from "./fault-store.ts";
import { holdSteps, isHold, toRepeat, type FaultedOrder, type FaultedOrders } from "./faulted-orders.ts";
import { genuineDelivery, type DueNotification, type NotificationSender } from "./notification-faults.ts";

interface Deps extends Pick<AdjustableClock, "now" | "wakeAt"> {
  readonly store: FaultStore;
  readonly orders: FaultedOrders;
  readonly ledger: Pick<Ledger, "find" | "refunds" | "subscribe">;
  readonly sender: () => NotificationSender;
  readonly log: Logger;
}

/** The step of an order about which a forged notification is to be sent. */
const toForge = "forge";

/**
 * Longer than a receiver may take to answer, and no longer than `longestPauseMs`. A notification that has not been sent by
 * then is free for the next instance that looks at it.
 */
const takenForMs = 120_000;

/** How a correct receiver answers a false notification that the order is paid. */
export const expectedOfForgery = ({ tradeState }: Order): "refuse" | "either" | "accept" => {
  if (tradeState === "NOTPAY" || tradeState === "USERPAYING") return "refuse";
  // Closed, reversed or failed for good: nothing is expected any more, so receivers may accept or refuse.
  return tradeState === "SUCCESS" || tradeState === "REFUND" ? "accept" : "either";
};

/**
 * Notifications that faults send on their own: forged, held and repeated ones. Each is a stored step of an order, which
 * survives a restart: waiting, taken (its due time is in the near future while it is sent), ended.
 */
export class UnscheduledNotifications {
  readonly #deps: Deps;
  readonly #work: BackgroundWork;
  readonly #agenda: Agenda<FaultedOrder>;
  #unsubscribe = (): void => undefined;
  #closed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#work = new BackgroundWork({
      onError: (error) => {
        if (!this.#closed) deps.log.error({ err: error }, "an extra notification could not be sent");
      },
    });
    this.#agenda = new Agenda({ wakeAt: deps.wakeAt, run: (row) => this.#work.run(this.#take(row)) });
  }

  /** Schedules exactly what is still pending. */
  async start(): Promise<void> {
    this.#agenda.clear();
    this.#unsubscribe();
    this.#unsubscribe = this.#deps.ledger.subscribe((change) => this.#onChange(change));
    for (const row of await this.#deps.orders.due())
      if (row.step === toForge || row.step === toRepeat || isHold(row))
        this.#agenda.add(this.#nextTimeOf(row), row, row.causedBy);
  }

  /** Sends the notifications that were held until a query. */
  queried(order: OrderName): void {
    this.#work.run(this.#releaseAfterQuery(order));
  }

  /** Sends a waiting notification. Settles once it is taken, so that a restart sends it; one that is taken is skipped. */
  async release(row: FaultedOrder): Promise<void> {
    if (row.dueAt === undefined || !isWaiting(row.dueAt, takenForMs, this.#deps.now())) await this.#take(row);
  }

  /** Sends it at its due time. */
  heldUntil(row: FaultedOrder): void {
    this.#agenda.add(row.dueAt ?? this.#deps.now(), row);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe();
    this.#agenda.clear();
    await this.#work.wait();
  }

  #onChange(change: LedgerChange): void {
    const { store } = this.#deps;
    if (store.isEmpty() || change.kind !== "order") return;
    const { order, from } = change;
    if (from === undefined && order.tradeState === "NOTPAY")
      for (const fault of store.of(["forged_success"], order))
        this.#work.run(this.#forgeAfter(fault, order, fault.input.params.after_ms));
    if (order.tradeState === "CLOSED" && from === "NOTPAY")
      for (const fault of store.of(["notification_order"], order))
        if (fault.input.params.how === "payment_after_close") this.#work.run(this.#forgeAfter(fault, order, 0));
  }

  async #forgeAfter(fault: Pick<ActiveFault, "id">, { mchId, outTradeNo }: Order, afterMs: number): Promise<void> {
    const { store, orders, now } = this.#deps;
    if (!store.hit(fault)) return;
    await store.saved();
    const row = { faultId: fault.id, mchId, outTradeNo, refundId: "", count: 0, step: toForge, dueAt: now() + afterMs };
    // Stored even if it is due at once, so that it outlives an outage.
    await orders.begin(row, row);
    if (!this.#closed) this.#agenda.add(row.dueAt, row);
  }

  async #releaseAfterQuery(order: OrderName): Promise<void> {
    for (const row of await this.#deps.orders.of(order)) if (row.step === holdSteps.queried) await this.release(row);
  }

  async #take(row: FaultedOrder): Promise<void> {
    const { orders, now } = this.#deps;
    const taken = { ...row, dueAt: now() + takenForMs };
    await this.#orRetry(taken, async () => {
      if (await orders.take(row, taken.dueAt)) this.#work.run(this.#orRetry(taken, () => this.#sendTaken(taken)));
    });
  }

  async #orRetry(row: FaultedOrder & { dueAt: number }, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#closed) this.#agenda.add(row.dueAt, row);
      throw error;
    }
  }

  async #sendTaken(row: FaultedOrder): Promise<void> {
    const order = await this.#deps.ledger.find(row);
    if (order) await (row.step === toForge ? this.#forge(row, order) : this.#sendHeld(row, order));
    await this.#deps.orders.end(row);
  }

  async #forge({ faultId }: FaultedOrder, order: Order): Promise<void> {
    const { sender, now } = this.#deps;
    await this.#send(await sender().compose(asPaid(order, now())), faultId, order);
  }

  async #sendHeld(row: FaultedOrder, order: Order): Promise<void> {
    const { sender, ledger } = this.#deps;
    const [refund] = row.refundId === "" || row.step === toRepeat ? [] : await ledger.refunds(row);
    await this.#send(await sender().compose(order, refund), row.faultId);
  }

  async #send(due: DueNotification | undefined, faultId: number, forgedOf?: Order): Promise<void> {
    const { store, sender } = this.#deps;
    const fault = store.byId(faultId);
    if (!due || !fault) return;
    const faults = [{ id: faultId, kind: fault.input.kind }];
    const forgery = forgedOf && { genuine: false, expected: expectedOfForgery(forgedOf) };
    await sender().deliver(due, [{ ...genuineDelivery(due), ...forgery, faults }]);
  }

  /** The end of an order's time does not move with the clock; nothing else waits longer than it would have at first. */
  #nextTimeOf({ step, dueAt }: FaultedOrder): number {
    const at = this.#deps.now();
    if (dueAt === undefined) return at;
    return step === holdSteps.expired || isWaiting(dueAt, longestPauseMs, at) ? dueAt : at;
  }
}
