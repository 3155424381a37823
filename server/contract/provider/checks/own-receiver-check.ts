import { checkPrefix } from "../internal-people.ts";
import type { ReceiverCheckRequest } from "./receiver-checks.ts";

interface Own {
  /** Base URL of the application server. */
  readonly app: string;
  /** The token of a completely logged-in user, who owns the orders. */
  readonly sessionToken: string;
  /** The person who is that user, if the check removes both at its end. */
  readonly person?: string | undefined;
  /** With it the check also counts how often an order was settled. */
  readonly consoleToken?: string | undefined;
}

/** The reconcile job queries a new order after 10 s, and again after 30 s. */
const reconcileWithinMs = 45_000;

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Neither queries the provider, unlike the user's view of a single order. */
const statusFor = ({ app, sessionToken, consoleToken }: Own): ReceiverCheckRequest["status"] =>
  consoleToken === undefined
    ? {
        url: `${app}/api/orders?page_size=20`,
        headers: bearer(sessionToken),
        settled_when: "data[out_trade_no={out_trade_no}][0].settled_at",
      }
    : {
        url: `${app}/console/api/orders/{reply.data.id}`,
        headers: bearer(consoleToken),
        settled_when: "settled_at",
        settlements_at: "history[reason=settled].length",
      };

/** Where the application server takes notifications. */
export const ownNotifyUrl = (app: string): string => `${app}/api/payments/notifications`;

/** The simulator's request for a check of the application server's own receiver, with orders of one of its users. */
export const ownReceiverCheck = (own: Own): ReceiverCheckRequest => ({
  notify_url: ownNotifyUrl(own.app),
  refund_notify_url: `${own.app}/api/payments/refund-notifications`,
  orders: {
    from: "backend",
    url: `${own.app}/api/orders`,
    headers: {
      ...bearer(own.sessionToken),
      "Content-Type": "application/json",
      "Idempotency-Key": `${checkPrefix}{unique}`,
    },
    body: JSON.stringify({ description: "Receiver check-up", amount: 101, trade_type: "NATIVE" }),
    out_trade_no_at: "data.out_trade_no",
  },
  status: statusFor(own),
  ...(own.person !== undefined && { person: own.person }),
  reconcile_within_ms: reconcileWithinMs,
});
