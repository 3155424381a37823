/** The payment provider's API of version 2: XML, signed with a shared key. */
import { message } from "../../../../contract/messages/message.ts";
import { newNonce } from "../../../../payment-wire/new-nonce.ts";
import { compactTime, readCompactTime } from "../../../../payment-wire/provider-time.ts";
import { signV2, type FieldsV2 } from "../../../../payment-wire/sign-v2.ts";
import { writeXmlV2 } from "../../../../payment-wire/xml-v2.ts";
import { mustEqual, reading, UnfitReply } from "../call-results.ts";
import type { MerchantCall } from "../../../../contract/provider/payment-errors/error-codes.ts";
import type { CallResult, CodeOrderToPay, OrderToPlace, PaymentCalls, QueriedOrder } from "../provider-client.ts";
import type { ProviderConnection } from "../provider-connection.ts";
import { readFen, readRefundStatus, readTradeState, withPayment } from "../read-order-fields.ts";
import { readReplyV2, type MerchantV2 } from "./reply-v2.ts";

interface Options {
  readonly connection: ProviderConnection;
  readonly merchant: MerchantV2;
  /** The URLs to which the provider reports payments and refunds. */
  readonly notifyUrls: () => { readonly payment: string; readonly refund: string };
}

const paths = {
  placeOrder: "/pay/unifiedorder",
  payByCode: "/pay/micropay",
  queryOrder: "/pay/orderquery",
  closeOrder: "/pay/closeorder",
  reverseOrder: "/secapi/pay/reverse",
  refund: "/secapi/pay/refund",
  queryRefund: "/pay/refundquery",
} as const satisfies Record<MerchantCall, string>;

export function createProviderV2({ connection, merchant, notifyUrls }: Options): PaymentCalls {
  async function call(name: MerchantCall, fields: FieldsV2, withinMs?: number): Promise<CallResult<FieldsV2>> {
    const common = {
      appid: merchant.appId,
      mch_id: merchant.mchId,
      nonce_str: newNonce(),
      // The provider assumes MD5.
      sign_type: merchant.signType === "MD5" ? "" : merchant.signType,
    };
    const unsigned = { ...common, ...fields };
    const answer = await connection.call({
      method: "POST",
      path: paths[name],
      headers: { "Content-Type": "text/xml; charset=utf-8" },
      body: writeXmlV2({ ...unsigned, sign: signV2(unsigned, merchant.apiKey, merchant.signType) }),
      withinMs,
    });
    return readReplyV2(answer, name, merchant);
  }

  return {
    version: "v2",

    async placeOrder(order) {
      const fields = { ...orderFields(order), ...tradeFields(order), notify_url: notifyUrls().payment };
      return reading(await call("placeOrder", fields), (reply) => {
        mustEqual("trade_type", reply["trade_type"], order.tradeType);
        const { prepay_id: prepayId, code_url: codeUrl, mweb_url: webUrl } = reply;
        const needed = { JSAPI: prepayId, APP: prepayId, NATIVE: codeUrl, MWEB: webUrl }[order.tradeType];
        if (!needed) throw new UnfitReply("malformed", message("reply.payBy", { tradeType: order.tradeType }));
        return { prepayId, codeUrl, webUrl, signType: merchant.signType };
      });
    },

    async payByCode(order) {
      const fields = { ...orderFields(order), auth_code: order.authCode };
      // The reply has no trade_state, so success means SUCCESS.
      return reading(await call("payByCode", fields), (reply) =>
        readOrder({ ...reply, trade_state: "SUCCESS" }, order.outTradeNo),
      );
    },

    queryOrder: async (outTradeNo, withinMs) =>
      reading(await call("queryOrder", { out_trade_no: outTradeNo }, withinMs), (reply) =>
        readOrder(reply, outTradeNo),
      ),

    closeOrder: async (outTradeNo) => reading(await call("closeOrder", { out_trade_no: outTradeNo }), () => undefined),

    reverseOrder: async (outTradeNo) =>
      reading(await call("reverseOrder", { out_trade_no: outTradeNo }), ({ recall }) => {
        if (recall !== "Y" && recall !== "N") throw new UnfitReply("malformed", message("reply.recall"));
        return { again: recall === "Y" };
      }),

    async refund(refund) {
      const fields = {
        out_trade_no: refund.outTradeNo,
        out_refund_no: refund.outRefundNo,
        total_fee: String(refund.total),
        refund_fee: String(refund.amount),
        refund_desc: refund.reason ?? "",
        notify_url: notifyUrls().refund,
      };
      return reading(await call("refund", fields), (reply) => {
        mustEqual("out_trade_no", reply["out_trade_no"], refund.outTradeNo);
        mustEqual("out_refund_no", reply["out_refund_no"], refund.outRefundNo);
        return {
          outRefundNo: refund.outRefundNo,
          refundId: reply["refund_id"] ?? "",
          status: "PROCESSING",
          amount: amountOf(reply["refund_fee"]),
        };
      });
    },

    queryRefund: async ({ outRefundNo }, withinMs) =>
      reading(await call("queryRefund", { out_refund_no: outRefundNo }, withinMs), (reply) => {
        // The query names one refund, so it is the first of the list.
        mustEqual("out_refund_no", reply["out_refund_no_0"], outRefundNo);
        return {
          outRefundNo,
          refundId: reply["refund_id_0"] ?? "",
          status: readRefundStatus(reply["refund_status_0"]),
          amount: amountOf(reply["refund_fee_0"]),
          succeededAt: spacedTimeOf(reply["refund_success_time_0"]),
        };
      }),
  };
}

const orderFields = (order: Omit<CodeOrderToPay, "authCode">): FieldsV2 => ({
  body: order.description,
  out_trade_no: order.outTradeNo,
  total_fee: String(order.amount),
  spbill_create_ip: order.clientIp,
  time_expire: compactTime(order.expiresAt),
});

/** Fields of some trade types only. They come from the order, so that a repeated call has the same values. */
function tradeFields({ tradeType, openid, outTradeNo }: OrderToPlace): FieldsV2 {
  const common = { trade_type: tradeType };
  if (tradeType === "JSAPI") return { ...common, openid: openid ?? "" };
  if (tradeType === "NATIVE") return { ...common, product_id: outTradeNo };
  if (tradeType === "MWEB") return { ...common, scene_info: '{"h5_info":{"type":"Wap"}}' };
  return common;
}

function readOrder(reply: FieldsV2, outTradeNo: string): QueriedOrder {
  mustEqual("out_trade_no", reply["out_trade_no"], outTradeNo);
  return withPayment({
    outTradeNo,
    tradeState: readTradeState(reply["trade_state"]),
    description: reply["trade_state_desc"] ?? "",
    total: readFen(reply["total_fee"]),
    currency: reply["fee_type"] ?? "CNY",
    transactionId: reply["transaction_id"],
    paidAt: readCompactTime(reply["time_end"] ?? ""),
  });
}

function amountOf(text: string | undefined): number {
  const amount = readFen(text);
  if (amount === undefined) throw new UnfitReply("malformed", message("reply.lacks", { what: "refund_fee" }));
  return amount;
}

/** Unix ms of `yyyy-MM-dd HH:mm:ss`. */
const spacedTimeOf = (text = ""): number | undefined => readCompactTime(text.replace(/[- :]/g, ""));
