/** Pays an order without the notification that would follow: a check sends it itself, at its own time. */
import type { Ledger, Order, PaidBy } from "../ledger/ledger.ts";
import type { NotificationStore } from "../notifier/notification-store.ts";
import type { FaultStore } from "../faults/fault-store.ts";

/** Reads pending notifications and ends their schedule. */
export type WaitingNotifications = Pick<NotificationStore, "list" | "claim" | "settle">;

export interface QuietPaymentDeps {
  readonly ledger: Pick<Ledger, "pay">;
  readonly faults: Pick<FaultStore, "add" | "remove">;
  readonly notifications: WaitingNotifications;
  readonly pause: (ms: number) => Promise<void>;
}

const pollIntervalMs = 10;
/** Only a limit for the loop: the notification is recorded before it would be sent. */
const maxPolls = 500;

type Key = Pick<Order, "mchId" | "outTradeNo">;

/** @throws PaymentRefusal if the order cannot be paid */
export async function payQuietly(
  deps: QuietPaymentDeps,
  { mchId, outTradeNo, notifyUrl }: Order,
  by: PaidBy = {},
): Promise<Order> {
  const { ledger, faults } = deps;
  const key = { mchId, outTradeNo };
  const lost = await faults.add({
    kind: "notification_lost",
    params: { about: "payment" },
    scope: { mch_id: mchId, out_trade_no: outTradeNo },
    probability: 1,
    seed: 1,
    note: "receiver check: it sends the notification itself",
  });
  try {
    const paid = await ledger.pay(key, by);
    if (notifyUrl !== undefined) await endSchedule(deps, key);
    return paid;
  } finally {
    await faults.remove(lost.id);
  }
}

/** Ends the lost notification's schedule, so that it is not retried. */
async function endSchedule({ notifications, pause }: QuietPaymentDeps, key: Key): Promise<void> {
  for (let polls = 0; polls < maxPolls; polls++) {
    const notified = (await notifications.list({ ...key, limit: 20 })).filter(({ state }) => state !== "unscheduled");
    const pending = notified.filter(({ state }) => state === "pending");
    if (notified.length > 0 && pending.length === 0) return;
    for (const { id } of pending) {
      const row = await notifications.claim(id);
      if (row) await notifications.settle(row, { ...row, state: "given_up", due_at: null });
    }
    if (pending.length === 0 || notified.length === 0) await pause(pollIntervalMs);
    else await pause(0);
  }
}
