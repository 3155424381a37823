/** Payments by a code that the buyer shows, and their reversal. */
import type { Ledger, Order } from "../ledger/ledger.ts";
import { orderOfSub } from "../partner/sub-merchant.ts";
import { checkApp, checkProduct, toOrderRequestV3 } from "./order-request-v3.ts";
import { codeOrderBody, orderNumber, readAs, readBodyV3, reverseBody } from "./requests-v3.ts";
import { checkMerchant, type PreparedCall, type RequestV3, type RouteV3 } from "./route-v3.ts";
import { orderV3 } from "./views-v3.ts";

interface Deps {
  readonly ledger: Pick<Ledger, "payByCode" | "reverse" | "get">;
  /** Unix time in ms. */
  readonly now: () => number;
}

export function codeCallsV3({ ledger, now }: Deps): readonly RouteV3[] {
  function pay(request: RequestV3): PreparedCall<Order> {
    const body = readAs(codeOrderBody, readBodyV3(request.body), "body");
    checkMerchant(request, body.mchid);
    return {
      outTradeNo: body.out_trade_no,
      async perform({ codePayment }) {
        checkProduct(request.merchant, body.appid, "MICROPAY");
        const order = toOrderRequestV3({ ...body, payer: undefined }, request.from, "MICROPAY", now());
        return ledger.payByCode(order, body.payer.auth_code, codePayment);
      },
      view: orderV3,
    };
  }

  function reverse(request: RequestV3): PreparedCall<Order> {
    const { out_trade_no: outTradeNo } = readAs(orderNumber, request.params, "uri_template");
    const { appid, mchid } = readAs(reverseBody, readBodyV3(request.body), "body");
    checkMerchant(request, mchid);
    return {
      outTradeNo,
      async perform() {
        checkApp(request.merchant, appid);
        const key = { mchId: mchid, outTradeNo, sandbox: false };
        await orderOfSub(ledger, key, undefined);
        return ledger.reverse(key);
      },
      view: ({ appId, mchId }) => ({ appid: appId, mchid: mchId, out_trade_no: outTradeNo }),
    };
  }

  return [
    { name: "micropay", method: "POST", path: "/v3/pay/transactions/codepay", prepare: pay },
    {
      name: "reverse",
      method: "POST",
      path: "/v3/pay/transactions/out-trade-no/{out_trade_no}/reverse",
      prepare: reverse,
    },
  ];
}
