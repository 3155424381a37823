/** Places orders at Alipay, each kind by its own product. */
import { z } from "zod";
import { spacedTime } from "../../../../payment-wire/provider-time.ts";
import { yuanText } from "../../../../payment-wire/yuan.ts";
import { done, mustEqual, reading } from "../call-results.ts";
import type { CallResult, CodeOrderToPay, OrderToPlace, PlacedOrder } from "../provider-client.ts";
import { gatewayPath, noMerchantKey, type GatewayClient } from "./gateway-client.ts";
import { readMembers } from "./reply-alipay.ts";

const text = z.string().min(1);
const tradeSchema = z.looseObject({ out_trade_no: text, trade_no: text });
const codeSchema = z.looseObject({ out_trade_no: text, qr_code: text });

type Place = (order: OrderToPlace) => Promise<CallResult<PlacedOrder>>;

/** All values come from the order, so that a repeated call has the same ones. */
export const orderMembers = (order: Omit<CodeOrderToPay, "authCode">, product: string) => ({
  out_trade_no: order.outTradeNo,
  total_amount: yuanText(order.amount),
  subject: order.description,
  product_code: product,
  time_expire: spacedTime(order.expiresAt),
});

/**
 * @param baseUrl of the gateway, for the buyer's browser
 * @param appId undefined while it cannot be read
 */
export function createPlacing(
  { send, signedHere }: GatewayClient,
  baseUrl: string,
  appId: () => Promise<string | undefined>,
): Readonly<Record<OrderToPlace["tradeType"], Place>> {
  return {
    async JSAPI(order) {
      const content = {
        ...orderMembers(order, "JSAPI_PAY"),
        ...{ buyer_open_id: order.openid, op_app_id: await appId() },
      };
      const result = await send({ name: "placeOrder", method: "alipay.trade.create", content, isNotified: true });
      return reading(result, (reply) => {
        const trade = readMembers(tradeSchema, reply);
        mustEqual("out_trade_no", trade.out_trade_no, order.outTradeNo);
        return { prepayId: trade.trade_no, signType: "RSA2" };
      });
    },
    async NATIVE(order) {
      const content = orderMembers(order, "QR_CODE_OFFLINE");
      const result = await send({ name: "placeOrder", method: "alipay.trade.precreate", content, isNotified: true });
      return reading(result, (reply) => {
        const code = readMembers(codeSchema, reply);
        mustEqual("out_trade_no", code.out_trade_no, order.outTradeNo);
        return { codeUrl: code.qr_code, signType: "RSA2" };
      });
    },
    async APP(order) {
      const orderStr = await signedHere("alipay.trade.app.pay", orderMembers(order, "QUICK_MSECURITY_PAY"));
      return orderStr === undefined ? noMerchantKey() : done({ orderStr, signType: "RSA2" }, {});
    },
    async MWEB(order) {
      const query = await signedHere("alipay.trade.wap.pay", orderMembers(order, "QUICK_WAP_WAY"));
      if (query === undefined) return noMerchantKey();
      return done({ webUrl: `${baseUrl}${gatewayPath}?${query}`, signType: "RSA2" }, {});
    },
  };
}
