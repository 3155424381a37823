/** Shares and returns as version 3 writes them. */
import { offsetTime } from "../../../payment-wire/provider-time.ts";
import type { Share, ShareDetailRow, ShareReturnRow } from "./share-tables.ts";

const detailV3 = (detail: ShareDetailRow) => ({
  amount: detail.amount,
  description: detail.description,
  type: detail.type,
  account: detail.account,
  result: detail.result,
  ...(detail.fail_reason !== null && { fail_reason: detail.fail_reason }),
  detail_id: detail.detail_id,
  create_time: offsetTime(detail.created_at),
  // A pending one has the time at which it was accepted.
  finish_time: offsetTime(detail.finished_at ?? detail.created_at),
});

export const shareV3 = ({ share, details }: Share) => ({
  transaction_id: share.transaction_id,
  out_order_no: share.out_order_no,
  order_id: share.order_id,
  state: share.state,
  receivers: details.map(detailV3),
});

export const returnV3 = ({ share }: Share, one: ShareReturnRow) => ({
  order_id: share.order_id,
  out_order_no: share.out_order_no,
  out_return_no: one.out_return_no,
  return_id: one.return_id,
  return_mchid: one.return_mchid,
  amount: one.amount,
  description: one.description,
  result: "SUCCESS",
  create_time: offsetTime(one.created_at),
  finish_time: offsetTime(one.created_at),
});
