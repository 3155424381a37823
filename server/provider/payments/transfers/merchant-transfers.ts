/** Composes transfers to users, whose states end by the clock. */
import { DueRows } from "../due-rows.ts";
import type { NoticeOutbox } from "../notifier/product-notices.ts";
import type { PaymentParts, PaymentRecords } from "../open-records.ts";
import type { TransferRow } from "./transfer-tables.ts";
import { Transfers, type TransferKey } from "./transfers.ts";

export type MerchantTransfers = ReturnType<typeof openMerchantTransfers>;

/** @param outbox stores the notifications of transfers that have ended */
export function openMerchantTransfers(
  parts: PaymentParts,
  { book }: Pick<PaymentRecords, "book">,
  outbox: NoticeOutbox,
) {
  const transfers = new Transfers({ ...parts, book, outbox, onDue: (at) => due.add(at) });
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
