/** The control route for paying. It runs before Express, because load tests pay as often as they place orders. */
import { simOrderQuery, simPaySchema } from "../../../contract/provider/sim-orders.ts";
import { checkedBody, checkedQuery } from "../../../http/formats/checked-body.ts";
import { pathOf, type Middleware } from "../../../http/middleware.ts";
import { sendBody } from "../../../http/conventions/negotiate.ts";
import type { Ledger, Order } from "../ledger/ledger.ts";
import { refusedAs409, type FindOrder } from "../ledger/find-order.ts";
import { orderView } from "./views.ts";

interface Deps {
  readonly ledger: Pick<Ledger, "pay">;
  readonly findOrder: FindOrder;
  /** Where a buyer pays an order in a browser, if possible. */
  readonly payPage: (order: Order) => string | undefined;
}

const payPath = /^\/sim\/orders\/([^/]+)\/pay\/?$/i;

/** POST /sim/orders/{number}/pay. */
export function payOrder({ ledger, findOrder, payPage }: Deps): Middleware {
  async function pay(...[req, res]: Parameters<Middleware>): Promise<void> {
    const number = decodeURIComponent(payPath.exec(pathOf(req))?.[1] ?? "");
    const { mchId, outTradeNo } = await findOrder(number, checkedQuery(req, simOrderQuery).mch_id);
    const { payer, bank_type } = await checkedBody(req, simPaySchema);
    const by = { ...(payer !== undefined && { payer }), ...(bank_type !== undefined && { bankType: bank_type }) };
    const paid = await refusedAs409(ledger.pay({ mchId, outTradeNo }, by));
    sendBody(req, res, 200, orderView(paid, payPage(paid)), "json", { indent: 0, relaxed: true });
  }

  return (req, res, next) => {
    if (req.method !== "POST" || !payPath.test(pathOf(req))) return next();
    return pay(req, res, next);
  };
}
