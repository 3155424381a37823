/** Places, queries and closes trades. */
import { z } from "zod";
import { spacedTime } from "../../../payment-wire/provider-time.ts";
import { pageAddress } from "../../../contract/provider/sim-client.ts";
import type { TradeType } from "../../../contract/provider/payment-terms.ts";
import { cashOf } from "../ledger/coupon-parts.ts";
import { PaymentRefusal, type Ledger, type Order, type OrderRequest } from "../ledger/ledger.ts";
import { alipayAccount } from "./alipay-account.ts";
import { yuanText } from "../../../payment-wire/yuan.ts";
import {
  existingTrade,
  invalidParameter,
  namedNumbers,
  prepared,
  readContent,
  tradeFields,
  tradeKey,
  type CallAlipay,
  type ReplyMembers,
  type RequestAlipay,
} from "./call-alipay.ts";
import { orderFields, toOrderRequest } from "./order-requests.ts";
import { buyerOf, tradeStatusOf } from "./trade-status.ts";

export interface OrderCallDeps {
  readonly ledger: Ledger;
  /** Where the buyer pays in a browser. */
  readonly payPage: (order: Order) => string;
  /** Unix time in ms. */
  readonly now: () => number;
}

export const numbersOf = ({ outTradeNo, transactionId }: Order): ReplyMembers => ({
  out_trade_no: outTradeNo,
  trade_no: transactionId,
});

export function buyerMembers(order: Order): ReplyMembers {
  const buyer = buyerOf(order);
  return buyer ? { buyer_logon_id: buyer.logonId, buyer_user_id: buyer.userId, buyer_open_id: buyer.openId } : {};
}

/** What is known of a payment once it is made. */
export function paidMembers(order: Order): ReplyMembers {
  if (order.paidAt === undefined) return {};
  const cash = yuanText(cashOf(order));
  const coupon = { fund_channel: "COUPON", amount: yuanText(order.couponFee) };
  return {
    receipt_amount: cash,
    buyer_pay_amount: cash,
    invoice_amount: cash,
    point_amount: yuanText(0),
    fund_bill_list: [{ fund_channel: "ALIPAYACCOUNT", amount: cash }, ...(order.couponFee > 0 ? [coupon] : [])],
  };
}

/** The order of an app's payment. @throws RefusalAlipay */
export const appOrder = ({ now }: Pick<OrderCallDeps, "now">, request: RequestAlipay): OrderRequest =>
  toOrderRequest(request, readContent(orderFields, request), "APP", now());

/** A call that only places an order. @param more members of its reply beside the merchant's number */
function placing(
  { ledger, now }: OrderCallDeps,
  method: string,
  tradeType: TradeType,
  more: (order: Order) => ReplyMembers,
): CallAlipay {
  return {
    name: "unifiedorder",
    method,
    prepare(request) {
      const fields = readContent(orderFields, request);
      if (tradeType === "JSAPI" && !fields.buyer_id && !fields.buyer_open_id)
        throw invalidParameter("buyer_id和buyer_open_id不能同时为空");
      const order = toOrderRequest(request, fields, tradeType, now());
      return prepared({
        outTradeNo: order.outTradeNo,
        perform: () => ledger.place(order),
        view: (placed) => ({ out_trade_no: placed.outTradeNo, ...more(placed) }),
      });
    },
  };
}

export const createTrade = (deps: OrderCallDeps): CallAlipay =>
  placing(deps, "alipay.trade.create", "JSAPI", ({ transactionId }) => ({ trade_no: transactionId }));

export const precreateTrade = (deps: OrderCallDeps): CallAlipay =>
  placing(deps, "alipay.trade.precreate", "NATIVE", ({ codeUrl }) => ({ qr_code: codeUrl }));

/** What an app passes to Alipay's client; the client's own request is simulated, too. */
export const appPay = (deps: OrderCallDeps): CallAlipay =>
  placing(deps, "alipay.trade.app.pay", "APP", ({ transactionId, total }) => ({
    trade_no: transactionId,
    total_amount: yuanText(total),
    seller_id: alipayAccount.sellerId,
  }));

/** A call of the buyer's browser, which is led to the cashier. */
export const pagePay = ({ ledger, payPage, now }: OrderCallDeps, product: "page" | "wap"): CallAlipay => ({
  name: "unifiedorder",
  method: `alipay.trade.${product}.pay`,
  isPage: true,
  prepare(request) {
    const fields = readContent(orderFields, request);
    const return_url = pageAddress.optional().safeParse(request.params["return_url"] || undefined);
    if (!return_url.success) throw invalidParameter("return_url不是http或https地址");
    const more = { product, return_url: return_url.data };
    const order = toOrderRequest(request, fields, "MWEB", now(), more);
    return prepared({
      outTradeNo: order.outTradeNo,
      /** A browser that returns to the cashier of a paid order sees that it is paid. */
      perform: () => placedOrOver(ledger, order),
      view: numbersOf,
      page: payPage,
    });
  },
});

async function placedOrOver(ledger: Ledger, request: Parameters<Ledger["place"]>[0]): Promise<Order> {
  try {
    return await ledger.place(request);
  } catch (error) {
    const isOver = error instanceof PaymentRefusal && ["ORDERPAID", "ORDERCLOSED"].includes(error.code);
    const order = isOver ? await ledger.get(request) : undefined;
    if (order?.tradeType !== request.tradeType) throw error;
    return order;
  }
}

export const payByCode = ({ ledger, now }: OrderCallDeps): CallAlipay => ({
  name: "micropay",
  method: "alipay.trade.pay",
  prepare(request) {
    const fields = readContent(orderFields.extend({ auth_code: z.string().max(64) }), request);
    const order = toOrderRequest(request, fields, "MICROPAY", now());
    return prepared({
      outTradeNo: order.outTradeNo,
      async perform({ codePayment }) {
        try {
          return await ledger.payByCode(order, fields.auth_code, codePayment);
        } catch (error) {
          // The buyer is asked for the password.
          if (error instanceof PaymentRefusal && error.code === "USERPAYING") return ledger.get(order);
          throw error;
        }
      },
      view: (paid) => ({
        ...(paid.tradeState === "USERPAYING" && { code: "10003", msg: "order success pay inprocess" }),
        ...numbersOf(paid),
        ...buyerMembers(paid),
        total_amount: yuanText(paid.total),
        gmt_payment: paid.paidAt === undefined ? undefined : spacedTime(paid.paidAt),
        ...paidMembers(paid),
      }),
    });
  },
});

export const queryTrade = ({ ledger, now }: OrderCallDeps): CallAlipay => ({
  name: "orderquery",
  method: "alipay.trade.query",
  prepare(request) {
    const fields = readContent(z.looseObject(tradeFields), request);
    const key = tradeKey(fields);
    return prepared({
      ...namedNumbers(fields),
      perform: () => existingTrade(ledger, key),
      view: (order) => ({
        ...numbersOf(order),
        ...buyerMembers(order),
        trade_status: tradeStatusOf(order, now()),
        total_amount: yuanText(order.total),
        subject: order.description,
        send_pay_date: order.paidAt === undefined ? undefined : spacedTime(order.paidAt),
        ...paidMembers(order),
      }),
    });
  },
});

export const closeTrade = ({ ledger }: OrderCallDeps): CallAlipay => ({
  name: "closeorder",
  method: "alipay.trade.close",
  prepare(request) {
    const fields = readContent(z.looseObject(tradeFields), request);
    const key = tradeKey(fields);
    return prepared({
      ...namedNumbers(fields),
      async perform() {
        await existingTrade(ledger, key);
        return ledger.close(key);
      },
      view: numbersOf,
    });
  },
});
