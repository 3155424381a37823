/** The calls of the platform's API for servers about shipping. */
import type { z } from "zod";
import type { IdentityCall } from "../../../contract/provider/sim-identity-faults.ts";
import type { Shipments } from "./shipments.ts";
import { subMerchantIdOf, type ShipmentStore, type ShippableOrder } from "./shipment-store.ts";
import {
  appBody,
  combinedBody,
  describePackages,
  shipmentFilter,
  orderBody,
  pathBody,
  remindBody,
  specialBody,
  uploadBody,
  type RefusePlatform,
  type StoredPackage,
} from "./shipping-input.ts";

/** A call by POST with an access token. It returns the members of its reply beyond errcode and errmsg. */
export interface PlatformServerCall {
  readonly path: string;
  readonly name: IdentityCall;
  readonly perform: (body: unknown) => Promise<object>;
}

interface Deps {
  readonly shipments: Shipments;
  readonly store: ShipmentStore;
  readonly appId: string;
  readonly refuse: RefusePlatform;
  /** Unix time in ms. */
  readonly now: () => number;
}

export function shippingCalls({ shipments, store, appId, refuse, now }: Deps): readonly PlatformServerCall[] {
  function call<Schema extends z.ZodType>(
    name: IdentityCall,
    schema: Schema,
    perform: (body: z.output<Schema>) => Promise<object | void>,
  ): PlatformServerCall {
    const read = (body: unknown): z.output<Schema> => {
      const parsed = schema.safeParse(body);
      if (!parsed.success) throw refuse(47001);
      return parsed.data;
    };
    return { path: `/wxa/sec/order/${name}`, name, perform: async (body) => (await perform(read(body))) ?? {} };
  }
  function checkApp({ appid }: z.output<typeof appBody>): void {
    if (appid === "") throw refuse(40097);
    if (appid !== appId) throw refuse(40013);
  }

  return [
    call("upload_shipping_info", uploadBody, ({ payer, upload_time, ...parcel }) =>
      shipments.upload([parcel], { openid: payer.openid, uploadTime: upload_time }),
    ),
    call("upload_combined_shipping_info", combinedBody, ({ sub_orders, payer, upload_time }) => {
      if (sub_orders.length === 0) throw refuse(10060014);
      return shipments.upload(sub_orders, { openid: payer.openid, uploadTime: upload_time });
    }),
    call("get_order", orderBody, async (key) => ({ order: orderView(await shipments.find(key)) })),
    call("get_order_list", shipmentFilter, async (body) => {
      if (!/^[0-9a-f]{0,12}$/.test(body.last_index)) throw refuse(10060011);
      await shipments.upToDate();
      const before = body.last_index === "" ? undefined : Number.parseInt(body.last_index, 16);
      const orders = await store.list(body, before, body.page_size + 1);
      const page = orders.slice(0, body.page_size);
      const last = page.at(-1);
      return {
        order_list: page.map(orderView),
        has_more: orders.length > page.length,
        last_index: last ? last.id.toString(16) : "",
      };
    }),
    call("notify_confirm_receive", remindBody, ({ received_time, ...key }) => shipments.remind(key, received_time)),
    call("set_msg_jump_path", pathBody, async ({ path }) => void (await store.changeSettings({ jump_path: path }))),
    call("is_trade_managed", appBody, async (body) => {
      checkApp(body);
      return { is_trade_managed: (await store.settings()).managed === 1 };
    }),
    call("is_trade_management_confirmation_completed", appBody, async (body) => {
      checkApp(body);
      return { completed: (await store.settings()).confirmed === 1 };
    }),
    call("opspecialorder", specialBody, async ({ order_id, type, delay_to }) => {
      if (type !== 1 && type !== 2) throw refuse(268546000);
      if (type === 1 && delay_to * 1000 <= now()) throw refuse(268546001);
      await shipments.upToDate();
      const order = await store.findByAnyNumber(order_id);
      if (order?.order_state !== 1) throw refuse(268546002);
      await shipments.delay(order, type === 1 ? delay_to * 1000 : null);
    }),
  ];
}

const seconds = (at: number) => Math.floor(at / 1000);

function orderView(order: ShippableOrder) {
  const packages = JSON.parse(order.shipment.packages) as StoredPackage[];
  const description = describePackages(packages);
  const { delivery_mode, logistics_type, finished } = order.shipment;
  return {
    transaction_id: order.transaction_id,
    merchant_trade_no: order.out_trade_no,
    merchant_id: order.mch_id,
    sub_merchant_id: subMerchantIdOf(order),
    description,
    paid_amount: order.total - order.coupon_fee,
    openid: order.openid,
    trade_create_time: seconds(order.created_at),
    pay_time: seconds(order.paid_at),
    order_state: order.order_state,
    in_complaint: Boolean(order.in_complaint),
    shipping:
      packages.length === 0
        ? {}
        : {
            ...{ delivery_mode, logistics_type, finish_shipping: finished > 0, finish_shipping_count: finished },
            goods_desc: description,
            shipping_list: packages,
          },
  };
}
