/** Control routes for orders: what came of each, and what its buyer does. */
import {
  askPasswordOfSimOrder,
  closeSimOrder,
  expireSimOrder,
  failSimOrder,
  finishSimRefund,
  getSimOrder,
  listSimNotifications,
  listSimOrders,
  listSimUndelivered,
  notifyOfSimOrder,
  paySimOrder,
} from "../../../contract/provider/sim-operations.ts";
import { badRequest, HttpError } from "../../../http/http-error.ts";
import { notesOf } from "../../../http/recording/exchange-notes.ts";
import { route, type CallContext, type Route } from "../../../http/route.ts";
import type { CallLog } from "../calls/call-log.ts";
import type { Ledger, Order } from "../ledger/ledger.ts";
import type { NotificationStore, NotificationFilter } from "../notifier/notification-store.ts";
import type { Notifier } from "../notifier/notifier.ts";
import { refusedAs409, type FindOrder } from "../ledger/find-order.ts";
import { callView, failedAttemptView, notificationView, orderView, simRefundView } from "./views.ts";

interface Deps {
  readonly ledger: Ledger;
  readonly findOrder: FindOrder;
  readonly callLog: Pick<CallLog, "of">;
  readonly notifications: Pick<NotificationStore, "list" | "attempts" | "undelivered">;
  readonly notifier: Pick<Notifier, "resend" | "heldOf">;
  /** Where a buyer pays an order in a browser, if possible. */
  readonly payPage: (order: Order) => string | undefined;
}

interface NamedOrder {
  readonly params: { readonly out_trade_no: string };
  readonly query: { readonly mch_id?: string | undefined };
}

/** The maximum number of notifications shown per order. */
const mostNotifications = 200;
const mostUndelivered = 500;

/** The changes that need no more than the order. */
const changes = [
  [askPasswordOfSimOrder, "askPassword"],
  [closeSimOrder, "close"],
  [expireSimOrder, "expire"],
] as const;

export function orderRoutes({ ledger, findOrder, callLog, notifications, notifier, payPage }: Deps): Route[] {
  const view = (order: Order) => orderView(order, payPage(order));
  const keyOf = ({ mchId, outTradeNo }: Order) => ({ mchId, outTradeNo });
  /** The order that a request names. */
  const named = ({ params, query }: NamedOrder, { res }: CallContext) => {
    notesOf(res).order = params.out_trade_no;
    return findOrder(params.out_trade_no, query.mch_id);
  };

  async function notificationViews(filter: NotificationFilter) {
    const rows = await notifications.list(filter);
    const attempts = await notifications.attempts(rows.map(({ id }) => id));
    return rows.map((row) => notificationView(row, attempts, notifier.heldOf(row.id)));
  }

  return [
    route(listSimOrders, async ({ query }) => {
      const { mch_id, trade_state, q, without_internal, limit, before, sort, offset } = query;
      const filter = {
        mchId: mch_id,
        tradeState: trade_state,
        text: q,
        withoutInternal: without_internal,
      };
      // Reading them applies changes of their states that are due by time.
      const orders = await ledger.list({ ...filter, limit, before, sort, offset });
      const next_before = sort === undefined ? nextBefore(orders, limit) : undefined;
      return { data: { orders: orders.map(view), ...(await ledger.count(filter)), next_before } };
    }),

    route(getSimOrder, async (input, context) => {
      const order = await named(input, context);
      const [attempts, refunds, calls, notified] = await Promise.all([
        ledger.failedAttempts(order),
        ledger.refunds(keyOf(order)),
        callLog.of(order),
        notificationViews({ ...keyOf(order), limit: mostNotifications }),
      ]);
      return {
        data: {
          order: view(order),
          attempts: attempts.map(failedAttemptView),
          refunds: refunds.map((refund) => simRefundView(refund, order)),
          calls: calls.map(callView),
          notifications: notified.toReversed(),
        },
      };
    }),

    route(paySimOrder, async (input, context) => {
      const { payer, bank_type, coupon_fen } = input.body;
      const order = await named(input, context);
      if (coupon_fen !== undefined && coupon_fen >= order.total)
        throw badRequest("coupon_too_large", "coupon_fen must be less than the order's total.", "coupon_fen");
      const by = { payer, bankType: bank_type, couponFee: coupon_fen };
      return { data: view(await refusedAs409(ledger.pay(keyOf(order), by))) };
    }),

    route(failSimOrder, async (input, context) => {
      const { how = input.query.how ?? "bank" } = input.body;
      return { data: view(await refusedAs409(ledger.failPayment(keyOf(await named(input, context)), how))) };
    }),

    ...changes.map(([spec, name]) =>
      route(spec, async (input, context) => ({
        data: view(await refusedAs409(ledger[name](keyOf(await named(input, context))))),
      })),
    ),

    route(notifyOfSimOrder, async (input, context) => {
      const order = await named(input, context);
      const sent = await notifications.list({ ...keyOf(order), limit: mostNotifications });
      const latest = sent.find(({ state }) => state !== "unscheduled");
      if (!latest)
        throw new HttpError(
          409,
          "nothing_to_tell",
          `The merchant got no notification: it is ${whyNotNotified(order)}.`,
        );
      const deliveries = await notifier.resend(latest.id);
      if (!deliveries)
        throw new HttpError(409, "being_delivered", "The notification is being delivered. Try again after the reply.");
      return { data: { deliveries: [...deliveries] } };
    }),

    route(finishSimRefund, async ({ params: { refund_id }, body: { status } }) => {
      const refund = await refusedAs409(ledger.finishRefund(refund_id, status));
      return { data: simRefundView(refund, await ledger.orderOf(refund)) };
    }),

    route(listSimUndelivered, async () => ({ data: { orders: await notifications.undelivered(mostUndelivered) } })),

    route(listSimNotifications, async ({ query: { mch_id, out_trade_no, ...filter } }) => {
      const page = await notificationViews({ mchId: mch_id, outTradeNo: out_trade_no, ...filter });
      return { data: { notifications: page, next_before: nextBefore(page, filter.limit) } };
    }),
  ];
}

const nextBefore = (page: readonly { readonly id: number }[], limit: number): number | undefined =>
  page.length < limit ? undefined : page.at(-1)?.id;

function whyNotNotified({ tradeState, tradeType, notifyUrl }: Order): string {
  if (tradeType === "MICROPAY") return "an order by payment code, which has no notification";
  if (notifyUrl === undefined) return "an order without a notify_url";
  return `${tradeState}and was never paid`;
}
