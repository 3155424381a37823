import type { EventKernel, Feature } from "../../kernel/feature.ts";
import { createPayments, type Payments, type PaymentsDeps } from "./payments.ts";
import { createPaymentProvider } from "./provider/create-payment-provider.ts";
import { checkOwnMerchant, type PaymentSimulator } from "./provider/payment-access.ts";
import type { PaymentProvider } from "./provider/provider-client.ts";
import { agedOrder, paymentsMigrations, type PaymentsTables } from "./store/orders-tables.ts";

/** Replacements for tests. */
export interface PaymentTestDoubles extends Pick<PaymentsDeps, "createSettle" | "notificationPatienceMs"> {
  /** Wraps the provider. */
  readonly provider?: (provider: PaymentProvider) => PaymentProvider;
}

interface Ports {
  readonly simulator: PaymentSimulator;
  /** This server's own address, once it listens. */
  readonly ownUrl: () => string;
  readonly openidOf: PaymentsDeps["openidOf"];
  readonly doubles: PaymentTestDoubles;
}

/** The merchant side of payments. */
export const paymentsFeature: Feature<EventKernel<PaymentsTables>, Ports, Pick<Payments, "descriptions">> = {
  name: "payments",
  migrations: paymentsMigrations,
  stateParts: { orders: { tables: ["orders", "order_refunds", "order_history"], aged: agedOrder } },
  startChecks: { payment_: checkOwnMerchant },
  tags: {
    orders:
      "Payments: an order is placed, looked up, closed, refunded and reversed. Only the provider's query order decides its state.",
    "payment-notifications": "Where the payment provider reports payments and refunds; not for clients.",
  },
  consoleTags: { orders: "All users' orders, each with its history." },
  open({ settings, database, bus, clock, log, atClose }, { simulator, ownUrl, openidOf, doubles }) {
    const provider = createPaymentProvider({ settings, simulator, ownUrl });
    const payments = createPayments({
      ...doubles,
      provider: doubles.provider?.(provider) ?? provider,
      database,
      openidOf,
      bus,
      log,
      clock,
    });
    atClose(() => payments.close());
    return { routes: payments.routes, consoleRoutes: payments.consoleRoutes, port: payments };
  },
};
