/** The console's operations on the orders of all users. */
import { message } from "../../../contract/messages/message.ts";
import { isDeepStrictEqual } from "node:util";
import type { ExpressionBuilder, Kysely } from "kysely";
import {
  closeStoredOrder,
  getStoredOrder,
  listStoredOrders,
  queryStoredOrder,
  refundStoredOrder,
  reverseStoredOrder,
} from "../../../contract/console/stored-order-endpoints.ts";
import { internalNumberPatterns } from "../../../contract/provider/internal-people.ts";
import { tradeState, type TradeState } from "../../../contract/provider/payment-terms.ts";
import type { StoredOrderDetail, StoredOrderPage, StoredOrderQuery } from "../../../contract/app/payments.ts";
import { refuse } from "../../../http/http-error.ts";
import { inLanguageOf } from "../../../http/messages/in-language.ts";
import { route, type CallContext, type Route } from "../../../http/route.ts";
import { contains } from "../../../store/contains.ts";
import type { KeyedMutex } from "./keyed-mutex.ts";
import type { EndOrder } from "./end-order.ts";
import { closeOpenOrder, reversePaymentByCode } from "./order-actions.ts";
import { decision } from "../store/order-history.ts";
import { toOrder, type Order } from "../store/order-rows.ts";
import type { OrderStore } from "../store/order-store.ts";
import { storedOrder } from "./order-view.ts";
import type { Refunding } from "./refund-order.ts";
import type { PaymentsTables } from "../store/orders-tables.ts";
import { refundView, type RefundStore } from "../store/refund-store.ts";
import type { SettleOrder } from "./settle-order.ts";

interface Deps {
  readonly db: Kysely<PaymentsTables>;
  readonly store: OrderStore;
  readonly refunds: Pick<RefundStore, "ofOrder">;
  readonly settle: SettleOrder;
  readonly ending: EndOrder;
  readonly refunding: Refunding;
  readonly mutex: KeyedMutex;
}

/** The reason in the history for actions at the console. */
const byPerson = "asked_by_person";

const searched = ["out_trade_no", "transaction_id", "description"] as const;

function narrowed(e: ExpressionBuilder<PaymentsTables, "orders">, query: Partial<StoredOrderQuery>) {
  const { amount_mismatch, out_trade_no, without_internal, q = "" } = query;
  return e.and([
    ...(amount_mismatch === undefined ? [] : [e("amount_mismatch", "=", amount_mismatch ? 1 : 0)]),
    ...(out_trade_no === undefined ? [] : [e("out_trade_no", "=", out_trade_no)]),
    ...(without_internal ? internalNumberPatterns.map((pattern) => e("out_trade_no", "not like", pattern)) : []),
    ...(q === "" ? [] : [e.or(searched.map((column) => contains(e.ref(column), q)))]),
  ]);
}

const zeroByState = () => Object.fromEntries(tradeState.options.map((one) => [one, 0])) as Record<TradeState, number>;

async function pageOf({ db }: Deps, query: StoredOrderQuery): Promise<StoredOrderPage> {
  const { trade_state: state, before, limit } = query;
  const counted = await db
    .selectFrom("orders")
    .select((e) => ["trade_state", e.fn.countAll<number>().as("orders"), e.fn.sum<number>("amount").as("fen")])
    .where((e) => narrowed(e, query))
    .groupBy("trade_state")
    .execute();
  const counts = zeroByState();
  const amounts = zeroByState();
  for (const { trade_state, orders, fen } of counted) {
    counts[trade_state] = orders;
    amounts[trade_state] = fen;
  }
  const rows = await db
    .selectFrom("orders")
    .selectAll()
    .where((e) => narrowed(e, query))
    .$if(state !== undefined, (chosen) => chosen.where("trade_state", "=", state as TradeState))
    .$if(before !== undefined, (chosen) => chosen.where("id", "<", before ?? 0))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  const all = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const { stored } = await db
    .selectFrom("orders")
    .select((e) => e.fn.countAll<number>().as("stored"))
    .where((e) => narrowed(e, { without_internal: query.without_internal }))
    .executeTakeFirstOrThrow();
  return {
    orders: rows.map(toOrder).map(storedOrder),
    total: state === undefined ? all : counts[state],
    stored,
    counts,
    amounts,
  };
}

export function ordersConsoleRoutes(deps: Deps): Route[] {
  const { store, refunds, settle, ending, refunding, mutex } = deps;
  /** @throws HttpError 404 */
  async function get(id: number): Promise<Order> {
    const order = await store.get(id);
    if (!order) throw refuse("order.none", { id });
    return order;
  }
  /** Reads the order again until it and its history agree. Texts are in the reader's language. */
  async function detail(id: number, { req, res }: CallContext): Promise<StoredOrderDetail> {
    const inLanguage = inLanguageOf(req, res);
    for (;;) {
      const [order, ofOrder, history] = await Promise.all([get(id), refunds.ofOrder(id), store.history(id)]);
      if (!isDeepStrictEqual(await get(id), order)) continue;
      return {
        ...storedOrder(order),
        refunds: ofOrder.map((refund) => refundView(refund, inLanguage)),
        history: history.map((entry) => ({ ...entry, text: inLanguage(entry.text) })),
      };
    }
  }

  /** Runs an action once it holds the order's mutex; returns the changed order. */
  const inTurn = async (id: number, context: CallContext, work: (order: Order) => Promise<unknown>) => {
    const { outTradeNo } = await get(id);
    await mutex.run(outTradeNo, async () => work(await store.current(outTradeNo)));
    return { data: await detail(id, context) };
  };

  return [
    route(listStoredOrders, async ({ query }) => ({ data: await pageOf(deps, query) })),
    route(getStoredOrder, async ({ params: { id } }, context) => ({ data: await detail(id, context) })),
    route(queryStoredOrder, ({ params: { id }, body: { lift_mismatch } }, context) =>
      inTurn(id, context, async (order) => {
        const text = message("history.lifted");
        const inquired =
          lift_mismatch && order.amountMismatch
            ? await store.change(order.outTradeNo, { amount_mismatch: 0 }, [decision("mismatch", "lifted", text)])
            : order;
        await settle(inquired, { why: byPerson });
      }),
    ),
    route(closeStoredOrder, ({ params: { id } }, context) =>
      inTurn(id, context, (order) => closeOpenOrder(ending, order, byPerson)),
    ),
    route(refundStoredOrder, ({ params: { id }, body }, context) =>
      inTurn(id, context, (order) => refunding.refund(order, { key: undefined, input: body })),
    ),
    route(reverseStoredOrder, ({ params: { id } }, context) =>
      inTurn(id, context, (order) => reversePaymentByCode(ending, order, byPerson)),
    ),
  ];
}
