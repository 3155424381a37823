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
import type { Ledger, Order, Refund } from "../ledger/ledger.ts";
import { BackgroundWork } from "../background-work.ts";
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

/** The schedule's length: older notifications would have been given up. */
const scheduleMs = 86_700_000;
/** Longer than a database is likely to be away. */
const lateMs = 3_600_000;

/** How long deliveries in progress may delay a reset. */
const flushMs = 1_000;
/** The pause after an error of ours. */
const retryAfterMs = 10_000;

/** Later ones wait: a receiver that hangs must not exhaust the memory. */
const maxDeliveries = 256;

const isAccepted = (results: readonly DeliveryResult[], planned: readonly PlannedDelivery[]) =>
  results.some((one, at) => one.accepted && planned[at]?.genuine === true);

/**
 * Notifies merchants of payments and refunds until they accept. The stored rows are the queue, so that a restart continues
 * where the last run ended; one alarm is set for the next due row. Faults are behind a port that plans each delivery.
 *
 * A row is due at its time, or claimed: without a time, while it is sent.
 *
 * | From               | Event                                   | To                                     |
 * | ------------------ | --------------------------------------- | -------------------------------------- |
 * |                    | enqueue: a payment or a refund has ended | pending, claimed; due if too many run  |
 * | pending, due       | send: its time has come                 | pending, claimed                       |
 * | pending, claimed   | accept                                  | accepted                               |
 * | pending, claimed   | retry: refused, and a pause is left     | pending, due after the pause           |
 * | pending, claimed   | give up: no pause or no merchant is left | given_up                               |
 * | pending, claimed   | recover: its instance or we failed      | pending, due                           |
 * | accepted, given_up | resend, by hand                         | accepted if accepted; else as it was   |
 * |                    | deliver, by a fault or a test           | unscheduled                            |
 */
export class Notifier implements NotificationSender {
  readonly #deps: NotifierDeps;
  readonly #work: BackgroundWork;
  /** Ids of the rows that are sent here. */
  readonly #sending = new Set<number>();
  #closed = false;
  /** Whether a due row has to wait for an end of others. */
  #backlog = false;
  #unsubscribe = (): void => undefined;
  #alarm: { readonly due: number; readonly stop: () => void } | undefined;

  constructor(deps: NotifierDeps) {
    this.#deps = deps;
    this.#work = new BackgroundWork({
      onError: (error) => {
        if (!this.#closed) deps.log.error({ err: error }, "a notification could not be delivered");
      },
      onEnd: () => {
        if (!this.#backlog || this.#closed) return;
        this.#backlog = false;
        this.#work.run(this.#sendDue());
      },
    });
  }

  /** Resumes what an earlier run left, and subscribes to new payments. */
  async start(): Promise<void> {
    this.#unsubscribe = this.#deps.ledger.subscribe((change) => this.#enqueue(notifiedBy(change)));
    await this.#recover();
    await this.#enqueueUnsent(scheduleMs);
  }

  /** Continues what instances that have ended left, and what was interrupted while the database was away. */
  async resume(): Promise<void> {
    await this.#recover();
    await this.#enqueueUnsent(lateMs);
  }

  /**
   * Sends a notification again, now. If it waits for a retry, this counts as the retry. Undefined if it is being
   * delivered or does not exist.
   */
  async resend(id: number): Promise<readonly DeliveryResult[] | undefined> {
    const row = await this.#deps.store.claim(id);
    return row && this.#run(this.#sendOrRetry(row, () => this.#sendStored(row)));
  }

  async compose(order: Order, refund?: Refund): Promise<DueNotification | undefined> {
    const subject = { order, refund };
    const keys = urlOf(subject) === undefined ? undefined : await this.#deps.keysOf(order, refund);
    if (!keys) return undefined;
    return { ...subject, content: this.#contentOf(subject), keys, attempt: 1, write: writeNotification };
  }

  async deliver(due: DueNotification, planned: readonly PlannedDelivery[]): Promise<readonly DeliveryResult[]> {
    return this.#run(this.#sendUnscheduled(due, planned));
  }

  /** Applies the current timeScale, also to pending notifications. */
  async reschedule(): Promise<void> {
    const { store, settings, now } = this.#deps;
    const at = now();
    const { timeScale } = settings();
    await store.reschedule(at, (row, due) => rescheduled({ base: row.base_at, due }, row.attempts, at, timeScale));
    await this.#wakeForNext();
  }

  /** Waits for deliveries in progress, but for no receiver that is slow. */
  async flush(): Promise<void> {
    await Promise.race([this.#work.wait(), setTimeout(flushMs, undefined, { ref: false })]);
    await this.#deps.writes.flush(); // the next state must not get rows of this one
  }

  /** Reads the stored notifications again after other code has written them. */
  async reload(): Promise<void> {
    await this.#deps.writes.reload();
    this.#stopAlarm();
    await this.#recover(new Set()); // deliveries in progress belong to the rows before
  }

  /** Aborts deliveries in progress; the next run sends them again. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe();
    this.#stopAlarm();
    this.#deps.deliveries.close();
    await this.#work.wait();
    await this.#deps.writes.flush();
  }

  #run<Value>(work: Promise<Value>): Promise<Value> {
    this.#work.run(work);
    return work;
  }

  #wakeBy(due: number): void {
    if (this.#closed || (this.#alarm && this.#alarm.due <= due)) return;
    this.#stopAlarm();
    const stop = this.#deps.wakeAt(due, () => {
      this.#alarm = undefined;
      this.#work.run(this.#sendDue());
    });
    this.#alarm = { due, stop };
  }

  #stopAlarm(): void {
    this.#alarm?.stop();
    this.#alarm = undefined;
  }

  async #wakeForNext(): Promise<void> {
    const next = await this.#deps.store.nextDue();
    if (next !== undefined) this.#wakeBy(next);
  }

  async #recover(sending: ReadonlySet<number> = this.#sending): Promise<void> {
    const { store, now } = this.#deps;
    await store.recover(now(), sending);
    this.#wakeBy(now());
  }

  async #enqueueUnsent(withinMs: number): Promise<void> {
    const { store, now } = this.#deps;
    for (const unsent of await store.unsent(now(), withinMs)) this.#enqueue(await this.#subjectOf(unsent), true);
  }

  /** @param isFirst only if no instance has notified of it; a refund that was redirected ends twice */
  #enqueue(subject: Subject | undefined, isFirst = subject?.refund?.paidTo === undefined): void {
    const url = subject && urlOf(subject);
    if (subject && url !== undefined && !this.#closed) this.#work.run(this.#sendFirst(subject, url, isFirst));
  }

  async #sendFirst(subject: Subject, url: string, isFirst: boolean): Promise<void> {
    const { writes, now } = this.#deps;
    const content = this.#contentOf(subject);
    const waits = this.#work.size > maxDeliveries;
    const added = {
      ...newNotification({ subject, url, content, state: "pending", at: now() }),
      due_at: waits ? now() : null,
    };
    const id = await (isFirst ? writes.addFirst(added) : writes.add(added));
    if (id === undefined) return;
    if (waits) {
      this.#backlog = true;
      return;
    }
    const row = { ...added, id, taken_by: null };
    await this.#sendOrRetry(row, () => this.#attempt(row, subject, content));
  }

  async #sendDue(): Promise<void> {
    const { store, now } = this.#deps;
    const room = maxDeliveries - this.#work.size;
    if (room <= 0) {
      this.#backlog = true;
      return;
    }
    try {
      for (const row of await store.claimDue(now(), room))
        this.#work.run(this.#sendOrRetry(row, () => this.#sendStored(row)));
      await this.#wakeForNext();
    } catch (error) {
      this.#wakeBy(now() + retryAfterMs);
      throw error;
    }
  }

  async #sendStored(row: NotificationRow): Promise<readonly DeliveryResult[]> {
    const { mch_id: mchId, out_trade_no: outTradeNo, refund_id: refundId } = row;
    const subject = await this.#subjectOf({ mchId, outTradeNo, refundId });
    return subject ? this.#attempt(row, subject, JSON.parse(row.content) as NotificationContent) : [];
  }

  /** Retries after an error of ours: nobody else would send the row. */
  async #sendOrRetry<Value>(row: NotificationRow, send: () => Promise<Value>): Promise<Value> {
    this.#sending.add(row.id);
    try {
      return await send();
    } catch (error) {
      if (!this.#closed && row.state === "pending") this.#retryAt(row, this.#deps.now() + retryAfterMs);
      throw error;
    } finally {
      this.#sending.delete(row.id);
    }
  }

  async #attempt(row: NotificationRow, subject: Subject, content: NotificationContent) {
    const { keysOf, faults, deliveries } = this.#deps;
    const keys = await keysOf(subject.order, subject.refund);
    if (!keys) {
      this.#end(row, "given_up");
      return [];
    }
    const attempt = row.attempts + 1;
    const due: DueNotification = { ...subject, content, keys, attempt, write: writeNotification };
    const { deliveries: planned, lostTo } = await faults.plan(due);
    const asker = askerKept(row.notify_from);
    const results = await deliveries.make({ of: row, url: row.url, asker, due, planned, lostTo });
    await faults.delivered(due);
    this.#conclude(row, attempt, isAccepted(results, planned));
    return results;
  }

  #conclude(row: NotificationRow, attempts: number, accepted: boolean): void {
    const { now, settings } = this.#deps;
    const next = nextDelivery(row.base_at, attempts, now(), settings().timeScale);
    const attempted = { ...row, attempts, base_at: next.base };
    if (accepted) this.#end(attempted, "accepted");
    else if (row.state !== "pending") this.#end(attempted, row.state);
    else if (next.due === undefined) this.#end(attempted, "given_up");
    else this.#retryAt(attempted, next.due);
  }

  #end(row: NotificationRow, state: NotificationRow["state"]): void {
    this.#deps.writes.settle(row, { ...row, state, due_at: null });
  }

  #retryAt(row: NotificationRow, due: number): void {
    this.#deps.writes.settle(row, { ...row, due_at: due });
    this.#wakeBy(due);
  }

  async #sendUnscheduled(due: DueNotification, planned: readonly PlannedDelivery[]) {
    const { writes, deliveries, store, now } = this.#deps;
    const url = urlOf(due);
    if (this.#closed) throw new Error("the simulator is closed"); // nothing was sent: the next run does it
    if (url === undefined) return [];
    const row = newNotification({ subject: due, url, content: due.content, state: "unscheduled", at: now() });
    const sent = { ...row, id: await writes.add(row) };
    const results = await deliveries.make({ of: sent, url, asker: askerKept(row.notify_from), due, planned });
    writes.settle(sent, { state: "unscheduled", attempts: 1, base_at: now(), due_at: null });
    if (isAccepted(results, planned)) await store.accept(sent);
    return results;
  }

  async #subjectOf({ mchId, outTradeNo, refundId }: NotificationSubject): Promise<Subject | undefined> {
    const { ledger } = this.#deps;
    const order = await ledger.find({ mchId, outTradeNo });
    if (!order || refundId === "") return order && { order };
    const [refund] = await ledger.refunds({ mchId, outTradeNo, refundId });
    return refund && { order, refund };
  }

  #contentOf(subject: Subject): NotificationContent {
    const { now, settings } = this.#deps;
    return contentOf({ ...subject, at: now(), namesSignType: settings().notification_sign_type });
  }
}
