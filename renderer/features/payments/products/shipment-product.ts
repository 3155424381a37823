import {
  confirmSimReceipt,
  listSimShipments,
  type SimShipment,
} from "../../../../server/contract/provider/sim-shipping.ts";
import type { Product, ProductEntry } from "./product.ts";
import { shipmentStates } from "./shipment-states.ts";

function stateTextOf({ order_state }: SimShipment) {
  const stateText = shipmentStates[order_state];
  return stateText && { stateText };
}

/** Also without shipping information while the platform holds the money for it. */
const isShipped = ({ frozen, shipped_at, packages }: SimShipment) =>
  frozen || shipped_at !== null || packages.length > 0;

const entryOf = (shipment: SimShipment): ProductEntry => ({
  key: `${shipment.mch_id}/${shipment.out_trade_no}`,
  at: shipment.shipped_at ?? shipment.paid_at,
  state: String(shipment.order_state),
  ...stateTextOf(shipment),
  number: shipment.out_trade_no,
  mchId: shipment.mch_id,
  ...(shipment.openid !== "" && { openid: shipment.openid }),
  fen: shipment.total,
  order: shipment.out_trade_no,
  parts: shipment.packages.map(({ express_company, tracking_no, item_desc }) => ({
    text: [express_company, tracking_no].filter((word) => word !== "").join(" ") || item_desc,
    note: item_desc,
  })),
  actions:
    shipment.order_state === 2
      ? [
          {
            name: "confirmReceipt",
            run: async (call) => {
              const { mch_id, out_trade_no } = shipment;
              return String(
                (await call(confirmSimReceipt, { params: { out_trade_no }, query: { mch_id } })).order_state,
              );
            },
          },
        ]
      : [],
  item: shipment,
});

export const shipmentProduct: Product = {
  numberField: "out_trade_no",
  waits: ["2", "3"],
  load: async (call, query, signal) => (await call(listSimShipments, { query, signal })).filter(isShipped).map(entryOf),
  example: (provider) =>
    [
      `curl "${provider}/wxa/sec/order/upload_shipping_info?access_token=$TOKEN" \\`,
      `  -d '{"order_key":{"order_number_type":2,"transaction_id":"…"},"logistics_type":1,"delivery_mode":1,`,
      `       "shipping_list":[{"tracking_no":"…","express_company":"SF","item_desc":"Tea"}],`,
      `       "upload_time":"2026-12-01T08:00:00+08:00","payer":{"openid":"…"}}'`,
    ].join("\n"),
};
