import {
  confirmSimTransfer,
  failSimTransfer,
  listSimTransfers,
  type SimTransfer,
} from "../../../../server/contract/provider/transfers/sim-transfers.ts";
import type { Product, ProductAction, ProductEntry } from "./product.ts";

function actionsOf({ state, transfer_bill_no }: SimTransfer): ProductAction[] {
  const params = { transfer_bill_no };
  const confirm: ProductAction = {
    name: "confirmTransfer",
    run: async (call) => (await call(confirmSimTransfer, { params })).state,
  };
  const fail: ProductAction = {
    name: "failTransfer",
    run: async (call) => (await call(failSimTransfer, { params, body: {} })).state,
  };
  if (state === "WAIT_USER_CONFIRM") return [confirm, fail];
  return state === "TRANSFERING" || state === "CANCELING" ? [fail] : [];
}

const entryOf = (transfer: SimTransfer): ProductEntry => ({
  key: transfer.transfer_bill_no,
  at: transfer.created_at,
  state: transfer.state,
  number: transfer.out_bill_no,
  mchId: transfer.mch_id,
  openid: transfer.openid,
  fen: transfer.amount,
  parts: [],
  actions: actionsOf(transfer),
  item: transfer,
});

export const transferProduct: Product = {
  numberField: "out_bill_no",
  waits: ["ACCEPTED", "WAIT_USER_CONFIRM", "TRANSFERING", "CANCELING"],
  load: async (call, { mch_id }, signal) =>
    (await call(listSimTransfers, { query: { mch_id }, signal })).transfers.map(entryOf),
  example: (provider) =>
    [
      `POST ${provider}/v3/fund-app/mch-transfer/transfer-bills`,
      `{"appid":"…","out_bill_no":"T001","transfer_scene_id":"1000","openid":"…",`,
      ` "transfer_amount":500,"transfer_remark":"Reward","transfer_scene_report_infos":[…]}`,
    ].join("\n"),
};
