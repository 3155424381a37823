/** Carries out the plan for one notification: sends it, judges the reply, and records both. */
import type { FaultRef } from "../calls/fault-ref.ts";
import type { NotificationVerdict } from "../../../contract/provider/notification-verdicts.ts";
import type { SimPaymentSettings } from "../../../contract/provider/provider.ts";
import type { Asker } from "../../../http/outgoing/asker.ts";
import type { AdjustableClock } from "../../../time/adjustable-clock.ts";
import type { CallLog } from "../calls/call-log.ts";
import type { DeliveryResult, DueNotification, PlannedDelivery } from "../faults/notification-faults.ts";
import { traceColumns, traceHeaders } from "../../../trace/span.ts";
import { judge } from "./judge-reply.ts";
import type { NotificationKey, NotificationWrites } from "./notification-writes.ts";
import { maxReplyBytes, type NotificationPoster, type NotificationReply } from "./post-notification.ts";

interface Deps extends Pick<AdjustableClock, "now" | "wakeAt"> {
  readonly writes: Pick<NotificationWrites, "addAttempt">;
  readonly poster: NotificationPoster;
  readonly callLog: Pick<CallLog, "queriedBetween" | "of">;
  readonly settings: () => Pick<SimPaymentSettings, "notification_timeout_ms">;
}

interface Delivery {
  readonly of: NotificationKey;
  readonly url: string;
  /** Who named the address. */
  readonly asker: Asker;
  /** Without an order: a notification of another product. */
  readonly due: Pick<DueNotification, "content" | "attempt" | "refund"> & Partial<Pick<DueNotification, "order">>;
  readonly planned: readonly PlannedDelivery[];
  /** The faults that lost the notification, if nothing is to be sent. */
  readonly lostTo?: readonly FaultRef[];
}

/** A delivery that a fault delays. */
export interface HeldDelivery {
  /** Unix ms. */
  readonly until: number;
  readonly faults: readonly FaultRef[];
}

export type Deliveries = ReturnType<typeof createDeliveries>;

export function createDeliveries({ writes, poster, callLog, settings, now, wakeAt }: Deps) {
  const waiting = new Set<(error: Error) => void>();
  /** By the ids of their notifications. */
  const held = new Map<number, HeldDelivery>();

  const pause = (ms: number) =>
    new Promise<void>((resolve, reject) => {
      const stop = wakeAt(now() + ms, () => {
        waiting.delete(fail);
        resolve();
      });
      const fail = (error: Error) => {
        stop();
        reject(error);
      };
      waiting.add(fail);
    });

  async function hold(id: number, { delayMs, faults }: PlannedDelivery): Promise<void> {
    held.set(id, { until: now() + delayMs, faults });
    try {
      await pause(delayMs);
    } finally {
      held.delete(id);
    }
  }

  /**
   * Whether the receiver could know the result from a query about the order that was in progress at any time since it
   * was paid. So a copy of a notification that it settled after a query needs no second query.
   */
  async function wasAsked({ content, order, refund }: Delivery["due"], from: number, to: number): Promise<boolean> {
    // Alipay's notifications may be believed once they are verified.
    if (!order || content.version === "alipay") return true;
    if (await callLog.queriedBetween(order, Math.min(from, refund?.finishedAt ?? order.paidAt ?? from), to))
      return true;
    if (!refund) return false;
    const since = refund.finishedAt ?? from;
    const calls = await callLog.of(order);
    return calls.some(({ name, at, durationMs }) => name === "refundquery" && at + durationMs >= since && at <= to);
  }

  async function one({ of, url, asker, due }: Delivery, plan: PlannedDelivery): Promise<DeliveryResult> {
    if (plan.delayMs > 0) await hold(of.id, plan);
    const message = await plan.message();
    const startedAt = now();
    const reply = await poster.post(url, asker, message, settings().notification_timeout_ms);
    const endedAt = now();
    const judgement = judge(due.content.version, reply);
    const accepted = judgement === "accepted";
    const trusted = accepted && !(await wasAsked(due, startedAt, endedAt));
    const verdict: NotificationVerdict = accepted && plan.expected === "refuse" ? "believed" : judgement;
    const request = cut(message.body);
    writes.addAttempt(of, {
      ...attemptRow(due.attempt, reply),
      started_at: startedAt,
      duration_ms: Math.max(0, endedAt - startedAt),
      ...traceColumns(),
      request_headers: JSON.stringify({ ...message.headers, ...traceHeaders() }),
      request_body: request,
      verdict,
      trusted: Number(trusted),
      faults: plan.faults.length === 0 ? "[]" : JSON.stringify(plan.faults),
    });
    const answered = reply.kind === "answered";
    const [status, body] = answered ? [reply.status, reply.body] : [0, ""];
    return { request, status, reply: body, accepted, verdict, trusted_result_code: trusted };
  }

  return {
    /** The results in the order of the plan. @throws if it is closed meanwhile */
    async make(delivery: Delivery): Promise<DeliveryResult[]> {
      const { planned, of, due, lostTo = [] } = delivery;
      if (planned.length === 0)
        writes.addAttempt(of, { ...lostRow(due.attempt, now()), faults: JSON.stringify(lostTo) });
      const results: Promise<DeliveryResult>[] = [];
      for (const plan of planned) {
        if (!plan.together) await Promise.allSettled(results);
        results.push(one(delivery, plan));
      }
      return Promise.all(results);
    },
    heldOf: (id: number): HeldDelivery | undefined => held.get(id),
    close(): void {
      poster.close();
      for (const fail of waiting) fail(new Error("the simulator is closed"));
      waiting.clear();
    },
  };
}

const cut = (body: string | Uint8Array): string =>
  body.length <= maxReplyBytes && typeof body === "string"
    ? body
    : Buffer.from(body).subarray(0, maxReplyBytes).toString("utf8");

const attemptRow = (attempt: number, reply: NotificationReply) => ({
  attempt,
  status: reply.kind === "answered" ? reply.status : 0,
  reply_headers: reply.kind === "answered" ? JSON.stringify(reply.headers) : "{}",
  reply_body: reply.kind === "answered" ? reply.body : "",
  reason: reply.kind === "failed" ? reply.reason : null,
});

/** A delivery that a fault prevented. */
const lostRow = (attempt: number, at: number) => ({
  ...attemptRow(attempt, { kind: "failed", reason: "lost because of a fault" }),
  started_at: at,
  duration_ms: 0,
  ...traceColumns(),
  request_headers: "{}",
  request_body: "",
  verdict: "lost" as const,
  trusted: 0,
});
