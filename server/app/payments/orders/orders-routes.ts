/** The clients' operations on their own orders. Another user's order is refused (403), like other resources. */
import {
  createClosure,
  createOrder,
  createRefund,
  createReversal,
  getOrder,
  listOrders,
} from "../../../contract/app/payment-endpoints.ts";
import { idempotencyKeyHeader, idempotencyKeySchema } from "../../../contract/app/payments.ts";
import { callerAddress } from "../../../http/connection/peer/caller.ts";
import { refuse } from "../../../http/http-error.ts";
import { notesOf } from "../../../http/recording/exchange-notes.ts";
import { pageHeaders } from "../../../http/conventions/paging.ts";
import { route, sessionOf, type CallContext, type Route } from "../../../http/route.ts";
import { validate } from "../../../http/messages/validate.ts";
import type { KeyedMutex } from "./keyed-mutex.ts";
import type { EndOrder } from "./end-order.ts";
import { closeOpenOrder, reversePaymentByCode } from "./order-actions.ts";
import type { Order } from "../store/order-rows.ts";
import type { OrderStore } from "../store/order-store.ts";
import { orderSummary, type OrderView } from "./order-view.ts";
import { pathOfOrder, type OrderPlacer } from "./place-order.ts";
import type { Refunding } from "./refund-order.ts";
import { refundView } from "../store/refund-store.ts";
import { settledOrder, type SettleOrder } from "./settle-order.ts";
import { shareNextRun } from "./share-next-run.ts";
import { isOpen } from "../store/trade-states.ts";

interface Deps {
  readonly store: OrderStore;
  readonly placer: OrderPlacer;
  readonly settle: SettleOrder;
  readonly ending: EndOrder;
  readonly refunding: Refunding;
  readonly mutex: KeyedMutex;
  readonly view: OrderView;
}

/** @throws HttpError 400 for an invalid key */
function keyOf({ req }: CallContext): string | undefined {
  const key = req.headers["idempotency-key"];
  return key === undefined ? undefined : validate(idempotencyKeySchema, key, idempotencyKeyHeader);
}

const clientIpOf = ({ req }: CallContext) => callerAddress(req) || "127.0.0.1";

export function ordersRoutes({ store, placer, settle, ending, refunding, mutex, view }: Deps): Route[] {
  /** @throws HttpError 404, or 403 for another user's */
  async function owned(id: number, context: CallContext): Promise<Order> {
    const order = await store.get(id);
    if (!order) throw refuse("order.none", { id });
    if (order.userId !== sessionOf(context).userId) throw refuse("order.notOwner", { id });
    notesOf(context.res).order = order.outTradeNo;
    return order;
  }

  /** Runs an action on the current order, once it holds the order's mutex. */
  const inTurn = async <T>(id: number, context: CallContext, work: (order: Order) => Promise<T>) => {
    const { outTradeNo } = await owned(id, context);
    return mutex.run(outTradeNo, async () => work(await store.current(outTradeNo)));
  };

  /** Shares queries: while the provider hangs, each client that asks again would otherwise wait for all before it. */
  const inquire = shareNextRun(mutex, async (outTradeNo) =>
    settledOrder(settle, await store.current(outTradeNo), "asked_by_client"),
  );

  return [
    route(createOrder, async ({ body }, context) => {
      const { userId } = sessionOf(context);
      const note = (outTradeNo: string) => void (notesOf(context.res).order = outTradeNo);
      const clientIp = clientIpOf(context);
      const order = await placer.place({ userId, key: keyOf(context), input: body, clientIp }, note);
      return { data: await view(order), headers: { Location: pathOfOrder(order) } };
    }),

    route(listOrders, async ({ query }, context) => {
      const { orders, total } = await store.ofUser(sessionOf(context).userId, query);
      return { data: orders.map(orderSummary), headers: pageHeaders(context.req, query, total) };
    }),

    route(getOrder, async ({ params: { id } }, context) => {
      const known = await owned(id, context);
      return { data: await view(isOpen(known.tradeState) ? await inquire(known.outTradeNo) : known) };
    }),

    route(createClosure, async ({ params: { id } }, context) =>
      inTurn(id, context, async (order) => ({
        data: await view(await closeOpenOrder(ending, order, "asked_by_client")),
      })),
    ),

    route(createRefund, async ({ params: { id }, body }, context) =>
      inTurn(id, context, async (order) => ({
        data: refundView(await refunding.refund(order, { key: keyOf(context), input: body })),
      })),
    ),

    route(createReversal, async ({ params: { id } }, context) =>
      inTurn(id, context, async (order) => ({
        data: await view(await reversePaymentByCode(ending, order, "asked_by_client")),
      })),
    ),
  ];
}
