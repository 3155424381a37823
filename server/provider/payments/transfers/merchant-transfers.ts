/** Composes transfers to users, whose states end by the clock. */
import { DueRows } from "../due-rows.ts";
import type { SendNotice } from "../notifier/product-notices.ts";
import type { PaymentParts } from "../open-records.ts";
import { notifyOfTransfer } from "./transfer-notice.ts";
import type { TransferRow } from "./transfer-tables.ts";
import { Transfers, type TransferKey } from "./transfers.ts";

export type MerchantTransfers = ReturnType<typeof openMerchantTransfers>;

/** @param send notifies merchants of transfers that have ended */
export function openMerchantTransfers(parts: PaymentParts, send: SendNotice) {
  const transfers = new Transfers({
    ...parts,
    onDue: (at) => due.add(at),
    onEnd: (transfer) => notifyOfTransfer(send, transfer),
  });
  const waits = { table: "pay_transfers", due: "due_at", since: "updated_at" };
  const due = new DueRows({ ...parts, waits, runDue: (at) => transfers.endDue(at) });
  return {
    transfers,
    due,
    /** A transfer whose state's time is over has left it. @throws PaymentRefusal NOT_FOUND */
    async get(key: TransferKey): Promise<TransferRow> {
      await due.settle();
      return transfers.get(key);
    },
  };
}
