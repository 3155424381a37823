/**
 * Notifies merchants of payments and refunds, and retries on the schedule until they accept. Pending notifications are
 * stored in the database, so that a restart continues where the last run ended; one timer is set for the next due one.
 * The notifier does not know the faults: it passes each delivery to a port, and makes those that come back.
 */
import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type { SimPaymentSettings } from "../../../contract/provider/provider.ts";
import { askerKept } from "../../../http/outgoing/asker.ts";
import {
  type DeliveryResult,
  type DueNotification,
  type NotificationContent,
  type NotificationFaults,
  type NotificationKeys,
  type NotificationSender,
  type PlannedDelivery,
} from "../faults/notification-faults.ts";
import type { Ledger, LedgerChange, Order, Refund } from "../ledger/ledger.ts";
import type { Deliveries } from "./deliveries.ts";
import { contentOf } from "./notification-content.ts";
import type { NotificationStore, NotificationSubject } from "./notification-store.ts";
import type { NotificationRow } from "./notification-tables.ts";
import type { NotificationWrites } from "./notification-writes.ts";
import { newNotification, notifiedBy, urlOf, type Subject } from "./notification-subject.ts";
import { nextDelivery, rescheduled } from "./retry-schedule.ts";
import { writeNotification } from "./write-notification.ts";

export interface NotifierDeps {
  readonly store: NotificationStore;
  readonly writes: NotificationWrites;
  readonly ledger: Ledger;
  readonly deliveries: Deliveries;
  readonly faults: NotificationFaults;
  /** Undefined for a merchant that no longer exists. */
  readonly keysOf: (order: Order, refund?: Refund) => Promise<NotificationKeys | undefined>;
  readonly settings: () => Pick<SimPaymentSettings, "timeScale" | "notification_sign_type">;
  readonly log: Logger;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly wakeAt: (due: number, run: () => void) => () => void;
}

export interface Notifier extends NotificationSender {
  /** Resumes what an earlier run left, and subscribes to new payments. */
  start(): Promise<void>;
  /**
   * Sends a notification again, now. If it waits for a retry, this counts as the retry. Undefined if it is being
   * delivered or does not exist.
   */
  sendAgain(id: number): Promise<readonly DeliveryResult[] | undefined>;
  /** Applies the current timeScale, also to pending notifications. */
  reschedule(): Promise<void>;
  /** Waits for deliveries in progress, but for no receiver that is slow. */
  settle(): Promise<void>;
  /** Reads the stored notifications again after other code has written them. */
  reload(): Promise<void>;
  /** Takes up what instances that have ended left, and what was interrupted while the database was away. */
  resume(): Promise<void>;
  /** Aborts deliveries in progress; the next run sends them again. */
  close(): Promise<void>;
}

/** The schedule's length: older notifications would have been given up. */
const scheduleMs = 86_700_000;
/** Longer than a database is likely to be away. */
const lateMs = 3_600_000;

/** How long deliveries in progress may hold a reset up. */
const settleMs = 1_000;
/** A pause before the database is asked again for what is due. */
const againAfterMs = 10_000;

/** The rest waits: a receiver that hangs must not exhaust the memory. */
const maxUnderWay = 256;

const isAccepted = (results: readonly DeliveryResult[], planned: readonly PlannedDelivery[]) =>
  results.some((one, at) => one.accepted && planned[at]?.genuine);

export function createNotifier(deps: NotifierDeps): Notifier {
  const { store, writes, ledger, deliveries, faults, keysOf, settings, log, now, wakeAt } = deps;
  const underWay = new Set<Promise<unknown>>();
  /** Ids of pending notifications. */
  const delivering = new Set<number>();
  let closed = false;
  /** Whether a due notification found no free place. */
  let backlog = false;
  let stopListening = (): void => undefined;
  let alarm: { due: number; stop: () => void } | undefined;

  function wakeBy(due: number): void {
    if (closed || (alarm && alarm.due <= due)) return;
    alarm?.stop();
    const stop = wakeAt(due, () => {
      alarm = undefined;
      run(deliverDue());
    });
    alarm = { due, stop };
  }

  /** Runs work that only `close` awaits. */
  function run(work: Promise<unknown>): void {
    const done = work
      .catch((error: unknown) => {
        if (!closed) log.error({ err: error }, "a notification could not be delivered");
      })
      .finally(() => {
        underWay.delete(done);
        if (!backlog || closed) return;
        backlog = false;
        run(deliverDue());
      });
    underWay.add(done);
  }

  async function deliverDue(): Promise<void> {
    const room = maxUnderWay - underWay.size;
    if (room <= 0) {
      backlog = true;
      return;
    }
    try {
      for (const row of await store.takeDue(now(), room)) run(tracking(row, () => deliverStored(row)));
      await wakeForNext();
    } catch (error) {
      wakeBy(now() + againAfterMs);
      throw error;
    }
  }

  async function wakeForNext(): Promise<void> {
    const next = await store.nextDue();
    if (next !== undefined) wakeBy(next);
  }

  async function resumeDeliveries(delivered: ReadonlySet<number> = delivering): Promise<void> {
    await store.recover(now(), delivered);
    wakeBy(now());
  }

  async function announceUnsent(withinMs: number): Promise<void> {
    for (const unsent of await store.unsent(now(), withinMs)) announceSoon(await subjectOf(unsent), true);
  }

  async function subjectOf({ mchId, outTradeNo, refundId }: NotificationSubject): Promise<Subject | undefined> {
    const order = await ledger.find({ mchId, outTradeNo });
    if (!order || refundId === "") return order && { order };
    const [refund] = await ledger.refunds({ mchId, outTradeNo, refundId });
    return refund && { order, refund };
  }

  async function deliverStored(row: NotificationRow): Promise<readonly DeliveryResult[]> {
    const subject = await subjectOf({ mchId: row.mch_id, outTradeNo: row.out_trade_no, refundId: row.refund_id });
    return subject ? attempt(row, subject, JSON.parse(row.content) as NotificationContent) : [];
  }

  /** One attempt on the schedule, and its consequences. */
  async function attempt(row: NotificationRow, subject: Subject, content: NotificationContent) {
    const number = row.attempts + 1;
    const keys = await keysOf(subject.order, subject.refund);
    if (!keys) {
      writes.settle(row, { ...row, state: "given_up", due_at: null });
      return [];
    }
    const due: DueNotification = { ...subject, content, keys, attempt: number, write: writeNotification };
    const { deliveries: planned, lostTo } = await faults.plan(due);
    const asker = askerKept(row.notify_from);
    const results = await deliveries.make({ of: row, url: row.url, asker, due, planned, lostTo });
    await faults.delivered(due);
    const accepted = row.state === "accepted" || isAccepted(results, planned);
    const next = nextDelivery(row.base_at, number, now(), settings().timeScale);
    const goesOn = !accepted && row.state === "pending" && next.due !== undefined;
    writes.settle(row, {
      state: accepted ? "accepted" : row.state === "pending" && !goesOn ? "given_up" : row.state,
      attempts: number,
      base_at: next.base,
      due_at: goesOn ? (next.due ?? null) : null,
    });
    if (goesOn && next.due !== undefined) wakeBy(next.due);
    return results;
  }

  const currentContent = (subject: Subject): NotificationContent =>
    contentOf({ ...subject, at: now(), namesSignType: settings().notification_sign_type });

  /** The first delivery, immediately. `isFirst`: none where another instance has told of the subject. */
  async function announce(subject: Subject, url: string, isFirst: boolean): Promise<void> {
    const content = currentContent(subject);
    const waits = underWay.size > maxUnderWay;
    const row = {
      ...newNotification({ subject, url, content, state: "pending", at: now() }),
      due_at: waits ? now() : null,
    };
    const id = await (isFirst ? writes.addFirst(row) : writes.add(row));
    if (id === undefined) return;
    if (waits) backlog = true;
    else {
      const own = { ...row, id, taken_by: null };
      await tracking(own, () => attempt(own, subject, content));
    }
  }

  /** Puts the delivery off that an error of ours has kept from its consequences: nobody else would take it up. */
  async function tracking<Value>(row: NotificationRow, work: () => Promise<Value>): Promise<Value> {
    delivering.add(row.id);
    try {
      return await work();
    } catch (error) {
      if (!closed && row.state === "pending") {
        const due = now() + againAfterMs;
        writes.settle(row, { ...row, due_at: due });
        wakeBy(due);
      }
      throw error;
    } finally {
      delivering.delete(row.id);
    }
  }

  /** A refund that was paid to elsewhere ends twice, and is told twice. */
  function announceSoon(subject: Subject | undefined, isFirst = subject?.refund?.paidTo === undefined): void {
    const url = subject && urlOf(subject);
    if (url !== undefined && !closed) run(announce(subject as Subject, url, isFirst));
  }

  const onChange = (change: LedgerChange): void => announceSoon(notifiedBy(change));

  async function sendPlanned(due: DueNotification, planned: readonly PlannedDelivery[]) {
    const url = urlOf(due);
    if (closed) throw new Error("the simulator is closed"); // nothing was sent: the next run does it
    if (url === undefined) return [];
    const row = newNotification({ subject: due, url, content: due.content, state: "unscheduled", at: now() });
    const of = { ...row, id: await writes.add(row) };
    const results = await deliveries.make({ of, url, asker: askerKept(row.notify_from), due, planned });
    writes.settle(of, { state: "unscheduled", attempts: 1, base_at: now(), due_at: null });
    if (isAccepted(results, planned)) await store.accept(of);
    return results;
  }

  return {
    async start() {
      stopListening = ledger.subscribe(onChange);
      await resumeDeliveries();
      await announceUnsent(scheduleMs);
    },

    async resume() {
      await resumeDeliveries();
      await announceUnsent(lateMs);
    },

    async sendAgain(id) {
      const row = await store.take(id);
      return row && tracked(tracking(row, () => deliverStored(row)));
    },

    async compose(order, refund) {
      const subject = { order, refund };
      const keys = urlOf(subject) === undefined ? undefined : await keysOf(order, refund);
      if (!keys) return undefined;
      return { ...subject, content: currentContent(subject), keys, attempt: 1, write: writeNotification };
    },

    deliver: (due, planned) => tracked(sendPlanned(due, planned)),

    async reschedule() {
      const at = now();
      const { timeScale } = settings();
      await store.reschedule(at, (row, due) => rescheduled({ base: row.base_at, due }, row.attempts, at, timeScale));
      await wakeForNext();
    },

    async settle() {
      await Promise.race([Promise.allSettled([...underWay]), setTimeout(settleMs, undefined, { ref: false })]);
      await writes.flush(); // what comes after it must not have rows of before
    },

    async reload() {
      await writes.reload();
      alarm?.stop();
      alarm = undefined;
      await resumeDeliveries(new Set()); // what is being delivered is of the rows before
    },

    async close() {
      closed = true;
      stopListening();
      alarm?.stop();
      deliveries.close();
      await Promise.allSettled([...underWay]);
      await writes.flush();
    },
  };

  async function tracked<Value>(work: Promise<Value>): Promise<Value> {
    run(work);
    return work;
  }
}
