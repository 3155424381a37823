/** The actions of buyers on an order that waits for payment, in the platform's client or on a page. */
import type { SimPaymentSettings } from "../../../contract/provider/provider.ts";
import type { BuyerOutcome } from "../../../contract/provider/sim-client.ts";
import type { AdjustableClock } from "../../../time/adjustable-clock.ts";
import { Agenda } from "../agenda.ts";
import { PaymentRefusal, type Ledger, type Order } from "../ledger/ledger.ts";

/** `too_late`: the order can no longer be paid; the code says why. */
export type BuyerResult =
  | { readonly kind: "paid"; readonly order: Order }
  /** Paid a while later, when `done` settles. */
  | { readonly kind: "paying"; readonly done: Promise<BuyerResult> }
  | { readonly kind: "wrong_password" | "no_funds" | "cancelled" }
  | { readonly kind: "too_late"; readonly code: string };

interface Deps extends Pick<AdjustableClock, "now" | "wakeAt"> {
  readonly ledger: Pick<Ledger, "pay" | "failPayment">;
  readonly settings: () => Pick<SimPaymentSettings, "slow_seconds" | "timeScale">;
}

/** A pause before a slow payment is tried again. */
const againAfterMs = 1_000;

interface SlowPayment {
  readonly done: Promise<BuyerResult>;
  readonly settle: (result: BuyerResult) => void;
  readonly pay: () => Promise<BuyerResult>;
}

export type Buying = ReturnType<typeof createBuying>;

export function createBuying({ ledger, settings, now, wakeAt }: Deps) {
  const slow = new Map<number, SlowPayment>();
  let closed = false;
  const agenda = new Agenda<number>({
    wakeAt,
    run(orderId) {
      const payment = slow.get(orderId);
      if (!payment) return;
      const settle = (result: BuyerResult) => {
        slow.delete(orderId);
        payment.settle(result);
      };
      // It could not be stored.
      payment.pay().then(settle, () => void (!closed && agenda.add(now() + againAfterMs, orderId)));
    },
  });
  const keyOf = ({ mchId, outTradeNo }: Order) => ({ mchId, outTradeNo });

  const pay = (order: Order, payer?: string): Promise<BuyerResult> =>
    unlessTooLate(async () => ({
      kind: "paid",
      order: await ledger.pay(keyOf(order), { payer }),
    }));

  const fail = (order: Order, reason: "wrong_password" | "no_funds" | "cancel") =>
    unlessTooLate(async () => {
      await ledger.failPayment(keyOf(order), reason);
      return { kind: reason === "cancel" ? "cancelled" : reason };
    });

  /** Cancels all slow payments. */
  function cancelAll(): void {
    agenda.clear();
    for (const { settle } of slow.values()) settle({ kind: "cancelled" });
    slow.clear();
  }

  function paySlowly(order: Order, payer?: string): BuyerResult {
    if (closed) return { kind: "cancelled" };
    const known = slow.get(order.id);
    if (known) return { kind: "paying", done: known.done };
    const { promise: done, resolve: settle } = Promise.withResolvers<BuyerResult>();
    slow.set(order.id, { done, settle, pay: () => pay(order, payer) });
    const { slow_seconds, timeScale } = settings();
    agenda.add(now() + slow_seconds * 1000 * timeScale, order.id);
    return { kind: "paying", done };
  }

  return {
    /** Whether a slow payment of the order is in progress. */
    isPaying: ({ id }: Order): boolean => slow.has(id),
    /** @param payer openid, if the order does not name its payer */
    async act(order: Order, outcome: BuyerOutcome, payer?: string): Promise<BuyerResult> {
      switch (outcome) {
        case "pay":
          return pay(order, payer);
        case "slow":
          return paySlowly(order, payer);
        case "wrong_password":
        case "no_funds":
        case "cancel":
          return fail(order, outcome);
      }
    },
    cancelAll,
    /** Cancels all slow payments and prevents new ones. */
    close(): void {
      closed = true;
      cancelAll();
    },
  };
}

async function unlessTooLate(act: () => Promise<BuyerResult>): Promise<BuyerResult> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof PaymentRefusal) return { kind: "too_late", code: error.code };
    throw error;
  }
}
