import { setTimeout } from "node:timers/promises";
import type { Transaction } from "kysely";
import type { Logger } from "pino";
import type { SimPaymentSettings } from "../../../contract/provider/provider.ts";
import type { AdjustableClock } from "../../../time/adjustable-clock.ts";
import type {
  DeliveryResult,
  DueNotification,
  NotificationContent,
  NotificationSender,
  PlannedDelivery,
} from "../faults/notification-faults.ts";
import type { Ledger, Order, Refund } from "../ledger/ledger.ts";
import { resumedSpan, runInSpan } from "../../../trace/span.ts";
import { BackgroundWork } from "../background-work.ts";
import type { Deliveries, HeldDelivery } from "./deliveries.ts";
import type { NotificationAttempts } from "./notification-attempts.ts";
import type { NotificationStore } from "./notification-store.ts";
import type { NotificationRow, NotifierTables } from "./notification-tables.ts";
import type { DeliveryChange, NotificationWrites } from "./notification-writes.ts";
import { newNotification, notifiedBy, urlOf, type Subject } from "./notification-subject.ts";
import { isProductNotice, noticeRow, type MerchantNotice, type NoticeOutbox } from "./product-notices.ts";
import { longestScheduleMs, rescheduled } from "./retry-schedule.ts";

interface Deps extends Pick<AdjustableClock, "now" | "wakeAt"> {
  readonly store: NotificationStore;
  readonly writes: NotificationWrites;
  readonly ledger: Pick<Ledger, "subscribe">;
  readonly attempts: NotificationAttempts;
  readonly deliveries: Pick<Deliveries, "close" | "heldOf">;
  readonly settings: () => Pick<SimPaymentSettings, "timeScale">;
  readonly log: Logger;
}

/** Longer than a database is likely to be away. */
const lateMs = 3_600_000;

/** How long deliveries in progress may delay a reset. */
const flushMs = 1_000;
/** The pause after an error of ours. */
const retryAfterMs = 10_000;

/** Later ones wait: a receiver that hangs must not exhaust the memory. */
const maxDeliveries = 256;

/**
 * Notifies merchants of payments and refunds until they accept. The stored rows are the queue, so that a restart continues
 * where the last run ended; one alarm is set for the next due row.
 *
 * A row is due at its time, or claimed: without a time, while it is sent.
 *
 * | From               | Event                                   | To                                     |
 * | ------------------ | --------------------------------------- | -------------------------------------- |
 * |                    | enqueue: a payment or a refund has ended | pending, claimed; due if too many run  |
 * |                    | add: another product has ended something | pending, due                           |
 * | pending, due       | send: its time has come                 | pending, claimed                       |
 * | pending, claimed   | accept                                  | accepted                               |
 * | pending, claimed   | retry: refused, and a pause is left     | pending, due after the pause           |
 * | pending, claimed   | give up: no pause or no merchant is left | given_up                               |
 * | pending, claimed   | recover: its instance or we failed      | pending, due                           |
 * | accepted, given_up | resend, by hand                         | accepted if accepted; else as it was   |
 * |                    | deliver, by a fault or a test           | unscheduled                            |
 */
export class Notifier implements NotificationSender, NoticeOutbox {
  readonly #deps: Deps;
  readonly #sends: BackgroundWork;
  /** Looks for rows that are due. It is no delivery: its end makes no room for one. */
  readonly #looks: BackgroundWork;
  /** Ids of the rows that are sent here. */
  readonly #sending = new Set<number>();
  readonly #listeners = new Set<(order: Order) => void>();
  #closed = false;
  /** Whether a due row has to wait for an end of others. */
  #backlog = false;
  #unsubscribe = (): void => undefined;
  #alarm: { readonly due: number; readonly stop: () => void } | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    const onError = (error: unknown) => {
      if (!this.#closed) deps.log.error({ err: error }, "a notification could not be delivered");
    };
    this.#looks = new BackgroundWork({ onError });
    this.#sends = new BackgroundWork({
      onError,
      onEnd: () => {
        if (!this.#backlog || this.#closed) return;
        this.#backlog = false;
        this.#looks.run(this.#sendDue());
      },
    });
  }

  /** Resumes what an earlier run left, and subscribes to new payments. */
  async start(): Promise<void> {
    this.#unsubscribe = this.#deps.ledger.subscribe((change) => this.#enqueue(notifiedBy(change)));
    await this.#recover();
    await this.#enqueueUnsent(longestScheduleMs);
  }

  /** Stores a notification of what another product ends in the transaction. Call `wake` after the commit. */
  add(trx: Transaction<NotifierTables>, notice: MerchantNotice): Promise<void> {
    return this.#deps.writes.addIn(noticeRow(notice, this.#deps.now()), trx);
  }

  /** Sends the notifications that are due. */
  wake(): void {
    this.#wakeBy(this.#deps.now());
  }

  /** Calls `listen` after each delivery, with the order of the notification. */
  onDelivery(listen: (order: Order) => void): void {
    this.#listeners.add(listen);
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

  /** The fault that delays a notification now, until when. */
  heldOf(id: number): HeldDelivery | undefined {
    return this.#deps.deliveries.heldOf(id);
  }

  compose(order: Order, refund?: Refund): Promise<DueNotification | undefined> {
    return this.#deps.attempts.compose(order, refund);
  }

  async deliver(due: DueNotification, planned: readonly PlannedDelivery[]): Promise<readonly DeliveryResult[]> {
    if (this.#closed) throw new Error("the simulator is closed"); // nothing was sent: the next run does it
    return this.#run(this.#deps.attempts.sendUnscheduled(due, planned));
  }

  /** Applies the current timeScale, also to pending notifications. */
  async reschedule(): Promise<void> {
    const { store, settings, now } = this.#deps;
    const at = now();
    const { timeScale } = settings();
    await store.reschedule(at, (row, due) => rescheduled({ base: row.base_at, due }, row, at, timeScale));
    await this.#wakeForNext();
  }

  /** Waits for deliveries in progress, but for no receiver that is slow. */
  async flush(): Promise<void> {
    await Promise.race([this.#settled(), setTimeout(flushMs, undefined, { ref: false })]);
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
    await this.#settled();
    await this.#deps.writes.flush();
  }

  /** Waits for what was begun: what was looked for first, since it begins deliveries. */
  async #settled(): Promise<void> {
    await this.#looks.wait();
    await this.#sends.wait();
  }

  #run<Value>(work: Promise<Value>): Promise<Value> {
    this.#sends.run(work);
    return work;
  }

  #wakeBy(due: number): void {
    if (this.#closed || (this.#alarm && this.#alarm.due <= due)) return;
    this.#stopAlarm();
    const stop = this.#deps.wakeAt(due, () => {
      this.#alarm = undefined;
      this.#looks.run(this.#sendDue());
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
    const { store, attempts, now } = this.#deps;
    for (const unsent of await store.unsent(now(), withinMs)) this.#enqueue(await attempts.subjectOf(unsent), true);
  }

  /** @param isFirst only if no instance has notified of it; a refund that was redirected ends twice */
  #enqueue(subject: Subject | undefined, isFirst = subject?.refund?.paidTo === undefined): void {
    const url = subject && urlOf(subject);
    if (subject && url !== undefined && !this.#closed) this.#sends.run(this.#sendFirst(subject, url, isFirst));
  }

  /** Stores a notification and sends it, unless too many are being sent. */
  async #sendFirst(subject: Subject, url: string, isFirst: boolean): Promise<void> {
    const { attempts, writes, now } = this.#deps;
    const content = attempts.contentOf(subject);
    const row = newNotification({ subject, url, content, state: "pending", at: now() });
    const waits = this.#sends.size > maxDeliveries;
    const added = { ...row, due_at: waits ? now() : null };
    const id = await (isFirst ? writes.addFirst(added) : writes.add(added));
    if (id === undefined) return;
    if (waits) {
      this.#backlog = true;
      return;
    }
    const stored = { ...added, id, taken_by: null };
    await this.#sendOrRetry(stored, () => this.#attempt(stored, subject, content));
  }

  async #sendDue(): Promise<void> {
    const { store, now } = this.#deps;
    const room = maxDeliveries - this.#sends.size;
    if (room <= 0) {
      this.#backlog = true;
      return;
    }
    try {
      for (const row of await store.claimDue(now(), room))
        this.#sends.run(
          runInSpan(resumedSpan(row.caused_by), () => this.#sendOrRetry(row, () => this.#sendStored(row))),
        );
      await this.#wakeForNext();
    } catch (error) {
      this.#wakeBy(now() + retryAfterMs);
      throw error;
    }
  }

  async #sendStored(row: NotificationRow): Promise<readonly DeliveryResult[]> {
    if (isProductNotice(row)) return this.#attemptNotice(row);
    const { mch_id: mchId, out_trade_no: outTradeNo, refund_id: refundId } = row;
    const subject = await this.#deps.attempts.subjectOf({ mchId, outTradeNo, refundId });
    return subject ? this.#attempt(row, subject, JSON.parse(row.content) as NotificationContent) : [];
  }

  /** Retries after an error of ours: nobody else would send the row. */
  async #sendOrRetry<Value>(row: NotificationRow, send: () => Promise<Value>): Promise<Value> {
    this.#sending.add(row.id);
    try {
      return await send();
    } catch (error) {
      if (!this.#closed && row.state === "pending")
        this.#settle(row, { ...row, due_at: this.#deps.now() + retryAfterMs });
      throw error;
    } finally {
      this.#sending.delete(row.id);
    }
  }

  async #attempt(row: NotificationRow, subject: Subject, content: NotificationContent) {
    const { results, change } = await this.#deps.attempts.send(row, subject, content);
    this.#settle(row, change);
    for (const listen of this.#listeners) listen(subject.order);
    return results;
  }

  async #attemptNotice(row: NotificationRow) {
    const { results, change } = await this.#deps.attempts.sendNotice(row);
    this.#settle(row, change);
    return results;
  }

  #settle(row: NotificationRow, change: DeliveryChange): void {
    this.#deps.writes.settle(row, change);
    if (change.due_at !== null) this.#wakeBy(change.due_at);
  }
}
