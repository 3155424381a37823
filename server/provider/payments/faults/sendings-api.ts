/** The control route that sends a notification about an order at once: as it should be, forged, broken or several times. */
import { Router, type Request } from "express";
import type { KeyLike } from "node:crypto";
import type { z } from "zod";
import { simOrderQuery } from "../../../contract/sim-orders.ts";
import {
  simSendingSchema,
  type SimSending,
  type simSendingResultSchema,
} from "../../../contract/sim-notification-faults.ts";
import { checkedBody, checkedQuery } from "../../../http/checked-body.ts";
import { HttpError } from "../../../http/http-error.ts";
import type { FindOrder } from "../control/find-order.ts";
import type { Ledger, Order, Refund } from "../ledger/ledger.ts";
import { asPaid } from "./false-orders.ts";
import { hasPart, messageChanges, type ChangedMessage, type MessageFaultKind } from "./message-faults.ts";
import {
  genuineDelivery,
  type DueNotification,
  type NotificationSender,
  type PlannedDelivery,
} from "./notification-faults.ts";
import { copiesOf } from "./plan-notifications.ts";
import { expectedOfForgery } from "./unscheduled-notifications.ts";

interface Deps {
  readonly ledger: Pick<Ledger, "refunds">;
  readonly findOrder: FindOrder;
  readonly sender: NotificationSender;
  readonly strangerKey: () => Promise<KeyLike>;
  /** Unix time in ms. */
  readonly now: () => number;
}

type Sending = Exclude<SimSending, { kind: "genuine" | "forged_success" | "notification_duplicate" }>;

const conflict = (message: string) => new HttpError(409, "nothing_to_send", message);
const wasPaid = ({ tradeState }: Order) => tradeState === "SUCCESS" || tradeState === "REFUND";

export function sendingsApi({ ledger, findOrder, sender, strangerKey, now }: Deps): Router {
  const changes = messageChanges(strangerKey);
  const change = changes as Record<
    MessageFaultKind,
    (due: DueNotification, params: unknown) => Promise<ChangedMessage>
  >;

  async function latestRefund(order: Order): Promise<Refund> {
    const refund = (await ledger.refunds(order)).at(-1);
    if (!refund) throw conflict(`The order ${order.outTradeNo} has no refund that could be told of.`);
    return refund;
  }

  /** @throws HttpError 409 where there is nothing to tell, or nobody to tell it to */
  async function compose(order: Order, { kind, params }: SimSending): Promise<DueNotification> {
    const aboutRefund = "about" in params && params.about === "refund";
    if (kind === "genuine" && !aboutRefund && !wasPaid(order))
      throw conflict(`The order ${order.outTradeNo} is ${order.tradeState}: send forged_success to say otherwise.`);
    const due = aboutRefund
      ? await sender.compose(order, await latestRefund(order))
      : await sender.compose(asPaid(order, now()));
    if (!due)
      throw conflict(`The merchant is told nothing of ${order.outTradeNo}: it has no notify_url, or is paid by code.`);
    return due;
  }

  async function changed(due: DueNotification, { kind, params }: Sending): Promise<PlannedDelivery> {
    if (!hasPart(due.content, kind, params))
      throw conflict(
        `${kind} is not for such a notification: version ${due.content.version}, of a ${due.content.about}.`,
      );
    return { ...genuineDelivery(due), ...(await change[kind](due, params)) };
  }

  async function planned(due: DueNotification, sending: SimSending): Promise<readonly PlannedDelivery[]> {
    const { kind, params } = sending;
    if (kind === "genuine" || kind === "forged_success") return [genuineDelivery(due)];
    if (kind === "notification_duplicate")
      return copiesOf(genuineDelivery(due), {
        count: params.copies,
        together: params.concurrent,
        gapMs: params.gap_ms,
      });
    return [await changed(due, sending)];
  }

  /** What says that an unpaid order is paid is a forgery, however right the rest of it is. */
  function judged(plan: PlannedDelivery, order: Order, due: DueNotification): PlannedDelivery {
    if (due.refund || wasPaid(order) || plan.expected === "refuse") return plan;
    return { ...plan, genuine: false, expected: expectedOfForgery(order) };
  }

  const router = Router();
  router.post("/orders/:number/notifications", async (req: Request<{ number: string }>, res) => {
    const order = await findOrder(req.params.number, checkedQuery(req, simOrderQuery).mch_id);
    const sending = await checkedBody(req, simSendingSchema);
    const due = await compose(order, sending);
    const plans = (await planned(due, sending)).map((plan) => judged(plan, order, due));
    const results = await sender.deliver(due, plans);
    const deliveries = results.map((result, index) => ({ ...result, expected: plans[index]?.expected ?? "either" }));
    res.json({ deliveries } satisfies z.input<typeof simSendingResultSchema>);
  });
  return router;
}
