/** Composes profit sharing: receivers, shares that end by the clock, returns, and the end of the time to share. */
import { DueRows } from "../due-rows.ts";
import type { NoticeOutbox } from "../notifier/product-notices.ts";
import type { PaymentParts, PaymentRecords } from "../open-records.ts";
import { createShareNotices } from "./share-notices.ts";
import { ShareReceivers } from "./share-receivers.ts";
import { createShareReturns } from "./share-returns.ts";
import { frozenMs, isShared } from "./shared-orders.ts";
import type { Share } from "./share-tables.ts";
import { Shares } from "./shares.ts";

export type ProfitSharing = ReturnType<typeof openProfitSharing>;

/** @param outbox stores the notifications of the merchants that get a part */
export function openProfitSharing(
  parts: PaymentParts,
  { book, sharedOrders, ledger }: Pick<PaymentRecords, "book" | "sharedOrders" | "ledger">,
  outbox: NoticeOutbox,
) {
  const receivers = new ShareReceivers(parts.db);
  const notices = createShareNotices({ receivers, outbox });
  const shares = new Shares({
    ...{ ...parts, book, receivers, notices },
    orders: sharedOrders,
    releaseDue: () => release.settle(),
    onDue: (at) => due.add(at),
  });
  const waits = { table: "pay_shares", due: "due_at", since: "created_at" };
  const due = new DueRows({ ...parts, waits, runDue: (at) => shares.finishDue(at) });
  const release = new DueRows({
    ...parts,
    waits: { table: "pay_share_orders", due: "due_at" },
    runDue: (at) => sharedOrders.releaseDue(at),
  });
  ledger.subscribe((change) => {
    if (change.kind === "order" && change.order.tradeState === "SUCCESS" && isShared(change.order))
      release.add((change.order.paidAt ?? 0) + frozenMs);
  });
  return {
    receivers,
    shares,
    returns: createShareReturns({ ...parts, book, notices }),
    due,
    release,
    /** A share whose time is over has ended. @throws PaymentRefusal RESOURCE_NOT_EXISTS */
    async get(...key: Parameters<Shares["get"]>): Promise<Share> {
      await due.settle();
      return shares.get(...key);
    },
  };
}
