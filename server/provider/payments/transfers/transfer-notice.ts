/** The notification of a transfer that has come to its end. */
import { offsetTime } from "../../../payment-wire/provider-time.ts";
import type { ProductNotice } from "../notifier/product-notices.ts";
import type { TransferRow } from "./transfer-tables.ts";

/** Undefined where the merchant named no address. */
export function transferNotice(transfer: TransferRow): ProductNotice | undefined {
  const { mch_id, out_bill_no, transfer_bill_no, notify_url, fail_reason } = transfer;
  if (notify_url === null) return undefined;
  return {
    ...{ about: "transfer", mchId: mch_id, number: out_bill_no, id: transfer_bill_no },
    ...{ url: notify_url, from: transfer.notify_from },
    ...{ event: "MCHTRANSFER.BILL.FINISHED", summary: "商家转账单据终态通知", originalType: "mch_payment" },
    resource: {
      ...{ mch_id, out_bill_no, transfer_bill_no },
      state: transfer.state,
      transfer_amount: transfer.amount,
      openid: transfer.openid,
      ...(fail_reason !== null && { fail_reason }),
      create_time: offsetTime(transfer.created_at),
      update_time: offsetTime(transfer.updated_at),
    },
  };
}
