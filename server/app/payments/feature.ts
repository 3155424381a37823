/** The merchant side of payments: orders, refunds, the receiver of notifications and the reconcile job. */
import type { HearthEvents } from "../../contract/console/traffic/events.ts";
import type { EventKernel, Feature } from "../../kernel/feature.ts";
import { notificationsRoutes } from "./notifications/notifications-routes.ts";
import { createReceiver } from "./notifications/receive-notification.ts";
import { EndOrder } from "./orders/end-order.ts";
import { KeyedMutex } from "./orders/keyed-mutex.ts";
import { createOrderView } from "./orders/order-view.ts";
import { ordersConsoleRoutes } from "./orders/orders-console-routes.ts";
import { ordersRoutes } from "./orders/orders-routes.ts";
import { OrderPlacer } from "./orders/place-order.ts";
import { Reconcile } from "./orders/reconcile.ts";
import { createRemoveChecked } from "./orders/remove-checked.ts";
import { Refunding } from "./orders/refund-order.ts";
import { createSettleOrder, type SettleDeps, type SettleOrder } from "./orders/settle-order.ts";
import { createPaymentProvider } from "./provider/create-payment-provider.ts";
import { checkOwnMerchant, type PaymentSimulator } from "./provider/payment-access.ts";
import type { PaymentProvider } from "./provider/provider-client.ts";
import { Alarm } from "./store/alarm.ts";
import { OrderStore } from "./store/order-store.ts";
import { OrderWrites } from "./store/order-writes.ts";
import { agedOrder, type PaymentsTables } from "./store/orders-tables.ts";
import { RefundStore } from "./store/refund-store.ts";

/** Replacements for tests. */
export interface PaymentTestDoubles {
  /** Wraps the provider. */
  readonly provider?: (provider: PaymentProvider) => PaymentProvider;
  /** Finds out the state of an order. A test of the tests replaces it with a faulty one. */
  readonly createSettle?: ((deps: SettleDeps) => SettleOrder) | undefined;
  /** How long a notification waits while its order is being looked at. */
  readonly notificationPatienceMs?: number | undefined;
}

interface Ports {
  readonly simulator: PaymentSimulator;
  /** This server's own address, once it listens. */
  readonly ownUrl: () => string;
  /** The provider's id of this user (openid). */
  readonly openidOf: (userId: number) => Promise<string | undefined>;
  /** Whether this is the openid of the console's own user. */
  readonly isConsole: (openid: string) => Promise<boolean>;
  readonly doubles: PaymentTestDoubles;
}

/** How often the orders of all instances are looked through for those that are due. */
const roundMs = 30_000;
/** Both leave time within the 5 s in which a notification has to be answered. */
const queryWithinMs = 3_000;
const defaultPatienceMs = 1_500;

export const paymentsFeature: Feature<EventKernel<PaymentsTables>, Ports, undefined> = {
  name: "payments",
  stateParts: { orders: { tables: ["orders", "order_refunds", "order_history"], aged: agedOrder } },
  startChecks: { payment_: checkOwnMerchant },
  tags: {
    orders:
      "Payments: place, query, close, refund and reverse orders. Only the platform's query order decides an order's state.",
    "payment-notifications": "The platform reports payments and refunds here. Not for clients.",
  },
  consoleTags: { orders: "All users' orders, each with its history." },
  open({ settings, database, bus, clock, log, atClose }, { simulator, ownUrl, openidOf, isConsole, doubles }) {
    const { createSettle = createSettleOrder, notificationPatienceMs: patienceMs = defaultPatienceMs } = doubles;
    const { db, instances } = database;
    const { now, wakeAt } = clock;
    const ownProvider = createPaymentProvider({ settings, simulator, ownUrl });
    const provider = doubles.provider?.(ownProvider) ?? ownProvider;
    const alarm = new Alarm(wakeAt);
    const writes = new OrderWrites(database);
    const store = new OrderStore({ database, writes, now, alarm });
    const refunds = new RefundStore({ database, writes, now, alarm });
    const mutex = new KeyedMutex(instances);
    const settle = createSettle({ store, provider, bus, now, queryWithinMs });
    const ending = new EndOrder({ store, provider, settle, now });
    const refunding = new Refunding({ refunds, provider, settle, bus, now });
    const reconcile = new Reconcile({ store, refunds, settle, ending, refunding, mutex, now, alarm, log });
    reconcile.wake();
    // One that has ended may have left orders whose times this one does not know.
    const rounds = instances && setInterval(() => reconcile.wake(), roundMs).unref();
    instances?.onReturn(() => reconcile.wake());
    const removeChecked = createRemoveChecked({ store, mutex, log });
    // Other instances may be running checks.
    if (!instances) void removeChecked();
    // A fixture may bring orders that wait for an inquiry.
    const stopListening = bus.subscribe(({ type, data }) => {
      if (type === "fixture.loaded") reconcile.wake();
      if (type === "receiver.checked") void removeChecked((data as HearthEvents["receiver.checked"]).orders);
    });
    atClose(async () => {
      stopListening();
      clearInterval(rounds);
      const ended = reconcile.close();
      // Running inquiries end unanswered; the next start repeats them.
      provider.close();
      await ended;
    });

    return {
      routes: [
        ...ordersRoutes({
          store,
          placer: new OrderPlacer({ store, provider, settle, mutex, openidOf, isConsole, now }),
          settle,
          ending,
          refunding,
          mutex,
          view: createOrderView({ provider, refundsOf: (orderId) => refunds.ofOrder(orderId), now }),
        }),
        ...notificationsRoutes(
          createReceiver({ store, refunds, provider, settle, refunding, mutex, bus, now, patienceMs }),
          settings.payment_provider === "alipay",
        ),
      ],
      consoleRoutes: ordersConsoleRoutes({ db, store, refunds, settle, ending, refunding, mutex }),
      port: undefined,
    };
  },
};
