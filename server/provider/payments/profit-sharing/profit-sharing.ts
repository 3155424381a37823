/** Composes profit sharing: receivers, shares that end by the clock, and returns. */
import { DueRows } from "../due-rows.ts";
import type { SendNotice } from "../notifier/product-notices.ts";
import type { PaymentParts } from "../open-records.ts";
import { createShareNotices } from "./share-notices.ts";
import { ShareReceivers } from "./share-receivers.ts";
import { createShareReturns } from "./share-returns.ts";
import { Shares, type Share } from "./shares.ts";

export type ProfitSharing = ReturnType<typeof openProfitSharing>;

/** @param send notifies the merchants that get a part */
export function openProfitSharing(parts: PaymentParts, send: SendNotice) {
  const receivers = new ShareReceivers(parts.db);
  const notices = createShareNotices({ receivers, send });
  const shares = new Shares({
    ...parts,
    receivers,
    onDue: (at) => due.add(at),
    onEnd: (share) => notices.shared(share),
  });
  const waits = { table: "pay_shares", due: "due_at", since: "created_at" };
  const due = new DueRows({ ...parts, waits, runDue: (at) => shares.finishDue(at) });
  return {
    receivers,
    shares,
    returns: createShareReturns({ ...parts, onEnd: notices.returned }),
    due,
    /** A share whose time is over has ended. @throws PaymentRefusal RESOURCE_NOT_EXISTS */
    async get(...key: Parameters<Shares["get"]>): Promise<Share> {
      await due.settle();
      return shares.get(...key);
    },
  };
}
