/** Notifications that faults send on their own: forged, held and repeated ones. */
import type { Logger } from "pino";
import { longestPauseMs } from "../../../contract/provider/sim-fault-parts.ts";
import { isWaiting } from "../../../store/waits.ts";
import { createAgenda } from "../agenda.ts";
import type { Ledger, LedgerChange, Order } from "../ledger/ledger.ts";
import type { OrderName } from "./code-payments.ts";
import { asPaid } from "./false-orders.ts";
import type { ActiveFault, FaultStore } from "./fault-store.ts";
import type { FaultedOrder, FaultedOrders } from "./faulted-orders.ts";
import { genuineDelivery, type DueNotification, type NotificationSender } from "./notification-faults.ts";
import { holdSteps, isHold, toRepeat } from "./plan-notifications.ts";

interface Deps {
  readonly store: FaultStore;
  readonly orders: FaultedOrders;
  readonly ledger: Pick<Ledger, "find" | "refunds" | "subscribe">;
  readonly sender: () => NotificationSender;
  readonly log: Logger;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly wakeAt: (due: number, run: () => void) => () => void;
}

export interface UnscheduledNotifications {
  /** Sends the notifications that were held until a query. */
  queried(order: OrderName): void;
  /** Sends a notification that waits. Settles once it is known to be under way, which the next start goes on with. */
  release(row: FaultedOrder): Promise<void>;
  /** Sends it at its due time. */
  heldUntil(row: FaultedOrder): void;
  /** Schedules exactly what is still pending. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** The step of an order about which a forged notification is to be sent. */
const toForge = "forge";

/**
 * Longer than a receiver may take to answer, and no longer than `longestPauseMs`. What has not been sent by then is sent by
 * whoever looks at it next.
 */
const takenForMs = 120_000;

/** How a correct receiver answers a false notification that the order is paid. */
export const expectedOfForgery = ({ tradeState }: Order): "refuse" | "either" | "accept" => {
  if (tradeState === "NOTPAY" || tradeState === "USERPAYING") return "refuse";
  // Closed, reversed or failed for good: nothing is expected any more, so receivers may accept or refuse.
  return tradeState === "SUCCESS" || tradeState === "REFUND" ? "accept" : "either";
};

export function createUnscheduledNotifications(deps: Deps): UnscheduledNotifications {
  const { store, orders, ledger, sender, log, now, wakeAt } = deps;
  const underWay = new Set<Promise<void>>();
  const agenda = createAgenda<FaultedOrder>({ wakeAt, run: (row) => run(release(row)) });
  let stopListening = (): void => undefined;
  let closed = false;

  function run(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => {
        if (!closed) log.error({ err: error }, "a notification could not be sent out of turn");
      })
      .finally(() => underWay.delete(done));
    underWay.add(done);
  }

  async function send(due: DueNotification | undefined, faultId: number, forgedOf?: Order): Promise<void> {
    const fault = store.byId(faultId);
    if (!due || !fault) return;
    const faults = [{ id: faultId, kind: fault.input.kind }];
    const forgery = forgedOf && { genuine: false, expected: expectedOfForgery(forgedOf) };
    await sender().deliver(due, [{ ...genuineDelivery(due), ...forgery, faults }]);
  }

  async function forge(faultId: number, name: OrderName): Promise<void> {
    const order = await ledger.find(name);
    if (order) await send(await sender().compose(asPaid(order, now())), faultId, order);
  }

  async function release(row: FaultedOrder): Promise<void> {
    const taken = { ...row, dueAt: now() + takenForMs };
    await orElseLater(taken, async () => {
      if (await orders.take(row, taken.dueAt)) run(orElseLater(taken, () => sendTaken(taken)));
    });
  }

  async function orElseLater(row: FaultedOrder & { dueAt: number }, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!closed) agenda.add(row.dueAt, row);
      throw error;
    }
  }

  async function sendTaken(row: FaultedOrder): Promise<void> {
    await sendPending(row);
    await orders.end(row);
  }

  async function sendPending(row: FaultedOrder): Promise<void> {
    if (row.step === toForge) return forge(row.faultId, row);
    const order = await ledger.find(row);
    if (!order) return;
    const [refund] = row.refundId === "" || row.step === toRepeat ? [] : await ledger.refunds(row);
    await send(await sender().compose(order, refund), row.faultId);
  }

  async function hit(fault: Pick<ActiveFault, "id">, { mchId, outTradeNo }: Order, afterMs: number): Promise<void> {
    if (!store.hit(fault)) return;
    await store.saved();
    const row = { faultId: fault.id, mchId, outTradeNo, refundId: "", count: 0, step: toForge, dueAt: now() + afterMs };
    // Stored also where it is due at once: what is to be sent outlives an outage.
    await orders.begin(row, row);
    if (!closed) agenda.add(row.dueAt, row);
  }

  function onChange(change: LedgerChange): void {
    if (store.isEmpty() || change.kind !== "order") return;
    const { order, from } = change;
    if (from === undefined && order.tradeState === "NOTPAY")
      for (const fault of store.of(["forged_success"], order)) run(hit(fault, order, fault.input.params.after_ms));
    if (order.tradeState === "CLOSED" && from === "NOTPAY")
      for (const fault of store.of(["notification_order"], order))
        if (fault.input.params.how === "payment_after_close") run(hit(fault, order, 0));
  }

  async function releaseAfterQuery(order: OrderName): Promise<void> {
    for (const row of await orders.of(order)) if (row.step === holdSteps.queried) await releaseFree(row);
  }

  /** A held one whose sending is under way is left to who sends it. */
  async function releaseFree(row: FaultedOrder): Promise<void> {
    if (row.dueAt === undefined || !isWaiting(row.dueAt, takenForMs, now())) await release(row);
  }

  /** An order ends when it ends, wherever the clock was put; nothing else waits longer than it would have at first. */
  const nextTimeOf = ({ step, dueAt = now() }: FaultedOrder) =>
    step === holdSteps.expired || isWaiting(dueAt, longestPauseMs, now()) ? dueAt : now();

  return {
    queried: (order) => run(releaseAfterQuery(order)),
    release: releaseFree,
    heldUntil: (row) => agenda.add(row.dueAt ?? now(), row),
    async start() {
      agenda.clear();
      stopListening();
      stopListening = ledger.subscribe(onChange);
      for (const row of await orders.due())
        if (row.step === toForge || row.step === toRepeat || isHold(row)) agenda.add(nextTimeOf(row), row);
    },
    async close() {
      closed = true;
      stopListening();
      agenda.clear();
      await Promise.allSettled([...underWay]);
    },
  };
}
