/** Composes profit sharing: receivers, shares that end by the clock, and returns. */
import { DueRows } from "../due-rows.ts";
import type { PaymentParts } from "../open-records.ts";
import { ShareReceivers } from "./share-receivers.ts";
import { createShareReturns } from "./share-returns.ts";
import { Shares, type Share } from "./shares.ts";

export type ProfitSharing = ReturnType<typeof openProfitSharing>;

export function openProfitSharing(parts: PaymentParts) {
  const receivers = new ShareReceivers(parts.db);
  const shares = new Shares({ ...parts, receivers, onDue: (at) => due.add(at) });
  const due = new DueRows({ ...parts, nextDue: () => shares.nextDue(), runDue: (at) => shares.finishDue(at) });
  return {
    receivers,
    shares,
    returns: createShareReturns(parts),
    due,
    /** A share whose time is over has ended. @throws PaymentRefusal RESOURCE_NOT_EXISTS */
    async get(...key: Parameters<Shares["get"]>): Promise<Share> {
      await due.settle();
      return shares.get(...key);
    },
  };
}
