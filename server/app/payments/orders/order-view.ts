/** Orders in the contract's form, without the buyer's openid or keys. */
import type { ApiOrder, StoredOrder } from "../../../contract/app/payments.ts";
import type { Order } from "../store/order-rows.ts";
import type { PaymentProvider } from "../provider/provider-client.ts";
import { refundView, type StoredRefund } from "../store/refund-store.ts";
import { isOpen } from "../store/trade-states.ts";

const time = (at: number) => new Date(at).toISOString();

export const orderSummary = (order: Order) => ({
  id: order.id,
  out_trade_no: order.outTradeNo,
  trade_state: order.tradeState,
  trade_type: order.tradeType,
  description: order.description,
  amount: order.amount,
  amount_mismatch: order.amountMismatch,
  ...(order.transactionId !== undefined && { transaction_id: order.transactionId }),
  created_at: time(order.createdAt),
  updated_at: time(order.updatedAt),
  expires_at: time(order.expiresAt),
  ...(order.paidAt !== undefined && { paid_at: time(order.paidAt) }),
  ...(order.settledAt !== undefined && { settled_at: time(order.settledAt) }),
});

/** Names an order in the data of an event. */
export const orderNamed = ({ id, outTradeNo, amount, description }: Order) => ({
  ...{ order_id: id, out_trade_no: outTradeNo, amount },
  name: description,
});

interface ViewDeps {
  readonly provider: Pick<PaymentProvider, "payParameters">;
  readonly refundsOf: (orderId: number) => Promise<StoredRefund[]>;
  readonly now: () => number;
}

export type OrderView = (order: Order) => Promise<ApiOrder>;

export function createOrderView({ provider, refundsOf, now }: ViewDeps): OrderView {
  const isPayable = ({ tradeState, tradeType, expiresAt }: Order) =>
    tradeState === "NOTPAY" && tradeType !== "MICROPAY" && now() < expiresAt;
  return async (order) => {
    const pay = isPayable(order) && order.placed ? await provider.payParameters(order.tradeType, order.placed) : {};
    return {
      ...orderSummary(order),
      ...(Object.keys(pay).length > 0 && { pay }),
      refunds: isOpen(order.tradeState) ? [] : (await refundsOf(order.id)).map((refund) => refundView(refund)), // only paid orders have any
    };
  };
}

export const storedOrder = (order: Order): StoredOrder => ({
  ...orderSummary(order),
  owner_uid: `u${String(order.userId)}`,
  placement: order.placement,
  ...(order.nextQueryAt !== undefined && { next_query_at: time(order.nextQueryAt) }),
});
