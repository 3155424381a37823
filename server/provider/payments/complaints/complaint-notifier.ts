import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { SimPaymentSettings } from "../../../contract/provider/provider.ts";
import { askerKept } from "../../../http/outgoing/asker.ts";
import { offsetTime } from "../../../payment-wire/provider-time.ts";
import type { AdjustableClock } from "../../../time/adjustable-clock.ts";
import { currentTraceparent, newSpan, runInSpan, traceHeaders } from "../../../trace/span.ts";
import { Agenda } from "../agenda.ts";
import { BackgroundWork } from "../background-work.ts";
import type { PlatformSigner } from "../keys/platform-signer.ts";
import type { Merchants } from "../merchants/merchants.ts";
import { judge } from "../notifier/judge-reply.ts";
import type { NotificationPoster } from "../notifier/post-notification.ts";
import { nextDelivery } from "../notifier/retry-schedule.ts";
import { writeNotification } from "../notifier/write-notification.ts";
import type { ComplaintNoticeRow, ComplaintTables } from "./complaint-tables.ts";

const summaries = { "COMPLAINT.CREATE": "产生新投诉", "COMPLAINT.STATE_CHANGE": "投诉单状态变化" } as const;
export type ComplaintEvent = keyof typeof summaries;

interface Deps extends Pick<AdjustableClock, "now" | "wakeAt"> {
  readonly db: Kysely<ComplaintTables>;
  readonly poster: NotificationPoster;
  readonly merchants: Pick<Merchants, "get">;
  readonly signer: PlatformSigner;
  readonly settings: () => Pick<SimPaymentSettings, "notification_timeout_ms" | "timeScale">;
  readonly log: Logger;
}

/**
 * Notifies merchants of their complaints, in version 3 and by its schedule. A notification is `pending` until the merchant
 * accepts it (`accepted`) or the schedule ends (`given_up`).
 */
export class ComplaintNotifier {
  readonly #deps: Deps;
  readonly #work: BackgroundWork;
  readonly #agenda: Agenda<number>;
  #closed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#work = new BackgroundWork({
      onError: (error) => this.#closed || deps.log.error({ err: error }, "a complaint was not notified"),
    });
    this.#agenda = new Agenda<number>({ wakeAt: deps.wakeAt, run: (id) => this.#work.run(this.#deliver(id)) });
  }

  /** Stores a notification and sends it in the background; nothing if the merchant has named no address. */
  async notify(mchId: string, complaintId: string, event: ComplaintEvent, action: string): Promise<void> {
    const { db, now } = this.#deps;
    const receiver = await db
      .selectFrom("pay_complaint_receivers")
      .select(["url", "notify_from"])
      .where("mch_id", "=", mchId)
      .executeTakeFirst();
    if (!receiver) return;
    const at = now();
    const envelope = {
      id: randomUUID(),
      create_time: offsetTime(at),
      resource_type: "encrypt-resource",
      event_type: event,
      summary: summaries[event],
    };
    const { id } = await db
      .insertInto("pay_complaint_notices")
      .values({
        ...{ ...receiver, complaint_id: complaintId, mch_id: mchId, event_type: event, action_type: action },
        ...{ state: "pending", attempts: 0, problem: null, base_at: at, due_at: at },
        envelope: JSON.stringify(envelope),
        caused_by: currentTraceparent() ?? null,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    this.#work.run(this.#deliver(id));
  }

  /** Plans the notifications that wait, or whose delivery was interrupted. */
  async resume(): Promise<void> {
    this.#agenda.clear();
    const { db, now } = this.#deps;
    const pending = await db
      .updateTable("pay_complaint_notices")
      .set((row) => ({ due_at: row.fn.coalesce("due_at", row.val(now())) }))
      .where("state", "=", "pending")
      .returning(["id", "due_at", "caused_by"])
      .execute();
    for (const { id, due_at, caused_by } of pending) this.#agenda.add(due_at ?? now(), id, caused_by ?? undefined);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#agenda.clear();
    this.#deps.poster.close();
    await this.#work.wait();
  }

  async #deliver(id: number): Promise<void> {
    const { db, now, settings } = this.#deps;
    const notice = await db
      .updateTable("pay_complaint_notices")
      .set({ due_at: null })
      .where("id", "=", id)
      .where("due_at", "is not", null)
      .returningAll()
      .executeTakeFirst();
    if (!notice) return;
    const verdict = await this.#send(notice);
    const attempts = notice.attempts + 1;
    const { base, due } = nextDelivery(notice.base_at, attempts, now(), settings().timeScale);
    const change =
      verdict === "accepted"
        ? ({ state: "accepted", problem: null } as const)
        : ({ state: due === undefined ? "given_up" : "pending", problem: verdict, due_at: due ?? null } as const);
    await db
      .updateTable("pay_complaint_notices")
      .set({ ...change, attempts, base_at: base })
      .where("id", "=", id)
      .execute();
    if (change.state === "pending" && due !== undefined) this.#agenda.add(due, id, notice.caused_by ?? undefined);
  }

  /** @returns the verdict on the reply */
  #send(notice: ComplaintNoticeRow): Promise<string> {
    return runInSpan(newSpan(notice.caused_by ?? undefined), async () => {
      const { merchants, signer, poster, settings } = this.#deps;
      const merchant = await merchants.get(notice.mch_id);
      if (!merchant) return "the merchant does not exist";
      const { headers, body } = await writeNotification(
        {
          ...{ version: "v3", about: "payment", originalType: "complaint", associatedData: "complaint" },
          envelope: JSON.parse(notice.envelope) as Record<string, unknown>,
          resource: { complaint_id: notice.complaint_id, action_type: notice.action_type },
        },
        {
          ...{ apiV2Key: merchant.apiV2Key, apiV3Key: merchant.apiV3Key, signType: "MD5" },
          signer: await signer.ofNotification(merchant),
          platformKey: (kind) => signer.key(kind),
          signedAt: () => Date.now(), // receivers compare it with a real clock
        },
      );
      const message = { headers: { ...headers, ...traceHeaders() }, body };
      const timeoutMs = settings().notification_timeout_ms;
      return judge("v3", await poster.post(notice.url, askerKept(notice.notify_from), message, timeoutMs));
    });
  }
}
