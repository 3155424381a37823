import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type {
  ReceiverCheck,
  ReceiverCheckInput,
  ReceiverCheckProgress,
} from "../../../contract/provider/checks/receiver-checks.ts";
import type { SimPaymentSettings } from "../../../contract/provider/provider.ts";
import type { BusMessage } from "../../../contract/console/traffic/events.ts";
import { HttpError } from "../../../http/http-error.ts";
import { keptAsker, type Asker } from "../../../http/outgoing/asker.ts";
import { createOutgoingRequests, type OutgoingRequests } from "../../../http/outgoing/outgoing-requests.ts";
import type { Targets } from "../../../http/outgoing/targets.ts";
import type { CallLog } from "../calls/call-log.ts";
import type { MessagePusher } from "../message-push/message-pusher.ts";
import type { PaymentFaults } from "../faults/open-faults.ts";
import { PaymentRefusal, type Ledger, type Order } from "../ledger/ledger.ts";
import type { Merchants } from "../merchants/merchants.ts";
import { createAskBackend } from "./ask-backend.ts";
import { BackendAsked } from "./integration/backend-actions.ts";
import { createBackendExchanges } from "./integration/backend-exchanges.ts";
import { CheckedOrders, type CheckedOrdersDeps } from "./checked-orders.ts";
import { orderSource } from "./orders-under-test.ts";
import { CheckFailed, NotJudged } from "./problems.ts";
import type { WaitingNotifications } from "./quiet-payment.ts";
import { runCheck } from "./run-check.ts";
import { createOrderClaims } from "./order-claims.ts";
import { addResult, emit, end, newCheck, type StartedCheck } from "./started-check.ts";
import { createOrderLookup } from "./settlement.ts";

interface Deps extends CheckedOrdersDeps {
  readonly ledger: Ledger;
  readonly merchants: Pick<Merchants, "get">;
  readonly faults: Pick<PaymentFaults, "list" | "sendNow">;
  readonly callLog: Pick<CallLog, "of" | "flush">;
  readonly notifications: WaitingNotifications;
  readonly pusher: Pick<MessagePusher, "underTest">;
  readonly builtInMchId: string;
  readonly targets: Targets;
  readonly settings: () => Pick<SimPaymentSettings, "bills_at_once">;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly log: Logger;
  readonly publish: (event: BusMessage<"receiver.checked">) => void;
}

/** The number of ended checks that are kept (our choice). */
const keptChecks = 20;

/** The checks of receivers, kept in memory with their reports until the simulator ends. Several may run at a time. */
export class ReceiverChecks {
  readonly #deps: Deps;
  readonly #outgoing: OutgoingRequests;
  readonly #checks = new Map<number, StartedCheck>();
  readonly #claims = createOrderClaims();
  readonly #checked: CheckedOrders;
  #lastId = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#checked = new CheckedOrders(deps);
    this.#outgoing = createOutgoingRequests({ targets: deps.targets, takesOwnCertificates: true });
  }

  /**
   * Starts a check on behalf of `asker`.
   * @throws HttpError 409 while a user's own faults would distort the results; TargetRefused
   */
  async start(input: ReceiverCheckInput, asker: Asker): Promise<ReceiverCheck> {
    try {
      for (const url of [input.notify_url, input.refund_notify_url, input.product_notify_url])
        if (url !== undefined) await this.#deps.targets.addressesOf(new URL(url), asker);
      this.#requireNoFaults();
    } catch (error) {
      if (input.person !== undefined) this.#publishEnd(0, [], input.person);
      throw error;
    }
    const started = newCheck(++this.#lastId, input);
    this.#checks.set(this.#lastId, started);
    this.#forgetOldest();
    started.over = this.#runToEnd(started, input, asker);
    return started.check;
  }

  /** Removes what checks have left that a crash has ended. */
  async removeLeftovers(): Promise<void> {
    await this.#checked.removeLeftovers();
  }

  get(id: number): ReceiverCheck | undefined {
    return this.#checks.get(id)?.check;
  }

  /** Newest first. */
  list(): ReceiverCheck[] {
    return [...this.#checks.values()].map(({ check }) => check).toReversed();
  }

  /** Reports all progress of a check, from its beginning. Settles when it is over. */
  async follow(id: number, onChange: (progress: ReceiverCheckProgress) => void): Promise<void> {
    const started = this.#checks.get(id);
    if (!started) return;
    started.progress.forEach(onChange);
    started.listeners.add(onChange);
    await started.over;
  }

  /** Settles after cleanup. False if the check does not exist. */
  async cancel(id: number): Promise<boolean> {
    const started = this.#checks.get(id);
    if (!started) return false;
    started.abort.abort();
    await started.over;
    return true;
  }

  async close(): Promise<void> {
    for (const { abort } of this.#checks.values()) abort.abort();
    await Promise.all([...this.#checks.values()].map(({ over }) => over));
    this.#outgoing.destroy();
  }

  #forgetOldest(): void {
    const over = [...this.#checks.values()].filter(({ check }) => check.state !== "running");
    for (const { check } of over.slice(0, -keptChecks)) this.#checks.delete(check.id);
  }

  #requireNoFaults(): void {
    const own = this.#deps.faults.list
      .list()
      .filter((one) => "scope" in one && !one.spent && one.scope.out_trade_no === undefined);
    if (own.length === 0) return;
    const kinds = [...new Set(own.map(({ kind }) => kind))].join(", ");
    throw new HttpError(
      409,
      "faults_active",
      `Armed faults (${kinds}) would distort the check. Remove them first: DELETE /sim/faults.`,
    );
  }

  async #runToEnd(started: StartedCheck, input: ReceiverCheckInput, asker: Asker): Promise<void> {
    try {
      await this.#run(started, input, asker);
      end(started, "done");
    } catch (error) {
      if (started.abort.signal.aborted) return end(started, "cancelled");
      if (error instanceof CheckFailed || error instanceof NotJudged || error instanceof HttpError)
        return end(started, "failed", error.message);
      if (error instanceof PaymentRefusal)
        return end(started, "failed", `The simulated platform refused the check: ${error.code}, ${error.message}.`);
      this.#deps.log.error({ err: error }, "the check of a receiver failed");
      end(started, "failed", "The simulator failed. See its log.");
    }
  }

  async #removeOrders({ id }: ReceiverCheck, placed: readonly Order[], person: string | undefined): Promise<void> {
    await this.#checked.remove(placed);
    const orders = placed.map(({ outTradeNo }) => outTradeNo);
    this.#publishEnd(id, orders, person);
  }

  /** The application server then removes the orders, and the person with its user. */
  #publishEnd(check: number, orders: string[], person: string | undefined): void {
    this.#deps.publish({
      type: "receiver.checked",
      source: "/provider",
      subject: String(check),
      data: { check, orders, ...(person !== undefined && { person }) },
    });
  }

  async #run(started: StartedCheck, input: ReceiverCheckInput, asker: Asker): Promise<void> {
    const { ledger, merchants, faults, callLog, notifications, pusher, builtInMchId } = this.#deps;
    const { signal } = started.abort;
    const pause = async (ms: number) => void (await setTimeout(ms, undefined, { signal }));
    const { notify_url: notifyUrl, refund_notify_url: refundNotifyUrl, mch_id: mchId = builtInMchId } = input;
    const merchant = await merchants.get(mchId);
    const secrets = merchant ? [merchant.apiV2Key, merchant.apiV3Key] : [];
    const exchanges = createBackendExchanges(createAskBackend(this.#outgoing, asker), secrets);
    const { ask } = exchanges;
    const sourceDeps = { ask, ledger, merchants, mchId, pause, checked: this.#checked, claims: this.#claims };
    using source = orderSource(sourceDeps, input.orders);
    using unknown = orderSource(sourceDeps, { from: "simulator", version: "v3", sign_type: "MD5" });
    const running = runCheck({
      source,
      exchanges,
      integration: input.actions && {
        backend: new BackendAsked(ask, input.actions),
        source,
        ledger,
        age: (order, ms) => this.#checked.age(order, ms),
        placeUnknown: async () => (await unknown.next(signal)).order,
        hasBillsAtOnce: this.#deps.settings().bills_at_once,
        now: this.#deps.now,
      },
      caseDeps: {
        ledger,
        callLog,
        notifications,
        pause,
        signal,
        faults: faults.list,
        sendNow: (order, sending, to) => unlessAborted(signal, faults.sendNow(order, sending, to)),
        push: await pusher.underTest(),
        productNotifyUrl: input.product_notify_url,
        sendTo: { notifyUrl, refundNotifyUrl, notifyFrom: keptAsker(asker) },
        lookUp: input.status && createOrderLookup(ask, input.status),
        settledWithinMs: input.settled_within_ms,
        reconcileWithinMs: input.reconcile_within_ms,
        isSwitching: merchant?.platformKeys.mode === "switching",
      },
      only: input.only,
      planned: (planned) => {
        started.check = { ...started.check, planned: [...planned] };
        emit(started, { type: "started", check: started.check });
      },
      begun: (row) => emit(started, { type: "row", row }),
      done: (result) => addResult(started, result),
    });
    try {
      await running;
    } finally {
      await this.#removeOrders(started.check, [...source.placed, ...unknown.placed], input.person);
    }
  }
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
