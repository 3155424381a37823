import type { z } from "zod";
import {
  changeSimTradeManagement,
  confirmSimReceipt,
  getSimTradeManagement,
  listSimShipments,
  type simTradeManagementSchema,
  type SimShipment,
} from "../../../contract/provider/sim-shipping.ts";
import { HttpError, notFound } from "../../../http/http-error.ts";
import { route, type Route } from "../../../http/route.ts";
import type { FindOrder } from "../ledger/find-order.ts";
import type { Shipments } from "./shipments.ts";
import type { ShipmentStore, ShippableOrder } from "./shipment-store.ts";
import { shipmentFilter, type StoredPackage } from "./shipping-input.ts";

interface Deps {
  readonly shipments: Shipments;
  readonly store: ShipmentStore;
  readonly findOrder: FindOrder;
}

const mostListed = 100;

export const shippingRoutes = ({ shipments, store, findOrder }: Deps): Route[] => [
  route(getSimTradeManagement, async () => ({ data: settingsView(await store.settings()) })),
  route(changeSimTradeManagement, async ({ body: { managed, confirmed } }) => ({
    data: settingsView(
      await store.changeSettings({
        ...(managed !== undefined && { managed: Number(managed) }),
        ...(confirmed !== undefined && { confirmed: Number(confirmed) }),
      }),
    ),
  })),
  route(listSimShipments, async ({ query }) => {
    await shipments.upToDate();
    const filter = { ...shipmentFilter.parse({}), ...query };
    return { data: (await store.list(filter, undefined, mostListed)).map(shipmentView) };
  }),
  route(confirmSimReceipt, async ({ params: { out_trade_no }, query: { mch_id } }) => {
    const { id } = await findOrder(out_trade_no, mch_id);
    await shipments.upToDate();
    const order = await store.find({ id });
    if (!order) throw notFound(`Order ${out_trade_no} has no shipping information.`);
    if (!(await shipments.receive(order)))
      throw new HttpError(409, "not_shipped", "The order is not shipped, or its receipt is already confirmed.");
    return { data: shipmentView((await store.find({ id })) ?? order) };
  }),
];

const settingsView = (
  row: Awaited<ReturnType<ShipmentStore["settings"]>>,
): z.output<typeof simTradeManagementSchema> => ({
  managed: row.managed === 1,
  confirmed: row.confirmed === 1,
  jump_path: row.jump_path,
});

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

function shipmentView({ shipment, ...order }: ShippableOrder): SimShipment {
  const packages = JSON.parse(shipment.packages) as StoredPackage[];
  return {
    mch_id: order.mch_id,
    out_trade_no: order.out_trade_no,
    transaction_id: order.transaction_id,
    openid: order.openid,
    total: order.total,
    paid_at: new Date(order.paid_at).toISOString(),
    order_state: order.order_state,
    frozen: shipment.managed === 1 && order.order_state < 4,
    packages: packages.map(({ tracking_no, express_company, goods_desc }) => ({
      ...{ tracking_no, express_company },
      item_desc: goods_desc,
    })),
    shipped_at: iso(shipment.shipped_at),
    received_at: iso(shipment.received_at),
    settled_at: iso(shipment.settled_at),
    reminded: shipment.reminded_at !== null,
  };
}
