import {
  finishSimShare,
  listSimShares,
  type SimShare,
} from "../../../../server/contract/provider/profit-sharing/sim-shares.ts";
import type { Product, ProductEntry } from "./product.ts";

const entryOf = (share: SimShare): ProductEntry => ({
  key: share.order_id,
  at: share.created_at,
  state: share.state,
  number: share.out_order_no,
  mchId: share.mch_id,
  fen: share.receivers.reduce((sum, { amount }) => sum + amount, 0),
  order: share.out_trade_no,
  parts: share.receivers.map(({ account, amount, result, description, fail_reason, returned }) => ({
    state: result,
    text: account,
    fen: amount - returned,
    note: fail_reason ?? description,
  })),
  actions:
    share.state === "PROCESSING"
      ? [
          {
            name: "finishShare",
            run: async (call) => (await call(finishSimShare, { params: { order_id: share.order_id }, body: {} })).state,
          },
        ]
      : [],
  item: share,
});

export const shareProduct: Product = {
  numberField: "out_order_no",
  waits: ["PROCESSING"],
  load: async (call, query, signal) => (await call(listSimShares, { query, signal })).shares.map(entryOf),
  example: (provider) =>
    [
      `POST ${provider}/v3/profitsharing/orders`,
      `{"appid":"…","transaction_id":"…","out_order_no":"S001","unfreeze_unsplit":true,`,
      ` "receivers":[{"type":"PERSONAL_OPENID","account":"…","amount":30,"description":"Commission"}]}`,
    ].join("\n"),
};
