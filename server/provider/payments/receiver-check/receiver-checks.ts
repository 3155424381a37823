/** The checks of receivers, kept in memory with their reports until the simulator ends. Several may run at a time. */
import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type {
  ReceiverCheck,
  ReceiverCheckInput,
  ReceiverCheckProgress,
  ReceiverCheckResult,
} from "../../../contract/provider/receiver-checks.ts";
import { HttpError } from "../../../http/http-error.ts";
import { keptAsker, type Asker } from "../../../http/outgoing/asker.ts";
import { createOutgoingRequests } from "../../../http/outgoing/outgoing-requests.ts";
import type { Targets } from "../../../http/outgoing/targets.ts";
import type { CallLog } from "../calls/call-log.ts";
import type { PaymentFaults } from "../faults/open-faults.ts";
import { PaymentRefusal, type Ledger } from "../ledger/ledger.ts";
import type { Merchants } from "../merchants/merchants.ts";
import { createAskBackend } from "./ask-backend.ts";
import { orderSource } from "./orders-under-test.ts";
import { CheckFailed, NotJudged } from "./problems.ts";
import type { WaitingNotifications } from "./quiet-payment.ts";
import { runCheck } from "./run-check.ts";
import { createSharedOrders } from "./shared-orders.ts";
import { createOrderLookup } from "./settlement.ts";

interface Deps {
  readonly ledger: Ledger;
  readonly merchants: Pick<Merchants, "get">;
  readonly faults: Pick<PaymentFaults, "list" | "sendNow">;
  readonly callLog: Pick<CallLog, "of">;
  readonly notifications: WaitingNotifications;
  readonly builtInMchId: string;
  readonly targets: Targets;
  readonly log: Logger;
}

export interface ReceiverChecks {
  /**
   * Starts a check on behalf of `asker`.
   * @throws HttpError 409 while a user's own faults would distort the results; TargetRefused
   */
  start(input: ReceiverCheckInput, asker: Asker): Promise<ReceiverCheck>;
  get(id: number): ReceiverCheck | undefined;
  /** Newest first. */
  list(): ReceiverCheck[];
  /** Reports all progress of a check, from its beginning. Settles when it is over. */
  follow(id: number, onChange: (progress: ReceiverCheckProgress) => void): Promise<void>;
  /** Settles after cleanup. False if the check does not exist. */
  cancel(id: number): Promise<boolean>;
  close(): Promise<void>;
}

interface Started {
  check: ReceiverCheck;
  readonly abort: AbortController;
  readonly progress: ReceiverCheckProgress[];
  readonly listeners: Set<(progress: ReceiverCheckProgress) => void>;
  over: Promise<void>;
}

/** How many that are over are kept (our choice). */
const keptChecks = 20;

export function createReceiverChecks(deps: Deps): ReceiverChecks {
  const { ledger, merchants, faults, callLog, notifications, builtInMchId, targets, log } = deps;
  const outgoing = createOutgoingRequests({ targets, takesOwnCertificates: true });
  const checks = new Map<number, Started>();
  const sharedOrders = createSharedOrders();
  let lastId = 0;

  function forgetOldest(): void {
    const over = [...checks.values()].filter(({ check }) => check.state !== "running");
    for (const { check } of over.slice(0, -keptChecks)) checks.delete(check.id);
  }

  function emit(started: Started, progress: ReceiverCheckProgress): void {
    started.progress.push(progress);
    for (const onEvent of started.listeners) onEvent(progress);
  }

  function add(started: Started, result: ReceiverCheckResult): void {
    const { check } = started;
    const counts = { ...check.counts, [result.verdict]: check.counts[result.verdict] + 1 };
    started.check = { ...check, results: [...check.results, result], counts };
    emit(started, { type: "result", result });
  }

  function end(started: Started, state: ReceiverCheck["state"], problem?: string): void {
    const ended_at = new Date().toISOString();
    started.check = { ...started.check, state, ended_at, ...(problem !== undefined && { problem }) };
    emit(started, { type: "ended", check: started.check });
  }

  async function run(started: Started, input: ReceiverCheckInput, asker: Asker): Promise<void> {
    const { signal } = started.abort;
    const pause = async (ms: number) => void (await setTimeout(ms, undefined, { signal }));
    const { notify_url: notifyUrl, refund_notify_url: refundNotifyUrl, mch_id: mchId = builtInMchId } = input;
    const ask = createAskBackend(outgoing, asker);
    using source = orderSource({ ask, ledger, merchants, mchId, pause, shared: sharedOrders }, input.orders);
    await runCheck({
      source,
      caseDeps: {
        ledger,
        callLog,
        notifications,
        pause,
        signal,
        faults: faults.list,
        sendNow: (order, sending, to) => unlessAborted(signal, faults.sendNow(order, sending, to)),
        sendTo: { notifyUrl, refundNotifyUrl, notifyFrom: keptAsker(asker) },
        lookUp: input.status && createOrderLookup(ask, input.status),
        settledWithinMs: input.settled_within_ms,
        reconcileWithinMs: input.reconcile_within_ms,
      },
      only: input.only,
      planned: (planned) => {
        started.check = { ...started.check, planned: [...planned] };
        emit(started, { type: "started", check: started.check });
      },
      begun: (row) => emit(started, { type: "row", row }),
      done: (result) => add(started, result),
    });
  }

  async function runToEnd(started: Started, input: ReceiverCheckInput, asker: Asker): Promise<void> {
    try {
      await run(started, input, asker);
      end(started, "done");
    } catch (error) {
      if (started.abort.signal.aborted) return end(started, "cancelled");
      if (error instanceof CheckFailed || error instanceof NotJudged || error instanceof HttpError)
        return end(started, "failed", error.message);
      if (error instanceof PaymentRefusal)
        return end(started, "failed", `The simulated platform refused it: ${error.code}, ${error.message}.`);
      log.error({ err: error }, "the check of a receiver failed");
      end(started, "failed", "The simulator failed; its log says how.");
    }
  }

  function mustBeClear(): void {
    const own = faults.list
      .list()
      .filter((one) => "scope" in one && !one.spent && one.scope.out_trade_no === undefined);
    if (own.length === 0) return;
    const kinds = [...new Set(own.map(({ kind }) => kind))].join(", ");
    throw new HttpError(
      409,
      "faults_active",
      `There are faults of your own (${kinds}), by which nobody could tell who was wrong: remove them first, DELETE /sim/faults.`,
    );
  }

  return {
    async start(input, asker) {
      const { notify_url, refund_notify_url, mch_id, orders, only } = input;
      for (const url of [notify_url, refund_notify_url])
        if (url !== undefined) await targets.addressesOf(new URL(url), asker);
      mustBeClear();
      const started: Started = {
        check: {
          id: ++lastId,
          state: "running",
          notify_url,
          refund_notify_url,
          mch_id,
          asks_status: input.status !== undefined,
          orders: orders.from === "simulator" ? orders : { from: orders.from },
          only,
          started_at: new Date().toISOString(),
          planned: [],
          results: [],
          counts: { pass: 0, fail: 0, not_judged: 0 },
        },
        abort: new AbortController(),
        progress: [],
        listeners: new Set(),
        over: Promise.resolve(),
      };
      checks.set(lastId, started);
      forgetOldest();
      started.over = runToEnd(started, input, asker);
      return started.check;
    },

    get: (id) => checks.get(id)?.check,
    list: () => [...checks.values()].map(({ check }) => check).toReversed(),

    async follow(id, notify) {
      const started = checks.get(id);
      if (!started) return;
      started.progress.forEach(notify);
      started.listeners.add(notify);
      await started.over;
    },

    async cancel(id) {
      const started = checks.get(id);
      if (!started) return false;
      started.abort.abort();
      await started.over;
      return true;
    },

    async close() {
      for (const { abort } of checks.values()) abort.abort();
      await Promise.all([...checks.values()].map(({ over }) => over));
      outgoing.destroy();
    },
  };
}

/** A request already sent is not undone, but nobody waits for its reply any more. */
async function unlessAborted<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(new Error("the check is cancelled"));
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
