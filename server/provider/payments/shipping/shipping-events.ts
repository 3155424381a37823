/** The events of message push about shipping. Their sender is the buyer (our choice; the platform publishes none). */
import type { PushEvent, PushFields } from "../message-push/push-events.ts";
import type { ShippableOrder } from "./shipment-store.ts";

const seconds = (at: number) => Math.floor(at / 1000);

const orderFields = (order: ShippableOrder): PushFields => ({
  merchant_id: order.mch_id,
  merchant_trade_no: order.out_trade_no,
  transaction_id: order.transaction_id,
  pay_time: seconds(order.paid_at),
});

/** An order was not shipped for two days. */
export const shippingReminder = (order: ShippableOrder): PushEvent => ({
  event: "trade_manage_remind_shipping",
  openid: order.openid,
  fields: { ...orderFields(order), msg: "订单已超过48小时未发货，请尽快发货并上传发货信息。" },
});

/** An order is going to be settled (`estimatedAt`, Unix ms), or has been settled. */
export function settlementEvent(order: ShippableOrder, estimatedAt: number | undefined): PushEvent {
  const { shipped_at, received_at, receive_method, settled_at } = order.shipment;
  const settled = {
    confirm_receive_method: receive_method,
    confirm_receive_time: seconds(received_at ?? 0),
    settlement_time: seconds(settled_at ?? 0),
  };
  return {
    event: "trade_manage_order_settlement",
    openid: order.openid,
    fields: {
      ...orderFields(order),
      shipped_time: seconds(shipped_at ?? 0),
      ...(estimatedAt === undefined ? settled : { estimated_settlement_time: seconds(estimatedAt) }),
    },
  };
}
