/** The calls by which a service provider places, queries and closes orders of its sub-merchants, in version 3. */
import type { Keys } from "../keys/keys.ts";
import type { Ledger, Order, OrderRequest } from "../ledger/ledger.ts";
import type { Merchants } from "../merchants/merchants.ts";
import { closeOrderV3 } from "../v3/close-order-v3.ts";
import { checkProduct, toOrderRequestV3 } from "../v3/order-request-v3.ts";
import { readIdentity, type PayerIdentity } from "../v3/payer-fields-v3.ts";
import { orderProducts, placedOrderV3, tradeTypes, type OrderProduct } from "../v3/placed-order-v3.ts";
import { orderNumberPaths, type OrderNumberPath } from "../v3/order-number-paths.ts";
import { orderNumber, readAs, readBodyV3 } from "../v3/requests-v3.ts";
import { checkMerchant, type PreparedCall, type RouteV3 } from "../v3/route-v3.ts";
import { orderV3 } from "../v3/views-v3.ts";
import { partnerCodeCalls } from "./partner-code-calls.ts";
import { bySubMerchant, partnerOrderBodies, type PartnerOrderBody } from "./partner-requests.ts";
import { checkBinding, orderOfSub, type SubMerchant } from "./sub-merchant.ts";

interface Deps {
  readonly ledger: Pick<Ledger, "place" | "get" | "close" | "payByCode" | "reverse">;
  readonly merchants: Pick<Merchants, "get">;
  readonly keys: Pick<Keys, "platformKey">;
  /** Where the buyer of an order for a mobile browser pays. */
  readonly payPage: (order: Order) => string;
  /** Unix time in ms. */
  readonly now: () => number;
}

const orders = "/v3/pay/partner/transactions";

const subMerchantIn = ({ sub_mchid, sub_appid, payer }: PartnerOrderBody): SubMerchant => ({
  sub_mchid,
  ...(sub_appid !== undefined && { sub_appid }),
  ...(payer?.sub_openid !== undefined && { sub_openid: payer.sub_openid }),
});

interface Placed {
  readonly product: OrderProduct;
  readonly from: string | undefined;
  /** Unix ms. */
  readonly now: number;
  readonly identity: PayerIdentity;
}

function toPartnerOrder(body: PartnerOrderBody, { product, from, now, identity }: Placed): OrderRequest {
  const openid = body.payer?.sp_openid ?? body.payer?.sub_openid;
  const direct = { ...body, appid: body.sp_appid, mchid: body.sp_mchid, payer: { openid } };
  const request = toOrderRequestV3(direct, from, tradeTypes[product], now, identity);
  return { ...request, extra: { ...request.extra, sub_merchant: subMerchantIn(body) } };
}

const place = (product: OrderProduct, { ledger, merchants, keys, payPage, now }: Deps): RouteV3 => ({
  name: "unifiedorder",
  method: "POST",
  path: `${orders}/${product}`,
  prepare(request): PreparedCall<Order> {
    const body: PartnerOrderBody = readAs(partnerOrderBodies[product], readBodyV3(request.body), "body");
    checkMerchant(request, body.sp_mchid);
    return {
      outTradeNo: body.out_trade_no,
      async perform() {
        checkProduct(request.merchant, body.sp_appid, tradeTypes[product]);
        await checkBinding(merchants, request.merchant, subMerchantIn(body), tradeTypes[product]);
        const { from, serial } = request;
        const identity = await readIdentity(keys, "payer/identity", body.payer?.identity, serial);
        return ledger.place(toPartnerOrder(body, { product, from, now: now(), identity }));
      },
      view: (order) => placedOrderV3(product, order, payPage),
    };
  },
});

const query = ({ path, keyOf }: OrderNumberPath, { ledger }: Deps): RouteV3 => ({
  name: "orderquery",
  method: "GET",
  path: `${orders}/${path}`,
  prepare(request): PreparedCall<Order> {
    const key = keyOf(request.params);
    const { sp_mchid: mchId, sub_mchid } = readAs(bySubMerchant, request.query, "query");
    checkMerchant(request, mchId);
    return { ...key, perform: () => orderOfSub(ledger, { mchId, ...key, sandbox: false }, sub_mchid), view: orderV3 };
  },
});

const close = ({ ledger }: Deps): RouteV3 => ({
  name: "closeorder",
  method: "POST",
  path: `${orders}/out-trade-no/{out_trade_no}/close`,
  prepare(request): PreparedCall<Order> {
    const { out_trade_no: outTradeNo } = readAs(orderNumber, request.params, "uri_template");
    const { sp_mchid: mchId, sub_mchid } = readAs(bySubMerchant, readBodyV3(request.body), "body");
    checkMerchant(request, mchId);
    const key = { mchId, outTradeNo, sandbox: false };
    return { outTradeNo, perform: () => closeOrderV3(ledger, key, sub_mchid), view: () => undefined };
  },
});

export const partnerCalls = (deps: Deps): readonly RouteV3[] => [
  ...orderProducts.map((product) => place(product, deps)),
  ...orderNumberPaths.map((numbered) => query(numbered, deps)),
  close(deps),
  ...partnerCodeCalls(deps),
];
