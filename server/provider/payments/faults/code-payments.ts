/** Payments by code that do not end at once: they end after some queries or at a time. */
import type { Logger } from "pino";
import type { SimFaultOf } from "../../../contract/provider/sim-faults.ts";
import type { CallName } from "../calls/answer-call.ts";
import { PaymentRefusal, type Ledger } from "../ledger/ledger.ts";
import { isWaiting } from "../../../store/waits.ts";
import { createAgenda } from "../agenda.ts";
import { BackgroundWork } from "../background-work.ts";
import type { FaultStore } from "./fault-store.ts";
import type { FaultedOrder, FaultedOrders } from "./faulted-orders.ts";

interface Deps {
  readonly store: Pick<FaultStore, "byId">;
  readonly orders: FaultedOrders;
  readonly ledger: Pick<Ledger, "pay" | "failPayment" | "find">;
  readonly log: Logger;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly wakeAt: (due: number, run: () => void) => () => void;
}

export interface OrderName {
  readonly mchId: string;
  readonly outTradeNo: string;
}

export interface CodePayments {
  /** The payment was requested; the fault decides how it ends. */
  begin(faultId: number, order: OrderName, how: SimFaultOf<"user_paying">["params"]): Promise<void>;
  /** Performs what is due by now, before a call about the order is performed. */
  advance(order: OrderName, call: CallName): Promise<void>;
  /** Schedules exactly what is still pending. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** A pause before a payment is ended that could not be stored. */
const retryAfterMs = 1_000;

/** The steps of an order whose payment has yet to end. */
const isEnding = ({ step }: FaultedOrder) => step === "SUCCESS" || step === "PAYERROR";

export function createCodePayments({ store, orders, ledger, log, now, wakeAt }: Deps): CodePayments {
  const work = new BackgroundWork({
    onError: (error) => log.error({ err: error }, "a payment by code could not be ended"),
  });
  const agenda = createAgenda<FaultedOrder>({ wakeAt, run: (row) => work.run(endOrRetry(row)) });
  let closed = false;

  async function endOrRetry(row: FaultedOrder): Promise<void> {
    try {
      await end(row);
    } catch (error) {
      if (!closed) agenda.add(now() + retryAfterMs, row);
      throw error;
    }
  }

  /** Another instance may end it at the same time: the ledger lets it end once. */
  async function end(row: FaultedOrder): Promise<void> {
    const pending = await orders.of(row);
    if (!pending.some(({ faultId, step }) => faultId === row.faultId && step === row.step)) return;
    try {
      if (row.step === "SUCCESS") await ledger.pay(row);
      else await ledger.failPayment(row, "bank");
    } catch (error) {
      // It has ended in another way: reversed, or by hand.
      if (!(error instanceof PaymentRefusal)) throw error;
    }
    await orders.end(row);
  }

  function nextTimeOf({ faultId, dueAt = now() }: FaultedOrder): number {
    const fault = store.byId(faultId)?.input;
    const longest = fault?.kind === "user_paying" ? (fault.params.after_seconds ?? 0) * 1000 : Infinity;
    return isWaiting(dueAt, longest, now()) ? dueAt : now();
  }

  /** Whether enough queries have returned USERPAYING, so that the next one returns the end. */
  async function hasWaited(row: FaultedOrder): Promise<boolean> {
    const before = await orders.countBegun(row);
    const fault = store.byId(row.faultId);
    if (!before || fault?.input.kind !== "user_paying") return false;
    const { after_queries } = fault.input.params;
    return after_queries !== undefined && before.count >= after_queries;
  }

  return {
    async begin(faultId, order, { outcome, after_seconds }) {
      if (outcome === "never" || !(await ledger.find(order))) return;
      const dueAt = after_seconds === undefined ? undefined : now() + Math.round(after_seconds * 1000);
      const row = { faultId, ...order, refundId: "", count: 0, step: outcome, dueAt };
      await orders.begin(row, { step: outcome, dueAt });
      if (dueAt !== undefined) agenda.add(dueAt, row);
    },

    async advance(order, call) {
      for (const row of (await orders.of(order)).filter(isEnding))
        if ((row.dueAt !== undefined && row.dueAt <= now()) || (call === "orderquery" && (await hasWaited(row))))
          await end(row);
    },

    async start() {
      agenda.clear();
      for (const row of (await orders.due()).filter(isEnding)) agenda.add(nextTimeOf(row), row);
    },

    async close() {
      closed = true;
      agenda.clear();
      await work.wait();
    },
  };
}
