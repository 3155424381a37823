/** What faults do at a time, while the database is away at that time. */
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { StoreProblem } from "../../../server/contract/process/store-problem.ts";
import { simFaultInputSchema } from "../../../server/contract/provider/sim-faults.ts";
import { CodePayments } from "../../../server/provider/payments/faults/code-payments.ts";
import { openFaultStore, type FaultStore } from "../../../server/provider/payments/faults/fault-store.ts";
import { faultMigrations, type FaultTables } from "../../../server/provider/payments/faults/fault-tables.ts";
import { FaultedOrders } from "../../../server/provider/payments/faults/faulted-orders.ts";
import type { DueNotification } from "../../../server/provider/payments/faults/notification-faults.ts";
import { UnscheduledNotifications } from "../../../server/provider/payments/faults/unscheduled-notifications.ts";
import type { LedgerChange, Order } from "../../../server/provider/payments/ledger/ledger.ts";
import { openDatabase } from "../../../server/store/sqlite/open-database.ts";
import { quietLog } from "../../support/quiet-log.ts";
import { standingClock } from "../../support/standing-clock.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const order = { mchId: "1900000109", outTradeNo: "HEARTH0000000001", tradeState: "NOTPAY" } as Order;
const seconds = 20;

let store: FaultStore;
let orders: FaultedOrders;
let clock: ReturnType<typeof standingClock>;
let close: () => Promise<void>;
beforeEach(async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, "faults.db");
  const opened = await openDatabase<FaultTables>({ file, migrations: faultMigrations });
  close = async () => {
    await opened.close();
    folder[Symbol.dispose]();
  };
  store = await openFaultStore(opened.db);
  orders = new FaultedOrders(opened.db);
  clock = standingClock();
});
afterEach(() => close());

const deps = () => ({ store, orders, log: quietLog, now: clock.now, wakeAt: clock.wakeAt });
const addFault = async (input: object) => (await store.add(simFaultInputSchema.parse(input))).id;

/** Something that fails the first time, because the database is away. */
function awayAtFirst() {
  let times = 0;
  return {
    times: () => times,
    act() {
      if (++times === 1) throw new StoreProblem("database_unreachable", undefined);
    },
  };
}

/** Time goes on until all is done that was due. */
const allDone = () =>
  expect
    .poll(() => {
      clock.offsetMs += seconds * 1_000;
      return orders.due();
    })
    .toEqual([]);

it("a payment by code ends later", async () => {
  const away = awayAtFirst();
  const payments = new CodePayments({
    ...deps(),
    ledger: {
      find: async () => order,
      async pay() {
        away.act();
        return order;
      },
      failPayment: () => Promise.reject(new Error("nobody wants that")),
    },
  });
  const id = await addFault({ kind: "user_paying", params: { outcome: "SUCCESS", after_seconds: seconds } });
  await payments.begin(id, order, { outcome: "SUCCESS", after_seconds: seconds });
  await allDone();
  expect(away.times()).toBe(2);
  await payments.close();
});

/** Notifications whose first delivery fails, and what tells them of a change of the order. */
function openNotifications() {
  const away = awayAtFirst();
  const listeners = new Set<(change: LedgerChange) => void>();
  const due = { order, write: async () => ({ headers: {}, body: "" }) } as unknown as DueNotification;
  const open = () =>
    new UnscheduledNotifications({
      ...deps(),
      ledger: {
        find: async () => order,
        refunds: async () => [],
        subscribe(listen) {
          listeners.add(listen);
          return () => listeners.delete(listen);
        },
      },
      sender: () => ({
        compose: async () => due,
        async deliver() {
          away.act();
          return [];
        },
      }),
    });
  return { open, away, change: (what: LedgerChange) => listeners.forEach((listen) => listen(what)) };
}

it("a notification is sent later, once", async () => {
  const { open, away } = openNotifications();
  const notifications = open();
  const faultId = await addFault({ kind: "forged_success", params: { after_ms: seconds * 1_000 } });
  await orders.begin({ faultId, ...order }, { step: "forge", dueAt: clock.now() + seconds * 1_000 });
  await notifications.start();
  await allDone();
  expect(away.times()).toBe(2);
  await notifications.close();
});

it.each([
  ["when an order is placed", { kind: "forged_success", params: {} }, { from: undefined, order }],
  [
    "when an order is closed",
    { kind: "notification_order", params: { how: "payment_after_close" } },
    { from: "NOTPAY" as const, order: { ...order, tradeState: "CLOSED" as const } },
  ],
])("a notification that was due at once %s is sent by the next start, once", async (_, fault, change) => {
  const { open, away, ...ledger } = openNotifications();
  const before = open();
  await before.start();
  await addFault(fault);
  ledger.change({ kind: "order", ...change });
  await expect.poll(away.times).toBe(1);
  await before.close();
  const after = open();
  await after.start();
  await expect
    .poll(() => {
      clock.offsetMs += seconds * 1_000;
      return away.times();
    })
    .toBe(2);
  await allDone();
  expect(away.times()).toBe(2);
  await after.close();
});
