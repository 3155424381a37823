/** The calls by which a merchant places, queries and closes combined orders, in version 3. */
import type { Keys } from "../keys/keys.ts";
import type { Ledger, Order } from "../ledger/ledger.ts";
import type { Merchants } from "../merchants/merchants.ts";
import { readIdentity } from "../v3/payer-fields-v3.ts";
import { orderProducts, placedOrderV3, tradeTypes, type OrderProduct } from "../v3/placed-order-v3.ts";
import { readAs, readBodyV3 } from "../v3/requests-v3.ts";
import { checkMerchant, type PreparedCall, type RouteV3 } from "../v3/route-v3.ts";
import { checkMerchants, closeCombined, toCombinedOrder, toPart } from "./combined-order.ts";
import {
  combinedCloseBody,
  combinedNumber,
  combinedOrderBodies,
  type CombinedOrderBody,
} from "./combined-requests-v3.ts";
import { combinedOrderV3 } from "./combined-views-v3.ts";

interface Deps {
  readonly ledger: Pick<Ledger, "placeCombined" | "get" | "close">;
  readonly merchants: Pick<Merchants, "get">;
  readonly keys: Pick<Keys, "platformKey">;
  /** Where the buyer of an order for a mobile browser pays. */
  readonly payPage: (order: Order) => string;
  /** Unix time in ms. */
  readonly now: () => number;
}

const orders = "/v3/combine-transactions";
const byNumber = `${orders}/out-trade-no/{combine_out_trade_no}`;

function place(product: OrderProduct, { ledger, merchants, keys, payPage, now }: Deps): RouteV3 {
  const tradeType = tradeTypes[product];
  return {
    name: "unifiedorder",
    method: "POST",
    path: `${orders}/${product}`,
    prepare(request): PreparedCall<Order> {
      const body: CombinedOrderBody = readAs(combinedOrderBodies[product], readBodyV3(request.body), "body");
      checkMerchant(request, body.combine_mchid);
      return {
        outTradeNo: body.combine_out_trade_no,
        async perform() {
          await checkMerchants(merchants, body, tradeType);
          const given = body.combine_payer_info?.identity;
          const identity = await readIdentity(keys, "combine_payer_info/identity", given, request.serial);
          const placed = { body, tradeType, from: request.from, identity, now: now() };
          const parts = body.sub_orders.map((part) => toPart(placed, part));
          return ledger.placeCombined(toCombinedOrder(placed), parts);
        },
        view: (order) => placedOrderV3(product, order, payPage),
      };
    },
  };
}

const query = ({ ledger }: Deps): RouteV3 => ({
  name: "orderquery",
  method: "GET",
  path: byNumber,
  prepare({ params, merchant: { mchId } }): PreparedCall<Order> {
    const { combine_out_trade_no: outTradeNo } = readAs(combinedNumber, params, "uri_template");
    return {
      outTradeNo,
      perform: () => ledger.get({ mchId, outTradeNo, combined: true }),
      view: (order) => combinedOrderV3(order, order.parts ?? []),
    };
  },
});

const close = ({ ledger }: Deps): RouteV3 => ({
  name: "closeorder",
  method: "POST",
  path: `${byNumber}/close`,
  prepare({ params, body: text, merchant: { mchId } }): PreparedCall<Order> {
    const { combine_out_trade_no: outTradeNo } = readAs(combinedNumber, params, "uri_template");
    const body = readAs(combinedCloseBody, readBodyV3(text), "body");
    return {
      outTradeNo,
      perform: () => closeCombined(ledger, { mchId, outTradeNo, combined: true }, body),
      view: () => undefined,
    };
  },
});

export const combinedCallsV3 = (deps: Deps): readonly RouteV3[] => [
  ...orderProducts.map((product) => place(product, deps)),
  query(deps),
  close(deps),
];
