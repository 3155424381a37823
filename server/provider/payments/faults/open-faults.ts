/** Composes all injected faults over one list. */
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { IdentityErrcode } from "../../../contract/provider/sim-identity-faults.ts";
import type { Route } from "../../../http/route.ts";
import type { AdjustableClock } from "../../../time/adjustable-clock.ts";
import type { CallLog } from "../calls/call-log.ts";
import type { CallFaults } from "../calls/call-plan.ts";
import type { FindOrder } from "../ledger/find-order.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { createCallFaults } from "./call-faults.ts";
import { CodePayments } from "./code-payments.ts";
import type { FaultTables } from "./fault-tables.ts";
import { openFaultStore, type FaultStore } from "./fault-store.ts";
import { createFaultedOrders } from "./faulted-orders.ts";
import { faultRoutes } from "./faults-api.ts";
import { createIdentityFaults, type IdentityFaults } from "./identity-faults.ts";
import type { NotificationFaults, NotificationSender } from "./notification-faults.ts";
import { DeliveryPlanner } from "./plan-notifications.ts";
import { createRefundFaults, type RefundFaults } from "./refund-faults.ts";
import { sendingRoute } from "./sendings-api.ts";
import { createSendNow, type SendNow } from "./sendings.ts";
import { UnscheduledNotifications } from "./unscheduled-notifications.ts";

interface Deps extends Pick<AdjustableClock, "now" | "wakeAt"> {
  readonly db: Kysely<FaultTables>;
  readonly ledger: Ledger;
  readonly callLog: Pick<CallLog, "queriedBetween">;
  /** The notifier, which is created after its faults. */
  readonly sender: () => NotificationSender;
  readonly findOrder: FindOrder;
  readonly log: Logger;
}

export interface PaymentFaults {
  readonly calls: CallFaults;
  readonly notifications: NotificationFaults;
  readonly refunds: RefundFaults;
  readonly routes: readonly Route[];
  readonly sendNow: SendNow;
  /** The list of faults, for code that adds one temporarily. */
  readonly list: Pick<FaultStore, "add" | "remove" | "list">;
  /** @param refuse returns the error to throw for an errcode */
  identity(refuse: (errcode: IdentityErrcode) => Error): IdentityFaults;
  /** Resumes what an earlier run began. */
  start(): Promise<void>;
  /** Reads the faults again after other code has written the tables. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

export async function openFaults(deps: Deps): Promise<PaymentFaults> {
  const { db, ledger, callLog, sender, findOrder, log, now, wakeAt } = deps;
  const store = await openFaultStore(db);
  const orders = createFaultedOrders(db);
  const codePayments = new CodePayments({ store, orders, ledger, log, now, wakeAt });
  const unscheduled = new UnscheduledNotifications({ store, orders, ledger, sender, log, now, wakeAt });
  const sendNow = createSendNow({ ledger, callLog, sender, now });

  async function start(): Promise<void> {
    await codePayments.start();
    await unscheduled.start();
  }

  return {
    calls: createCallFaults({ unscheduled, store, orders, codePayments, ledger, now }),
    notifications: new DeliveryPlanner({ unscheduled, store, orders, now }),
    refunds: createRefundFaults(store, orders),
    routes: [...faultRoutes(store), sendingRoute(findOrder, sendNow)],
    sendNow,
    list: store,
    identity: (refuse) => createIdentityFaults(store, refuse),
    start,
    async reload() {
      await store.reload();
      await start();
    },
    async close() {
      await unscheduled.close();
      await codePayments.close();
      await store.saved();
    },
  };
}
