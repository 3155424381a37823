/** Control routes for orders: their results, and their buyers' actions except paying (pay-order.ts). */
import { Router, type Request } from "express";
import type { z } from "zod";
import {
  simFailQuery,
  simFailSchema,
  simFinishSchema,
  simNotificationsQuery,
  simOrderQuery,
  simOrdersQuery,
  type simNotificationsSchema,
  type simNotifiedSchema,
  type simOrderDetailsSchema,
  type simOrdersSchema,
} from "../../../contract/provider/sim-orders.ts";
import { checkedBody, checkedQuery } from "../../../http/formats/checked-body.ts";
import { HttpError } from "../../../http/http-error.ts";
import type { CallLog } from "../calls/call-log.ts";
import type { Ledger, Order } from "../ledger/ledger.ts";
import type { NotificationStore, NotificationFilter } from "../notifier/notification-store.ts";
import type { Notifier } from "../notifier/notifier.ts";
import { refusedAs409, type FindOrder } from "../ledger/find-order.ts";
import { callView, notificationView, orderView, refundView } from "./views.ts";

interface Deps {
  readonly ledger: Ledger;
  readonly findOrder: FindOrder;
  readonly callLog: Pick<CallLog, "of">;
  readonly notifications: Pick<NotificationStore, "list" | "attempts">;
  readonly notifier: Pick<Notifier, "sendAgain">;
  /** Where a buyer pays an order in a browser, if possible. */
  readonly payPage: (order: Order) => string | undefined;
}

type Numbered = Request<{ number: string }>;

/** The maximum number of notifications shown per order. */
const mostNotifications = 200;

export function ordersApi({ ledger, findOrder, callLog, notifications, notifier, payPage }: Deps): Router {
  const router = Router();
  const view = (order: Order) => orderView(order, payPage(order));
  const orderOf = (req: Numbered) => findOrder(req.params.number, checkedQuery(req, simOrderQuery).mch_id);
  const keyOf = ({ mchId, outTradeNo }: Order) => ({ mchId, outTradeNo });

  async function notificationViews(filter: NotificationFilter) {
    const rows = await notifications.list(filter);
    const attempts = await notifications.attempts(rows.map(({ id }) => id));
    return rows.map((row) => notificationView(row, attempts));
  }

  router.get("/orders", async (req, res) => {
    const { mch_id, trade_state, q, limit, before } = checkedQuery(req, simOrdersQuery);
    const orders = await ledger.list({
      limit,
      ...(mch_id !== undefined && { mchId: mch_id }),
      ...(trade_state !== undefined && { tradeState: trade_state }),
      ...(q !== undefined && { text: q }),
      ...(before !== undefined && { before }),
    });
    const page = { orders: orders.map(view), next_before: nextBefore(orders, limit) };
    res.json(page satisfies z.input<typeof simOrdersSchema>);
  });

  router.get("/orders/:number", async (req: Numbered, res) => {
    const order = await orderOf(req);
    const [refunds, calls, notified] = await Promise.all([
      ledger.refunds(keyOf(order)),
      callLog.of(order),
      notificationViews({ ...keyOf(order), limit: mostNotifications }),
    ]);
    res.json({
      order: view(order),
      refunds: refunds.map((refund) => refundView(refund, order)),
      calls: calls.map(callView),
      notifications: notified.toReversed(),
    } satisfies z.input<typeof simOrderDetailsSchema>);
  });

  router.post("/orders/:number/fail", async (req: Numbered, res) => {
    const { mch_id, how: inQuery } = checkedQuery(req, simFailQuery);
    const order = await findOrder(req.params.number, mch_id);
    const { how = inQuery ?? "bank" } = await checkedBody(req, simFailSchema);
    res.json(view(await refusedAs409(ledger.failPayment(keyOf(order), how))));
  });

  router.post("/orders/:number/ask-password", async (req: Numbered, res) => {
    const order = await orderOf(req);
    res.json(view(await refusedAs409(ledger.askPassword(keyOf(order)))));
  });

  router.post("/orders/:number/expire", async (req: Numbered, res) => {
    const order = await orderOf(req);
    res.json(view(await refusedAs409(ledger.expire(keyOf(order)))));
  });

  /** Sends the latest notification again. If it waits for a retry, this counts as the retry. */
  router.post("/orders/:number/notify", async (req: Numbered, res) => {
    const order = await orderOf(req);
    const reported = await notifications.list({ ...keyOf(order), limit: mostNotifications });
    const latest = reported.find(({ state }) => state !== "unscheduled");
    if (!latest)
      throw new HttpError(
        409,
        "nothing_to_tell",
        `The merchant was told nothing of it: it is ${whyNotNotified(order)}.`,
      );
    const deliveries = await notifier.sendAgain(latest.id);
    if (!deliveries)
      throw new HttpError(409, "being_delivered", "It is being delivered just now: try again when it was answered.");
    res.json({ deliveries: [...deliveries] } satisfies z.input<typeof simNotifiedSchema>);
  });

  router.post("/refunds/:refundId/finish", async (req, res) => {
    const { status } = await checkedBody(req, simFinishSchema);
    const refund = await refusedAs409(ledger.finishRefund(req.params.refundId, status));
    res.json(refundView(refund, await ledger.orderOf(refund)));
  });

  router.get("/notifications", async (req, res) => {
    const { mch_id, out_trade_no, ...filter } = checkedQuery(req, simNotificationsQuery);
    const page = await notificationViews({ mchId: mch_id, outTradeNo: out_trade_no, ...filter });
    res.json({ notifications: page, next_before: nextBefore(page, filter.limit) } satisfies z.input<
      typeof simNotificationsSchema
    >);
  });

  return router;
}

const nextBefore = (page: readonly { readonly id: number }[], limit: number): number | undefined =>
  page.length < limit ? undefined : page.at(-1)?.id;

function whyNotNotified({ tradeState, tradeType, notifyUrl }: Order): string {
  if (tradeType === "MICROPAY") return "an order by payment code, of which nobody is notified";
  if (notifyUrl === undefined) return "an order without a notify_url";
  return `${tradeState}, and was never paid`;
}
