/** Returns money, cancels trades, and queries refunds. */
import { z } from "zod";
import { outRefundNo } from "../../../contract/provider/payment-terms.ts";
import { spacedTime } from "../../../payment-wire/provider-time.ts";
import { PaymentRefusal, type Ledger, type Order, type OrderKey, type Refund } from "../ledger/ledger.ts";
import { yuanText } from "../../../payment-wire/yuan.ts";
import {
  amount,
  existingTrade,
  namedNumbers,
  prepared,
  readContent,
  tradeFields,
  tradeKey,
  type CallAlipay,
  type TradeFields,
} from "./call-alipay.ts";
import { buyerMembers, numbersOf } from "./order-calls.ts";
import { ledgerRefundNo, outRequestNoOf } from "./refund-numbers.ts";

interface Deps {
  readonly ledger: Ledger;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** A merchant may cancel a trade for a day; later it returns the money. */
const cancellableMs = 24 * 3_600_000;

const tradeNumbers = ({ out_trade_no, trade_no }: TradeFields) => ({ out_trade_no, trade_no });

interface Refunding {
  readonly outRequestNo: string;
  readonly fen: number;
  readonly reason?: string | undefined;
  readonly notifyUrl?: string | undefined;
  readonly notifyFrom?: string | undefined;
}

interface Refunded {
  readonly order: Order;
  readonly refund: Refund;
  /** Whether this call moved money. */
  readonly isNew: boolean;
}

/** @throws PaymentRefusal if the refund is not one of the trade, or asks for more than is left */
async function refundTrade(ledger: Ledger, order: Order, request: Refunding): Promise<Refunded> {
  const key: OrderKey = { mchId: order.mchId, outTradeNo: order.outTradeNo };
  const number = ledgerRefundNo(order, request.outRequestNo);
  const [before] = await ledger.refunds({ ...key, outRefundNo: number });
  if (!before && order.paidAt !== undefined && order.refunded + request.fen > order.total)
    throw new PaymentRefusal("ACQ.REFUND_AMT_NOT_EQUAL_TOTAL", "退款金额超限");
  if (order.paidAt === undefined) throw new PaymentRefusal("ACQ.TRADE_STATUS_ERROR", "交易状态不合法");
  const { refund } = await ledger.refund(key, {
    outRefundNo: number,
    total: order.total,
    refund: request.fen,
    currency: order.currency,
    reason: request.reason,
    notifyUrl: request.notifyUrl ?? order.notifyUrl,
    notifyFrom: request.notifyUrl === undefined ? order.notifyFrom : request.notifyFrom,
    version: "alipay",
  });
  // Reading it ends it.
  const [ended = refund] = await ledger.refunds({ mchId: order.mchId, refundId: refund.refundId });
  return { order: await ledger.get(key), refund: ended, isNew: before === undefined };
}

export const refundCall = ({ ledger }: Deps): CallAlipay => ({
  name: "refund",
  method: "alipay.trade.refund",
  prepare(request) {
    const fields = readContent(
      z.looseObject({
        ...tradeFields,
        refund_amount: amount,
        out_request_no: outRefundNo.optional(),
        refund_reason: z.string().max(256).optional(),
      }),
      request,
    );
    const key = tradeKey(fields);
    return prepared({
      ...namedNumbers(fields),
      outRefundNo: fields.out_request_no,
      async perform() {
        const order = await existingTrade(ledger, key);
        if (fields.out_request_no === undefined && fields.refund_amount < order.total)
          throw new PaymentRefusal("ACQ.INVALID_PARAMETER", "参数有误。部分退款时out_request_no不能为空");
        return refundTrade(ledger, order, {
          outRequestNo: fields.out_request_no ?? order.outTradeNo,
          fen: fields.refund_amount,
          reason: fields.refund_reason,
          notifyUrl: request.params["notify_url"] || undefined,
          notifyFrom: request.from,
        });
      },
      view: ({ order, refund, isNew }) => ({
        ...numbersOf(order),
        ...buyerMembers(order),
        fund_change: isNew && refund.status === "SUCCESS" ? "Y" : "N",
        refund_fee: yuanText(order.refunded),
        send_back_fee: yuanText(refund.refund),
        gmt_refund_pay: refund.finishedAt === undefined ? undefined : spacedTime(refund.finishedAt),
      }),
    });
  },
});

export const refundQueryCall = ({ ledger }: Deps): CallAlipay => ({
  name: "refundquery",
  method: "alipay.trade.fastpay.refund.query",
  prepare(request) {
    const fields = readContent(z.looseObject({ ...tradeFields, out_request_no: outRefundNo }), request);
    const key = tradeKey(fields);
    return prepared({
      ...namedNumbers(fields),
      outRefundNo: fields.out_request_no,
      async perform() {
        const order = await existingTrade(ledger, key);
        const outRefundNo = ledgerRefundNo(order, fields.out_request_no);
        const [refund] = await ledger.refunds({ mchId: order.mchId, outRefundNo });
        return { order, refund };
      },
      // A refund that is not there has no status.
      view: ({ order, refund }) =>
        refund
          ? {
              ...numbersOf(order),
              out_request_no: outRequestNoOf(refund),
              total_amount: yuanText(order.total),
              refund_amount: yuanText(refund.refund),
              refund_reason: refund.reason,
              refund_status: refund.status === "SUCCESS" ? "REFUND_SUCCESS" : undefined,
              gmt_refund_pay: refund.finishedAt === undefined ? undefined : spacedTime(refund.finishedAt),
            }
          : {},
    });
  },
});

/** What became of a trade by cancelling it; without an order: there was none. */
interface Cancelled {
  readonly order?: Order | undefined;
  readonly action?: "close" | "refund";
}

async function cancelTrade({ ledger, now }: Deps, key: OrderKey, from: string | undefined): Promise<Cancelled> {
  const order = await ledger.find(key);
  if (!order) return {};
  if (order.paidAt === undefined) {
    const isOver = order.tradeState !== "NOTPAY" && order.tradeState !== "USERPAYING";
    return { order: isOver ? order : await ledger.close(key), action: "close" };
  }
  const outRequestNo = "cancel";
  const [before] = await ledger.refunds({ mchId: order.mchId, outRefundNo: ledgerRefundNo(order, outRequestNo) });
  if (before) return { order, action: "refund" };
  if (order.refunded > 0) throw new PaymentRefusal("ACQ.REASON_TRADE_REFUND_FEE_ERR", "退款金额无效");
  if (now() - order.paidAt > cancellableMs) throw new PaymentRefusal("ACQ.TRADE_CANCEL_TIME_OUT", "超过撤销时间范围");
  const refunded = await refundTrade(ledger, order, { outRequestNo, fen: order.total, notifyFrom: from });
  return { order: refunded.order, action: "refund" };
}

export const cancelCall = (deps: Deps): CallAlipay => ({
  name: "reverse",
  method: "alipay.trade.cancel",
  prepare(request) {
    const fields = readContent(z.looseObject(tradeFields), request);
    const key = tradeKey(fields);
    return prepared({
      ...namedNumbers(fields),
      perform: () => cancelTrade(deps, key, request.from),
      view: ({ order, action }) => ({ ...(order ? numbersOf(order) : tradeNumbers(fields)), retry_flag: "N", action }),
    });
  },
});
