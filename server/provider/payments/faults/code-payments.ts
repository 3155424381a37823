import type { Logger } from "pino";
import type { SimFaultOf } from "../../../contract/provider/sim-faults.ts";
import { isWaiting } from "../../../store/waits.ts";
import type { AdjustableClock } from "../../../time/adjustable-clock.ts";
import { Agenda } from "../agenda.ts";
import { BackgroundWork } from "../background-work.ts";
import type { CallName } from "../calls/answer-call.ts";
import { PaymentRefusal, type Ledger } from "../ledger/ledger.ts";
import type { FaultStore } from "./fault-store.ts";
import type { FaultedOrder, FaultedOrders } from "./faulted-orders.ts";

interface Deps extends Pick<AdjustableClock, "now" | "wakeAt"> {
  readonly store: Pick<FaultStore, "byId">;
  readonly orders: FaultedOrders;
  readonly ledger: Pick<Ledger, "pay" | "failPayment" | "find">;
  readonly log: Logger;
}

export interface OrderName {
  readonly mchId: string;
  readonly outTradeNo: string;
}

/** A pause before a payment is ended that could not be stored. */
const retryAfterMs = 1_000;

/** The steps of an order whose payment has yet to end. */
const isEnding = ({ step }: FaultedOrder) => step === "SUCCESS" || step === "PAYERROR";

/** Payments by code that do not end at once: they end after some queries or at a time. */
export class CodePayments {
  readonly #deps: Deps;
  readonly #work: BackgroundWork;
  readonly #agenda: Agenda<FaultedOrder>;
  #closed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#work = new BackgroundWork({
      onError: (error) => deps.log.error({ err: error }, "a payment by code could not be ended"),
    });
    this.#agenda = new Agenda({ wakeAt: deps.wakeAt, run: (row) => this.#work.run(this.#endOrRetry(row)) });
  }

  /** The payment was requested; the fault decides how it ends. */
  async begin(
    faultId: number,
    order: OrderName,
    { outcome, after_seconds }: SimFaultOf<"user_paying">["params"],
  ): Promise<void> {
    const { orders, ledger, now } = this.#deps;
    if (outcome === "never" || !(await ledger.find(order))) return;
    const dueAt = after_seconds === undefined ? undefined : now() + Math.round(after_seconds * 1000);
    const row = { faultId, ...order, refundId: "", count: 0, step: outcome, dueAt };
    await orders.begin(row, { step: outcome, dueAt });
    if (dueAt !== undefined) this.#agenda.add(dueAt, row);
  }

  /** Performs what is due by now, before a call about the order is performed. */
  async advance(order: OrderName, call: CallName): Promise<void> {
    const { orders, now } = this.#deps;
    for (const row of (await orders.of(order)).filter(isEnding))
      if ((row.dueAt !== undefined && row.dueAt <= now()) || (call === "orderquery" && (await this.#hasWaited(row))))
        await this.#end(row);
  }

  /** Schedules exactly what is still pending. */
  async start(): Promise<void> {
    this.#agenda.clear();
    for (const row of (await this.#deps.orders.due()).filter(isEnding))
      this.#agenda.add(this.#nextTimeOf(row), row, row.causedBy);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#agenda.clear();
    await this.#work.wait();
  }

  async #endOrRetry(row: FaultedOrder): Promise<void> {
    try {
      await this.#end(row);
    } catch (error) {
      if (!this.#closed) this.#agenda.add(this.#deps.now() + retryAfterMs, row);
      throw error;
    }
  }

  /** Another instance may end it at the same time: the ledger lets it end once. */
  async #end(row: FaultedOrder): Promise<void> {
    const { orders, ledger } = this.#deps;
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

  #nextTimeOf({ faultId, dueAt }: FaultedOrder): number {
    const at = this.#deps.now();
    const fault = this.#deps.store.byId(faultId)?.input;
    const longestMs = fault?.kind === "user_paying" ? (fault.params.after_seconds ?? 0) * 1000 : Infinity;
    return dueAt !== undefined && isWaiting(dueAt, longestMs, at) ? dueAt : at;
  }

  /** Whether enough queries have returned USERPAYING, so that the next one returns the end. */
  async #hasWaited(row: FaultedOrder): Promise<boolean> {
    const { store, orders } = this.#deps;
    const before = await orders.countBegun(row);
    const fault = store.byId(row.faultId);
    if (!before || fault?.input.kind !== "user_paying") return false;
    const { after_queries } = fault.input.params;
    return after_queries !== undefined && before.count >= after_queries;
  }
}
