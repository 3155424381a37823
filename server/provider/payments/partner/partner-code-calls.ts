/** Payments of sub-merchants by a code that the buyer shows, and their reversal, in version 3. */
import type { Ledger, Order } from "../ledger/ledger.ts";
import type { Merchant, Merchants } from "../merchants/merchants.ts";
import { checkApp, checkProduct, toOrderRequestV3 } from "../v3/order-request-v3.ts";
import { orderNumber, readAs, readBodyV3 } from "../v3/requests-v3.ts";
import { checkMerchant, type PreparedCall, type RequestV3, type RouteV3 } from "../v3/route-v3.ts";
import { orderV3 } from "../v3/views-v3.ts";
import { partnerCodeBody, partnerReverseBody } from "./partner-requests.ts";
import { checkBinding, orderOfSub, subMerchantOf } from "./sub-merchant.ts";

interface Deps {
  readonly ledger: Pick<Ledger, "payByCode" | "reverse" | "get">;
  readonly merchants: Pick<Merchants, "get">;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** A request may leave out the provider's app. */
const appOf = ({ appIds }: Merchant, named: string | undefined): string => named ?? appIds[0] ?? "";

export function partnerCodeCalls({ ledger, merchants, now }: Deps): readonly RouteV3[] {
  function pay(request: RequestV3): PreparedCall<Order> {
    const { sp_appid, sp_mchid, sub_mchid, sub_appid, payer, ...body } = readAs(
      partnerCodeBody,
      readBodyV3(request.body),
      "body",
    );
    checkMerchant(request, sp_mchid);
    return {
      outTradeNo: body.out_trade_no,
      async perform({ codePayment }) {
        const appid = appOf(request.merchant, sp_appid);
        checkProduct(request.merchant, appid, "MICROPAY");
        const sub_merchant = { sub_mchid, ...(sub_appid !== undefined && { sub_appid }) };
        await checkBinding(merchants, request.merchant, sub_merchant, "MICROPAY");
        const direct = { ...body, appid, mchid: sp_mchid, payer: undefined };
        const order = toOrderRequestV3(direct, request.from, "MICROPAY", now());
        return ledger.payByCode({ ...order, extra: { ...order.extra, sub_merchant } }, payer.auth_code, codePayment);
      },
      view: orderV3,
    };
  }

  function reverse(request: RequestV3): PreparedCall<Order> {
    const { out_trade_no: outTradeNo } = readAs(orderNumber, request.params, "uri_template");
    const { sp_appid, sp_mchid, sub_mchid } = readAs(partnerReverseBody, readBodyV3(request.body), "body");
    checkMerchant(request, sp_mchid);
    return {
      outTradeNo,
      async perform() {
        checkApp(request.merchant, appOf(request.merchant, sp_appid));
        const key = { mchId: sp_mchid, outTradeNo, sandbox: false };
        await orderOfSub(ledger, key, sub_mchid);
        return ledger.reverse(key);
      },
      view: (order) => {
        const sub_appid = subMerchantOf(order)?.sub_appid;
        const sub = { sub_mchid, ...(sub_appid !== undefined && { sub_appid }) };
        return { sp_appid: order.appId, sp_mchid, ...sub, out_trade_no: outTradeNo };
      },
    };
  }

  const orders = "/v3/pay/partner/transactions";
  return [
    { name: "micropay", method: "POST", path: `${orders}/codepay`, prepare: pay },
    { name: "reverse", method: "POST", path: `${orders}/out-trade-no/{out_trade_no}/reverse`, prepare: reverse },
  ];
}
