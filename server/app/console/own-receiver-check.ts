import type { ReceiverCheckRequest } from "../../contract/receiver-checks.ts";

interface Own {
  /** Base URL of the application server. */
  readonly app: string;
  readonly consoleToken: string;
  /** Of a user who has logged in completely: the orders are his. */
  readonly sessionToken: string;
}

/** The reconcile job looks at a new order after 10 s, and again after 30 s. */
const reconcileWithinMs = 45_000;

/** How the simulator checks this application server's own receiver: with orders of a user, and the console's word on them. */
export function ownReceiverCheck({ app, consoleToken, sessionToken }: Own): ReceiverCheckRequest {
  return {
    notify_url: `${app}/api/payments/notifications`,
    refund_notify_url: `${app}/api/payments/refund-notifications`,
    orders: {
      from: "backend",
      url: `${app}/api/orders`,
      headers: { Authorization: `Bearer ${sessionToken}`, "Content-Type": "application/json" },
      body: JSON.stringify({ description: "Receiver check-up", amount: 101, trade_type: "NATIVE" }),
      out_trade_no_at: "data.out_trade_no",
    },
    status: {
      // Not the user's own view of the order: that one asks the provider.
      url: `${app}/console/api/orders/{reply.data.id}`,
      headers: { Authorization: `Bearer ${consoleToken}` },
      settled_when: "settled_at",
      settlements_at: "history[reason=settled].length",
    },
    reconcile_within_ms: reconcileWithinMs,
  };
}
