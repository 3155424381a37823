/** Ends refunds some time after they were accepted, as the settings or a fault say. The ledger stores them. */
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { SimPaymentSettings } from "../../contract/provider/provider.ts";
import type { AdjustableClock } from "../../time/adjustable-clock.ts";
import { resumedSpan, runInSpan } from "../../trace/span.ts";
import { Agenda } from "./agenda.ts";
import { BackgroundWork } from "./background-work.ts";
import type { RefundFaults, RefundOutcome } from "./faults/refund-faults.ts";
import { PaymentRefusal, type Ledger, type Order, type Refund } from "./ledger/ledger.ts";
import type { LedgerTables } from "./ledger/ledger-tables.ts";

interface Deps extends Pick<AdjustableClock, "now" | "wakeAt"> {
  readonly db: Kysely<LedgerTables>;
  readonly ledger: Ledger;
  readonly faults: RefundFaults;
  readonly settings: () => Pick<SimPaymentSettings, "refund_seconds" | "timeScale">;
  readonly log: Logger;
}

/** A pause before a refund is ended that could not be stored. */
const againAfterMs = 1_000;

interface Ending extends Pick<Refund, "refundId" | "acceptedAt"> {
  readonly status: Exclude<RefundOutcome["status"], "PROCESSING">;
}

export function createRefundFinisher({ db, ledger, faults, settings, log, now, wakeAt }: Deps) {
  const work = new BackgroundWork({
    onError: (error) => log.error({ err: error }, "a refund could not be ended"),
  });
  const agenda = new Agenda<Ending>({ wakeAt, run: (ending) => work.run(finish(ending)) });
  let unsubscribe = (): void => undefined;
  let closed = false;

  async function plan(order: Order, refund: Refund, isNew: boolean): Promise<void> {
    const fault = await faults.outcomeOf(order, refund, isNew);
    const { refund_seconds, timeScale } = settings();
    // Alipay returns the money before it answers.
    const usualSeconds = refund.version === "alipay" ? 0 : refund_seconds * timeScale;
    const { status, afterSeconds } = fault ?? { status: "SUCCESS", afterSeconds: usualSeconds };
    const { refundId, acceptedAt } = refund;
    if (status === "PROCESSING") return;
    // It lies in the future where the clock has been put back.
    agenda.add(Math.min(acceptedAt, now()) + afterSeconds * 1000, { refundId, acceptedAt, status });
  }

  async function finish({ refundId, acceptedAt, status }: Ending): Promise<void> {
    try {
      await ledger.finishRefund(refundId, status, acceptedAt);
    } catch (error) {
      // It was ended by hand, perhaps redirected since then, or all orders were removed.
      if (error instanceof PaymentRefusal) return;
      if (!closed) agenda.add(now() + againAfterMs, { refundId, acceptedAt, status });
      throw error;
    }
  }

  async function planStored(): Promise<void> {
    const rows = await db
      .selectFrom("pay_refunds")
      .innerJoin("pay_orders", "pay_orders.id", "pay_refunds.order_id")
      .select(["pay_refunds.mch_id as mchId", "out_trade_no as outTradeNo", "refund_id as refundId", "caused_by"])
      .where("status", "=", "PROCESSING")
      .execute();
    await work.wait(); // what is new among them may still be meeting its fault
    for (const key of rows) {
      const [order, [refund]] = await Promise.all([ledger.find(key), ledger.refunds(key)]);
      if (order && refund) await runInSpan(resumedSpan(key.caused_by), () => plan(order, refund, false));
    }
  }

  return {
    async start(): Promise<void> {
      unsubscribe = ledger.subscribe((change) => {
        if (change.kind === "refund" && change.refund.status === "PROCESSING")
          work.run(plan(change.order, change.refund, true));
      });
      await planStored();
    },
    /** Ends what is due, however busy the machine is, so that a query never returns a refund that should have ended. */
    async finishDue(): Promise<void> {
      await work.wait();
      agenda.runDue(now());
      await work.wait();
    },
    /** Reads the pending refunds again after other code has written them. */
    async reload(): Promise<void> {
      agenda.clear();
      await planStored();
    },
    async close(): Promise<void> {
      closed = true;
      unsubscribe();
      agenda.clear();
      await work.wait();
    },
  };
}
