/** Control routes of transfers to users. */
import {
  confirmSimTransfer,
  failSimTransfer,
  listSimTransfers,
  type SimTransfer,
} from "../../../contract/provider/transfers/sim-transfers.ts";
import { route, type Route } from "../../../http/route.ts";
import { refusedAs409 } from "../ledger/find-order.ts";
import type { MerchantTransfers } from "./merchant-transfers.ts";
import type { TransferRow } from "./transfer-tables.ts";

const mostTransfers = 100;

const view = (row: TransferRow): SimTransfer => ({
  transfer_bill_no: row.transfer_bill_no,
  out_bill_no: row.out_bill_no,
  mch_id: row.mch_id,
  openid: row.openid,
  ...(row.user_name !== "" && { user_name: row.user_name }),
  amount: row.amount,
  remark: row.remark,
  state: row.state,
  ...(row.fail_reason !== null && { fail_reason: row.fail_reason }),
  package_info: row.package_info,
  created_at: new Date(row.created_at).toISOString(),
});

export const transferRoutes = ({ transfers, due }: MerchantTransfers): Route[] => [
  route(listSimTransfers, async ({ query: { mch_id, openid } }) => {
    await due.settle();
    const filter = { ...(mch_id !== undefined && { mch_id }), ...(openid !== undefined && { openid }) };
    return { data: { transfers: (await transfers.list(filter, mostTransfers)).map(view) } };
  }),

  route(confirmSimTransfer, async ({ params: { transfer_bill_no: transferBillNo } }) => {
    await due.settle();
    return { data: view(await refusedAs409(transfers.confirm({ transferBillNo }))) };
  }),

  route(failSimTransfer, async ({ params: { transfer_bill_no: transferBillNo }, body: { reason } }) => {
    await due.settle();
    return { data: view(await refusedAs409(transfers.fail({ transferBillNo }, reason))) };
  }),
];
