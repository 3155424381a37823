/** The merchant side of payments: orders, refunds, the receiver of notifications and the reconcile job. */
import type { Logger } from "pino";
import type { EventBus } from "../../events/event-bus.ts";
import type { Route } from "../../http/route.ts";
import type { AdjustableClock } from "../../time/adjustable-clock.ts";
import { createEndOrder } from "./orders/end-order.ts";
import { notificationsRoutes } from "./notifications/notifications-routes.ts";
import { createKeyedMutex } from "./orders/keyed-mutex.ts";
import { createOrderActions } from "./orders/order-actions.ts";
import { createAlarm } from "./store/alarm.ts";
import { createOrderStore } from "./store/order-store.ts";
import { createOrderView } from "./orders/order-view.ts";
import { createOrderWrites } from "./store/order-writes.ts";
import { ordersRoutes } from "./orders/orders-routes.ts";
import type { PaymentsTables } from "./store/orders-tables.ts";
import { createPlaceOrder } from "./orders/place-order.ts";
import type { PaymentProvider } from "./provider/provider-client.ts";
import { createReceiver } from "./notifications/receive-notification.ts";
import { createReconcile } from "./orders/reconcile.ts";
import { createRefunding } from "./orders/refund-order.ts";
import { createRefundStore } from "./store/refund-store.ts";
import { createSettleOrder, type SettleDeps, type SettleOrder } from "./orders/settle-order.ts";
import { ordersConsoleRoutes } from "./orders/orders-console-routes.ts";
import type { EventDatabase } from "../../store/event-writes.ts";

export interface PaymentsDeps {
  readonly database: EventDatabase<PaymentsTables>;
  readonly provider: PaymentProvider;
  /** The provider's id of this user (openid). */
  readonly openidOf: (userId: number) => Promise<string | undefined>;
  readonly bus: EventBus;
  readonly log: Logger;
  readonly clock: Pick<AdjustableClock, "now" | "wakeAt">;
  /** Finds out the state of an order. A test of the tests replaces it with a faulty one. */
  readonly createSettle?: ((deps: SettleDeps) => SettleOrder) | undefined;
  /** How long a notification waits while its order is being looked at. */
  readonly notificationPatienceMs?: number | undefined;
}

export interface Payments {
  readonly routes: readonly Route[];
  /** The routes of the console. */
  readonly consoleRoutes: readonly Route[];
  /** What was ordered, by the ids of orders. */
  descriptions(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Resolves when no work is running any more. */
  close(): Promise<void>;
}

/** How often the orders of all instances are looked through for those that are due. */
const roundMs = 30_000;
/** Both leave time within the 5 s in which a notification has to be answered. */
const queryWithinMs = 3_000;
const defaultPatienceMs = 1_500;

export function createPayments(deps: PaymentsDeps): Payments {
  const {
    database,
    provider,
    openidOf,
    bus,
    log,
    createSettle = createSettleOrder,
    notificationPatienceMs: patienceMs = defaultPatienceMs,
  } = deps;
  const { db, instances } = database;
  const { now, wakeAt } = deps.clock;
  const alarm = createAlarm(wakeAt);
  const writes = createOrderWrites(database);
  const store = createOrderStore({ database, writes, now, alarm });
  const refunds = createRefundStore({ database, writes, now, alarm });
  const mutex = createKeyedMutex(instances);
  const settle = createSettle({ store, provider, bus, queryWithinMs });
  const ending = createEndOrder({ store, provider, settle, now });
  const refunding = createRefunding({ refunds, provider, settle, bus, now });
  const actions = createOrderActions({ ending, refunding });
  const reconcile = createReconcile({ store, refunds, settle, ending, refunding, mutex, now, alarm, log });
  reconcile.wake();
  // One that has ended may have left orders whose times this one does not know.
  const rounds = instances && setInterval(() => reconcile.wake(), roundMs).unref();
  instances?.onReturn(() => reconcile.wake());
  // A fixture may bring orders that wait for an inquiry.
  const stopListening = bus.subscribe(({ type }) => {
    if (type === "fixture.loaded") reconcile.wake();
  });

  return {
    routes: [
      ...ordersRoutes({
        store,
        place: createPlaceOrder({ store, provider, settle, mutex, openidOf, now }),
        settle,
        actions,
        mutex,
        view: createOrderView({ provider, refundsOf: (orderId) => refunds.ofOrder(orderId), now }),
      }),
      ...notificationsRoutes(createReceiver({ store, refunds, provider, settle, refunding, mutex, bus, patienceMs })),
    ],
    consoleRoutes: ordersConsoleRoutes({ db, store, refunds, settle, actions, mutex }),
    async descriptions(ids) {
      const orders = await db
        .selectFrom("orders")
        .select(["id", "description"])
        .where("id", "in", [...ids])
        .execute();
      return new Map(orders.map(({ id, description }) => [id, description]));
    },
    async close() {
      stopListening();
      clearInterval(rounds);
      const ended = reconcile.close();
      // Running inquiries end unanswered; the next start repeats them.
      provider.close();
      await ended;
    },
  };
}
