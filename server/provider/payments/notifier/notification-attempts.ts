import type { SimPaymentSettings } from "../../../contract/provider/provider.ts";
import { askerKept } from "../../../http/outgoing/asker.ts";
import {
  genuineDelivery,
  type DeliveryResult,
  type DueNotification,
  type NotificationContent,
  type NotificationFaults,
  type NotificationKeys,
  type PlannedDelivery,
} from "../faults/notification-faults.ts";
import type { Ledger, Order, Refund } from "../ledger/ledger.ts";
import type { Deliveries } from "./deliveries.ts";
import { contentOf } from "./notification-content.ts";
import type { NotificationStore, NotificationSubject } from "./notification-store.ts";
import { newNotification, urlOf, type Subject } from "./notification-subject.ts";
import type { NotificationRow } from "./notification-tables.ts";
import type { DeliveryChange, NotificationWrites } from "./notification-writes.ts";
import { nextDelivery } from "./retry-schedule.ts";
import { writeNotification } from "./write-notification.ts";

interface Deps {
  readonly store: Pick<NotificationStore, "accept">;
  readonly writes: Pick<NotificationWrites, "add" | "settle">;
  readonly ledger: Pick<Ledger, "find" | "refunds">;
  readonly deliveries: Pick<Deliveries, "make">;
  readonly faults: NotificationFaults;
  /** Undefined for a merchant that no longer exists. */
  readonly keysOf: (order: Order, refund?: Refund) => Promise<NotificationKeys | undefined>;
  readonly noticeKeysOf: (
    notice: Pick<NotificationRow, "mch_id" | "version" | "sign_type">,
  ) => Promise<NotificationKeys | undefined>;
  readonly settings: () => Pick<SimPaymentSettings, "timeScale" | "notification_sign_type">;
  /** Unix time in ms. */
  readonly now: () => number;
}

interface Attempted {
  readonly results: readonly DeliveryResult[];
  /** The row's next state. */
  readonly change: DeliveryChange;
}

const isAccepted = (results: readonly DeliveryResult[], planned: readonly PlannedDelivery[]) =>
  results.some((one, at) => one.accepted && planned[at]?.genuine === true);

/** Composes a notification and sends it once. Faults are behind a port that plans each delivery. */
export class NotificationAttempts {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Undefined for an order or a refund that no longer exists. */
  async subjectOf({ mchId, outTradeNo, refundId }: NotificationSubject): Promise<Subject | undefined> {
    const { ledger } = this.#deps;
    const order = await ledger.find({ mchId, outTradeNo });
    if (!order || refundId === "") return order && { order };
    const [refund] = await ledger.refunds({ mchId, outTradeNo, refundId });
    return refund && { order, refund };
  }

  contentOf(subject: Subject): NotificationContent {
    const { now, settings } = this.#deps;
    return contentOf({ ...subject, at: now(), namesSignType: settings().notification_sign_type });
  }

  /** As the port for faults describes it. */
  async compose(order: Order, refund?: Refund): Promise<DueNotification | undefined> {
    const subject = { order, refund };
    const keys = urlOf(subject) === undefined ? undefined : await this.#deps.keysOf(order, refund);
    if (!keys) return undefined;
    return { ...subject, content: this.contentOf(subject), keys, attempt: 1, write: writeNotification };
  }

  /** Sends a notification of the schedule. */
  async send(row: NotificationRow, subject: Subject, content: NotificationContent): Promise<Attempted> {
    const { keysOf, faults, deliveries } = this.#deps;
    const keys = await keysOf(subject.order, subject.refund);
    if (!keys) return { results: [], change: { ...row, state: "given_up", due_at: null } };
    const attempt = row.attempts + 1;
    const due: DueNotification = { ...subject, content, keys, attempt, write: writeNotification };
    const { deliveries: planned, lostTo } = await faults.plan(due);
    const asker = askerKept(row.notify_from);
    const results = await deliveries.make({ of: row, url: row.url, asker, due, planned, lostTo });
    await faults.delivered(due);
    return { results, change: this.#changeAfter(row, attempt, isAccepted(results, planned)) };
  }

  /** Sends a notification of another product, which no fault changes. */
  async sendNotice(row: NotificationRow): Promise<Attempted> {
    const keys = await this.#deps.noticeKeysOf(row);
    if (!keys) return { results: [], change: { ...row, state: "given_up", due_at: null } };
    const attempt = row.attempts + 1;
    const content = JSON.parse(row.content) as NotificationContent;
    const planned = [genuineDelivery({ content, keys, write: writeNotification })];
    const asker = askerKept(row.notify_from);
    const results = await this.#deps.deliveries.make({
      of: row,
      url: row.url,
      asker,
      due: { content, attempt },
      planned,
    });
    return { results, change: this.#changeAfter(row, attempt, isAccepted(results, planned)) };
  }

  /** Sends a notification outside of the schedule. */
  async sendUnscheduled(due: DueNotification, planned: readonly PlannedDelivery[]): Promise<readonly DeliveryResult[]> {
    const { writes, deliveries, store, now } = this.#deps;
    const url = urlOf(due);
    if (url === undefined) return [];
    const row = newNotification({ subject: due, url, content: due.content, state: "unscheduled", at: now() });
    const sent = { ...row, id: await writes.add(row) };
    const results = await deliveries.make({ of: sent, url, asker: askerKept(row.notify_from), due, planned });
    writes.settle(sent, { state: "unscheduled", attempts: 1, base_at: now(), due_at: null });
    if (isAccepted(results, planned)) await store.accept(sent);
    return results;
  }

  #changeAfter(row: NotificationRow, attempts: number, accepted: boolean): DeliveryChange {
    const { now, settings } = this.#deps;
    const { base, due } = nextDelivery(row.base_at, { ...row, attempts }, now(), settings().timeScale);
    const ended = (state: NotificationRow["state"]) => ({ state, attempts, base_at: base, due_at: null });
    if (accepted) return ended("accepted");
    if (row.state !== "pending") return ended(row.state);
    return due === undefined ? ended("given_up") : { ...ended("pending"), due_at: due };
  }
}
