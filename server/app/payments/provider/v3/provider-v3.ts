/** The payment provider's API of version 3: JSON, signed with RSA in both directions. */
import { z } from "zod";
import { refundStatus } from "../../../../contract/provider/payment-terms.ts";
import { offsetTime } from "../../../../payment-wire/provider-time.ts";
import type { CallV3, SignedCall } from "./call-v3.ts";
import { mustEqual, reading } from "../call-results.ts";
import type { MerchantCall } from "../../../../contract/provider/payment-errors/error-codes.ts";
import type { PlatformKeys } from "./keys-v3.ts";
import type {
  CallResult,
  CodeOrderToPay,
  OrderToPlace,
  PaymentCalls,
  QueriedOrder,
  QueriedRefund,
} from "../provider-client.ts";
import { readTradeState, withPayment } from "../read-order-fields.ts";
import { readJsonReply, readReplyV3 } from "./reply-v3.ts";

interface Options {
  readonly call: CallV3;
  readonly keys: PlatformKeys;
  readonly merchant: { readonly mchId: string; readonly appId: string };
  /** The URLs to which the provider reports payments and refunds. */
  readonly notifyUrls: () => { readonly payment: string; readonly refund: string };
  /** Unix ms by a real clock, for comparison with the platform's. */
  readonly now: () => number;
}

const paths = { JSAPI: "jsapi", NATIVE: "native", APP: "app", MWEB: "h5" } as const;
const text = z.string().min(1);
const fen = z.int().min(0);
const placedSchemas = {
  JSAPI: z.looseObject({ prepay_id: text }).transform(({ prepay_id }) => ({ prepayId: prepay_id })),
  APP: z.looseObject({ prepay_id: text }).transform(({ prepay_id }) => ({ prepayId: prepay_id })),
  NATIVE: z.looseObject({ code_url: text }).transform(({ code_url }) => ({ codeUrl: code_url })),
  MWEB: z.looseObject({ h5_url: text }).transform(({ h5_url }) => ({ webUrl: h5_url })),
};
const orderSchema = z.looseObject({
  appid: text,
  mchid: text,
  out_trade_no: text,
  trade_state: text,
  trade_state_desc: z.string().default(""),
  transaction_id: text.optional(),
  success_time: text.optional(),
  amount: z.looseObject({ total: fen.optional(), currency: text.default("CNY") }).optional(),
});
const reversalSchema = z.looseObject({ out_trade_no: text });
const refundSchema = z.looseObject({
  out_refund_no: text,
  out_trade_no: text,
  refund_id: text,
  status: refundStatus,
  success_time: text.optional(),
  amount: z.looseObject({ refund: fen }),
});

export function createProviderV3({ call, keys, merchant, notifyUrls, now }: Options): PaymentCalls {
  const { mchId } = merchant;

  const send = async (name: MerchantCall, request: SignedCall): Promise<CallResult<string>> =>
    readReplyV3(await call(request), { call: name, keys, now: now() });

  return {
    version: "v3",

    async placeOrder(order) {
      const path = `/v3/pay/transactions/${paths[order.tradeType]}`;
      const json = orderToSend(order, merchant, notifyUrls().payment);
      return reading(await send("placeOrder", { method: "POST", path, json }), (reply) => ({
        ...readJsonReply(placedSchemas[order.tradeType], reply),
        signType: "RSA",
      }));
    },

    queryOrder: async (outTradeNo, withinMs) =>
      reading(
        await send("queryOrder", { method: "GET", path: `${orderPath(outTradeNo)}?mchid=${mchId}`, withinMs }),
        (reply) => readOrder(reply, outTradeNo, merchant),
      ),

    closeOrder: async (outTradeNo) => {
      const path = `${orderPath(outTradeNo)}/close`;
      return reading(await send("closeOrder", { method: "POST", path, json: { mchid: mchId } }), () => undefined);
    },

    async refund({ outTradeNo, outRefundNo, total, amount, reason }) {
      const json = {
        out_trade_no: outTradeNo,
        out_refund_no: outRefundNo,
        reason,
        notify_url: notifyUrls().refund,
        amount: { refund: amount, total, currency: "CNY" },
      };
      const result = await send("refund", { method: "POST", path: "/v3/refund/domestic/refunds", json });
      return reading(result, (reply) => readRefund(reply, outRefundNo, outTradeNo));
    },

    async queryRefund({ outRefundNo }, withinMs) {
      const path = `/v3/refund/domestic/refunds/${encodeURIComponent(outRefundNo)}`;
      const result = await send("queryRefund", { method: "GET", path, withinMs });
      return reading(result, (reply) => readRefund(reply, outRefundNo));
    },

    async payByCode(order) {
      const json = {
        ...orderFields(order, merchant),
        payer: { auth_code: order.authCode },
        // The provider asks for the store; the merchant is its only one.
        scene_info: { device_ip: order.clientIp, store_info: { out_id: mchId } },
      };
      const result = await send("payByCode", { method: "POST", path: "/v3/pay/transactions/codepay", json });
      return reading(result, (reply) => readOrder(reply, order.outTradeNo, merchant));
    },

    async reverseOrder(outTradeNo) {
      const path = `${orderPath(outTradeNo)}/reverse`;
      const result = await send("reverseOrder", {
        method: "POST",
        path,
        json: { appid: merchant.appId, mchid: mchId },
      });
      return reading(result, (reply) => {
        mustEqual("out_trade_no", readJsonReply(reversalSchema, reply).out_trade_no, outTradeNo);
        return { again: false };
      });
    },
  };
}

const orderPath = (outTradeNo: string) => `/v3/pay/transactions/out-trade-no/${encodeURIComponent(outTradeNo)}`;

/** All values come from the order, so that a repeated call has the same ones. */
const orderFields = (order: Omit<CodeOrderToPay, "authCode">, { mchId, appId }: Options["merchant"]) => ({
  appid: appId,
  mchid: mchId,
  description: order.description,
  out_trade_no: order.outTradeNo,
  time_expire: offsetTime(order.expiresAt),
  amount: { total: order.amount, currency: "CNY" },
});

function orderToSend(order: OrderToPlace, merchant: Options["merchant"], notifyUrl: string) {
  const { tradeType, openid = "" } = order;
  return {
    ...orderFields(order, merchant),
    notify_url: notifyUrl,
    ...(tradeType === "JSAPI" && { payer: { openid } }),
    scene_info: { payer_client_ip: order.clientIp, ...(tradeType === "MWEB" && { h5_info: { type: "Wap" } }) },
  };
}

function readOrder(reply: string, outTradeNo: string, { mchId, appId }: Options["merchant"]): QueriedOrder {
  const order = readJsonReply(orderSchema, reply);
  mustEqual("mchid", order.mchid, mchId);
  mustEqual("appid", order.appid, appId);
  mustEqual("out_trade_no", order.out_trade_no, outTradeNo);
  return withPayment({
    outTradeNo,
    tradeState: readTradeState(order.trade_state),
    description: order.trade_state_desc,
    total: order.amount?.total,
    currency: order.amount?.currency,
    transactionId: order.transaction_id,
    paidAt: timeOf(order.success_time),
  });
}

function readRefund(reply: string, outRefundNo: string, outTradeNo?: string): QueriedRefund {
  const refund = readJsonReply(refundSchema, reply);
  mustEqual("out_refund_no", refund.out_refund_no, outRefundNo);
  if (outTradeNo !== undefined) mustEqual("out_trade_no", refund.out_trade_no, outTradeNo);
  return {
    outRefundNo,
    refundId: refund.refund_id,
    status: refund.status,
    amount: refund.amount.refund,
    succeededAt: timeOf(refund.success_time),
  };
}

function timeOf(text: string | undefined): number | undefined {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? undefined : at;
}
