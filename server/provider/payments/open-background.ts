/** Opens the work around the calls: injected faults, notifications, ends of refunds. */
import { openFaults } from "./faults/open-faults.ts";
import { createRefundFinisher } from "./finish-refunds.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { openNotifier } from "./notifier/open-notifier.ts";
import type { NotificationPoster } from "./notifier/post-notification.ts";
import type { PaymentParts, PaymentRecords } from "./open-records.ts";
import { openPapay } from "./papay/open-papay.ts";
import { openProfitSharing } from "./profit-sharing/profit-sharing.ts";
import { openMerchantTransfers } from "./transfers/merchant-transfers.ts";
import { createRounds } from "./rounds.ts";

export type PaymentBackground = Awaited<ReturnType<typeof openBackground>>;

/** @param poster sends notifications */
export async function openBackground(parts: PaymentParts, records: PaymentRecords, poster: NotificationPoster) {
  const { settings, instances, log } = parts;
  const faults = await openFaults({ ...parts, ...records, sender: () => notifier });
  const { notifications, notifier } = await openNotifier({
    ...parts,
    ...records,
    faults: faults.notifications,
    poster,
  });
  const refundFinisher = createRefundFinisher({ ...parts, ledger: records.ledger, faults: faults.refunds });
  const papay = openPapay(parts, records.ledger, notifier);
  /** The ledger for callers: a refund or a deduction whose time is over has ended. */
  const ledger: Ledger = {
    ...records.ledger,
    ...papay.reads,
    async refunds(key) {
      await refundFinisher.finishDue();
      return records.ledger.refunds(key);
    },
  };
  const profitSharing = openProfitSharing(parts, records, notifier);
  const transfers = openMerchantTransfers(parts, records, notifier);
  const timed = [profitSharing.due, profitSharing.release, transfers.due, ...papay.timed];
  const rounds = createRounds({
    instances,
    restart: () => faults.start(),
    async resume() {
      await notifier.resume();
      await refundFinisher.reload();
      for (const due of timed) await due.settle();
    },
    log,
  });

  return {
    faults,
    notifications,
    notifier,
    ledger,
    profitSharing,
    transfers,
    papay,
    /** Reads the stored work again after other code has written it. */
    async reload() {
      for (const part of [faults, notifier, refundFinisher, ...timed]) await part.reload();
    },
    /** Applies the current settings to everything that waits. */
    async settingsChanged({ timeScale, refund_seconds }: ReturnType<typeof settings>): Promise<void> {
      const isOther = timeScale !== settings().timeScale;
      if (isOther) await notifier.reschedule();
      if (isOther || refund_seconds !== settings().refund_seconds) await refundFinisher.reload();
    },
    async start() {
      await faults.start();
      await notifier.start();
      await refundFinisher.start();
      await papay.start();
      for (const due of timed) await due.settle();
      rounds.start();
    },
    /** Pending work continues at the next start. */
    async close() {
      await rounds.close();
      // Faults wait for the notifications that they sent, which end with the notifier.
      await Promise.all([faults.close(), notifier.close()]);
      await refundFinisher.close();
      await papay.close();
      for (const due of timed) await due.close();
    },
  };
}
