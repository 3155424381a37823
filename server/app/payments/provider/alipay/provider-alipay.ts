/**
 * Calls of Alipay's gateway. Orders of an app and of a browser are placed by the buyer's device with parameters that are
 * signed here; until then, and until a QR code is scanned, Alipay has no such trade.
 */
import { z } from "zod";
import { message } from "../../../../contract/messages/message.ts";
import type { MerchantCall } from "../../../../contract/provider/payment-errors/error-codes.ts";
import type { TradeState } from "../../../../contract/provider/payment-terms.ts";
import { readYuan, yuanText } from "../../../../payment-wire/yuan.ts";
import { isRefusedWith, mustEqual, reading, refused, UnfitReply } from "../call-results.ts";
import type { CallResult, PaymentCalls, QueriedOrder } from "../provider-client.ts";
import { withPayment } from "../read-order-fields.ts";
import { createGatewayClient, type GatewayOptions } from "./gateway-client.ts";
import { createPlacing, orderMembers } from "./place-alipay.ts";
import { readMembers } from "./reply-alipay.ts";

interface Options extends GatewayOptions {
  /** Base URL of the gateway, for the buyer's browser. */
  readonly baseUrl: string;
}

const text = z.string().min(1);
const yuan = text.transform((amount, context) => {
  const fen = readYuan(amount);
  if (fen !== undefined) return fen;
  context.addIssue({ code: "custom", message: "it is no amount in yuan" });
  return z.NEVER;
});
const tradeSchema = z.looseObject({ out_trade_no: text, trade_no: text });
const cancelledSchema = z.looseObject({ retry_flag: z.string().optional(), action: z.string().optional() });
const paidSchema = tradeSchema.extend({ total_amount: yuan, gmt_payment: text.optional() });
const statusSchema = tradeSchema.extend({
  trade_status: z.enum(["WAIT_BUYER_PAY", "TRADE_SUCCESS", "TRADE_FINISHED", "TRADE_CLOSED"]),
  total_amount: yuan,
  send_pay_date: text.optional(),
});
const acceptedSchema = z.looseObject({ out_trade_no: text, trade_no: text, fund_change: text });
const refundSchema = z.looseObject({
  out_trade_no: text.optional(),
  trade_no: z.string().default(""),
  out_request_no: text.optional(),
  refund_amount: yuan.optional(),
  refund_status: z.string().optional(),
  gmt_refund_pay: text.optional(),
});

export function createProviderAlipay(options: Options): PaymentCalls {
  const client = createGatewayClient(options);
  const { send } = client;
  const appId = () =>
    options.merchant().then(
      (own) => own.appId,
      () => undefined,
    );
  const placing = createPlacing(client, options.baseUrl, appId);

  const cancel = async (name: MerchantCall, outTradeNo: string) =>
    reading(await send({ name, method: "alipay.trade.cancel", content: { out_trade_no: outTradeNo } }), (reply) =>
      readMembers(cancelledSchema, reply),
    );

  return {
    version: "alipay",
    keepsPaidAfterRefund: true,

    placeOrder: (order) => placing[order.tradeType](order),

    async payByCode(order) {
      const content = {
        ...orderMembers(order, "FACE_TO_FACE_PAYMENT"),
        ...{ auth_code: order.authCode, scene: "bar_code" },
      };
      const call = { name: "payByCode", method: "alipay.trade.pay", content, isNotified: true } as const;
      return reading(await send(call), (reply) => {
        const paid = readMembers(paidSchema, reply);
        mustEqual("out_trade_no", paid.out_trade_no, order.outTradeNo);
        return toOrder(order.outTradeNo, "SUCCESS", paid, paid.gmt_payment);
      });
    },

    queryOrder: async (outTradeNo, withinMs) => {
      const content = { out_trade_no: outTradeNo };
      return reading(await send({ name: "queryOrder", method: "alipay.trade.query", content, withinMs }), (reply) => {
        const trade = readMembers(statusSchema, reply);
        mustEqual("out_trade_no", trade.out_trade_no, outTradeNo);
        return toOrder(outTradeNo, tradeStateOf(trade), trade, trade.send_pay_date);
      });
    },

    /** A code that nobody has scanned is no trade that could be closed, but can be cancelled. */
    async closeOrder(outTradeNo) {
      const content = { out_trade_no: outTradeNo };
      const closed = await send({ name: "closeOrder", method: "alipay.trade.close", content });
      if (!isRefusedWith("ORDERNOTEXIST", closed)) return reading(closed, () => undefined);
      const cancelled = await cancel("closeOrder", outTradeNo);
      return cancelled.outcome === "done" && cancelled.value.action === undefined
        ? (closed as CallResult<never>)
        : reading(cancelled, () => undefined);
    },

    reverseOrder: async (outTradeNo) =>
      reading(await cancel("reverseOrder", outTradeNo), (reply) => ({ again: reply.retry_flag === "Y" })),

    async refund({ outTradeNo, outRefundNo, amount, reason }) {
      const content = {
        ...{ out_trade_no: outTradeNo, out_request_no: outRefundNo },
        ...{ refund_amount: yuanText(amount), refund_reason: reason },
      };
      return reading(await send({ name: "refund", method: "alipay.trade.refund", content }), (reply) => {
        const accepted = readMembers(acceptedSchema, reply);
        mustEqual("out_trade_no", accepted.out_trade_no, outTradeNo);
        // Without a change of funds in this call, query refund decides. Alipay has no number of its own for a refund.
        const status = accepted.fund_change === "Y" ? "SUCCESS" : "PROCESSING";
        return { outRefundNo, refundId: accepted.trade_no, status, amount };
      });
    },

    async queryRefund({ outTradeNo, outRefundNo }, withinMs) {
      const content = {
        ...{ out_trade_no: outTradeNo, out_request_no: outRefundNo },
        query_options: ["gmt_refund_pay"],
      };
      const method = "alipay.trade.fastpay.refund.query";
      const result = reading(await send({ name: "queryRefund", method, content, withinMs }), (reply) =>
        readMembers(refundSchema, reply),
      );
      // A refund that is not there has no members.
      if (result.outcome === "done" && result.value.out_request_no === undefined)
        return refused("REFUNDNOTEXIST", message("reply.lacks", { what: "out_request_no" }), result.reply);
      return reading(result, (refund) => {
        mustEqual("out_trade_no", refund.out_trade_no, outTradeNo);
        mustEqual("out_request_no", refund.out_request_no, outRefundNo);
        if (refund.refund_amount === undefined) throw new UnfitReply("malformed", message("reply.amount"));
        return {
          ...{ outRefundNo, refundId: refund.trade_no, amount: refund.refund_amount },
          status: refund.refund_status === "REFUND_SUCCESS" ? "SUCCESS" : "PROCESSING",
          succeededAt: timeOfAlipay(refund.gmt_refund_pay),
        };
      });
    },
  };
}

/** Alipay closes a paid trade when all its money has gone back. */
function tradeStateOf({ trade_status: status, send_pay_date: paid }: z.output<typeof statusSchema>): TradeState {
  if (status === "WAIT_BUYER_PAY") return "NOTPAY";
  if (status === "TRADE_CLOSED") return paid === undefined ? "CLOSED" : "REFUND";
  return "SUCCESS";
}

function toOrder(
  outTradeNo: string,
  tradeState: TradeState,
  trade: Pick<z.output<typeof paidSchema>, "trade_no" | "total_amount">,
  paidAt: string | undefined,
): QueriedOrder {
  const isPaid = tradeState === "SUCCESS" || tradeState === "REFUND";
  return withPayment({
    ...{ outTradeNo, tradeState, description: "", total: trade.total_amount, currency: "CNY" },
    ...(isPaid && { transactionId: trade.trade_no, paidAt: timeOfAlipay(paidAt) }),
  });
}

function timeOfAlipay(time: string | undefined): number | undefined {
  const at = Date.parse(`${(time ?? "").replace(" ", "T")}+08:00`);
  return Number.isNaN(at) ? undefined : at;
}
