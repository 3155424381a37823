/** Composes all injected faults over one list. */
import type { IdentityErrcode } from "../../../contract/provider/sim-identity-faults.ts";
import type { PaymentParts, PaymentRecords } from "../open-records.ts";
import { createCallFaults } from "./call-faults.ts";
import { CodePayments } from "./code-payments.ts";
import { openFaultStore } from "./fault-store.ts";
import { FaultedOrders } from "./faulted-orders.ts";
import { faultRoutes } from "./faults-api.ts";
import { createIdentityFaults } from "./identity-faults.ts";
import type { NotificationSender } from "./notification-faults.ts";
import { DeliveryPlanner } from "./plan-notifications.ts";
import { createRefundFaults } from "./refund-faults.ts";
import { sendingRoute } from "./sendings-api.ts";
import { createSendNow } from "./sendings.ts";
import { UnscheduledNotifications } from "./unscheduled-notifications.ts";

interface Deps extends PaymentParts, Pick<PaymentRecords, "ledger" | "callLog" | "findOrder" | "signer"> {
  /** The notifier, which is created after its faults. */
  readonly sender: () => NotificationSender;
}

export type PaymentFaults = Awaited<ReturnType<typeof openFaults>>;

export async function openFaults(deps: Deps) {
  const { db, ledger, callLog, sender, findOrder, signer, log, now, wakeAt } = deps;
  const store = await openFaultStore(db);
  const orders = new FaultedOrders(db);
  const codePayments = new CodePayments({ store, orders, ledger, log, now, wakeAt });
  const unscheduled = new UnscheduledNotifications({ store, orders, ledger, sender, log, now, wakeAt });
  const sendNow = createSendNow({ ledger, callLog, sender, now });

  async function start(): Promise<void> {
    await codePayments.start();
    await unscheduled.start();
  }

  return {
    calls: createCallFaults({ unscheduled, store, orders, codePayments, ledger, signer, now }),
    notifications: new DeliveryPlanner({ unscheduled, store, orders, now }),
    refunds: createRefundFaults(store, orders),
    routes: [...faultRoutes(store), sendingRoute(findOrder, sendNow)],
    sendNow,
    /** The list of faults, for code that adds one temporarily. */
    list: store,
    /** @param refuse returns the error to throw for an errcode */
    identity: (refuse: (errcode: IdentityErrcode) => Error) => createIdentityFaults(store, refuse),
    /** Resumes what an earlier run began. */
    start,
    /** Reads the faults again after other code has written the tables. */
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
