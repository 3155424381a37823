/** One row of a check, tried on one order: its steps, and the problems that they found. */
import type { SimFaultInput } from "../../../contract/provider/sim-faults.ts";
import type { SimSending } from "../../../contract/provider/sim-notification-faults.ts";
import type { CallLog } from "../calls/call-log.ts";
import type { JudgedDelivery, SendNow, SendTo } from "../faults/sendings.ts";
import { PaymentRefusal, type Ledger, type Order } from "../ledger/ledger.ts";
import type { OrderUnderTest } from "./orders-under-test.ts";
import { CheckFailed, NotJudged } from "./problems.ts";
import { payQuietly, type QuietPaymentDeps } from "./quiet-payment.ts";
import { inWords, claimedResult, type ClaimedResult } from "./claimed-result.ts";
import type { OrderLookup, SettlementCheck } from "./settlement.ts";

export interface CaseDeps extends QuietPaymentDeps {
  readonly ledger: Pick<Ledger, "pay" | "get" | "close" | "expire" | "refund" | "finishRefund">;
  readonly callLog: Pick<CallLog, "of">;
  readonly sendNow: SendNow;
  readonly sendTo: SendTo;
  /** Undefined if the settlement cannot be looked up. */
  readonly lookUp: OrderLookup | undefined;
  readonly settledWithinMs: number;
  readonly reconcileWithinMs: number;
  /** Aborts the steps in progress. */
  readonly signal: AbortSignal;
}

/** A fault for this order only, while the row is tried. */
export type Lie = { [Kind in SimFaultInput["kind"]]: Pick<Extract<SimFaultInput, { kind: Kind }>, "kind" | "params"> }[
  "trade_state" | "wrong_amount" | "http_status" | "no_answer" | "reply_signature"];

export interface SentDelivery extends JudgedDelivery {
  readonly claimed: ClaimedResult;
  readonly words: string;
}

interface Failing {
  readonly text: string;
  /** Counts even if the receiver does not know the order. */
  readonly always: boolean;
}

const pollIntervalMs = 50;

export function createCase(deps: CaseDeps, under: OrderUnderTest) {
  const { ledger, faults, callLog, sendNow, sendTo, lookUp, pause, signal } = deps;
  const key = { mchId: under.order.mchId, outTradeNo: under.order.outTradeNo };
  const lies: number[] = [];
  const failings: Failing[] = [];
  const deliveries: SentDelivery[] = [];
  const settlementView: string[] = [];
  const fail = (text: string, always = false) => void failings.push({ text, always });

  const settlement = async (): Promise<SettlementCheck | undefined> => lookUp?.({ ...under }, signal);

  function report({ settled, times }: SettlementCheck): void {
    settlementView.splice(0);
    const often = times === undefined || times < 2 ? "" : ` ${String(times)} times`;
    settlementView.push(settled ? `settled${often}` : "not settled");
  }

  async function waitUntilSettled(withinMs: number): Promise<SettlementCheck | undefined> {
    const until = performance.now() + withinMs;
    for (;;) {
      const found = await settlement();
      if (!found || found.settled || (found.times ?? 0) > 0 || performance.now() >= until) return found;
      await pause(pollIntervalMs);
    }
  }

  /** A wrong path would show in each row as the receiver's mistake. @throws CheckFailed */
  function failUnsettled({ settled, nothingAtPath }: SettlementCheck, text: string): void {
    if (settled) return;
    if (nothingAtPath === undefined) fail(text);
    else
      throw new CheckFailed(
        `The order is paid, and ${nothingAtPath}. Correct settled_when (--settled-when PATH=VALUE).`,
      );
  }

  /** @throws NotJudged if the order can no longer be paid */
  async function pay(): Promise<void> {
    try {
      await payQuietly(deps, under.order);
    } catch (error) {
      if (error instanceof PaymentRefusal) throw new NotJudged(`the order could not be paid: ${error.code}`);
      throw error;
    }
  }

  async function send(sending: SimSending): Promise<SentDelivery[]> {
    signal.throwIfAborted();
    const results = await sendNow(await ledger.get(key), sending, sendTo);
    signal.throwIfAborted();
    const sent = results.map((one) => ({ ...one, claimed: claimedResult(one), words: inWords(one) }));
    deliveries.push(...sent);
    return sent;
  }

  const genuine = () => send({ kind: "genuine", params: {} });
  /** The number of queries that could have returned the order's state; a refused signature returns nothing. */
  const queries = async (call: "orderquery" | "refundquery" = "orderquery") =>
    (await callLog.of(key)).filter(
      ({ name, performed, faults: hits }) => name === call && (performed || hits.length > 0),
    ).length;

  const methods = {
    pay,
    send,
    genuine,
    queries,
    fail,
    pause,
    get order(): Order {
      return under.order;
    },
    get hasStatus(): boolean {
      return lookUp !== undefined;
    },
    reconcileWithinMs: deps.reconcileWithinMs,
    hasRefundAddress: sendTo.refundNotifyUrl !== undefined,

    async lie({ kind, params }: Lie): Promise<void> {
      const scope = { mch_id: key.mchId, out_trade_no: key.outTradeNo };
      const note = "receiver check-up";
      const fault = await faults.add({ kind, params, scope, probability: 1, seed: 1, note } as SimFaultInput);
      lies.push(fault.id);
    },

    async tellTruth(): Promise<void> {
      for (const id of lies.splice(0)) await faults.remove(id);
    },

    /** Refunds the whole order, as if the merchant had done it by hand. */
    async refund(): Promise<void> {
      const { total, currency, version } = under.order;
      const request = { outRefundNo: `R${key.outTradeNo}`, total, refund: total, currency, version };
      try {
        const { refund } = await ledger.refund(key, request);
        await ledger.finishRefund(refund.refundId, "SUCCESS");
      } catch (error) {
        if (error instanceof PaymentRefusal) throw new NotJudged(`the order could not be refunded: ${error.code}`);
        throw error;
      }
    },

    async mustHaveAsked(): Promise<void> {
      if ((await queries()) === 0) fail("It said yes without asking query order.", true);
    },

    /** Each must be a yes. @param what a description for the middle of a sentence */
    accepts(sent: readonly SentDelivery[], what: string): void {
      const wrong = sent.find((one) => one.claimed !== "yes");
      if (wrong) fail(`To ${what} it gave ${wrong.words}.`);
    },

    /** Each must be a no. */
    refuses(sent: readonly SentDelivery[], what: string): void {
      const believed = sent.find((one) => one.claimed === "yes");
      if (believed) fail(`It accepted ${what}.`, true);
      const silent = sent.find((one) => one.claimed === "nothing");
      if (silent) fail(`To ${what} it gave ${silent.words}.`, true);
    },

    async settledOnce(): Promise<void> {
      const found = await waitUntilSettled(deps.settledWithinMs);
      if (!found) return;
      report(found);
      if ((found.times ?? 0) > 1) fail(`It settled the order ${String(found.times)} times.`);
      else failUnsettled(found, "The order is paid, and it has not settled it.");
    },

    async notSettled(why: string): Promise<void> {
      const found = await settlement();
      if (!found) return;
      report(found);
      if (found.settled || (found.times ?? 0) > 0) fail(`It settled the order, though ${why}.`, true);
    },

    /** A yes to what deserves a no, and no settlement after it: nothing was verified before the answer. */
    async verifiesFirst(sent: readonly SentDelivery[]): Promise<void> {
      if (!sent.some(({ claimed }) => claimed === "yes")) return;
      const found = await waitUntilSettled(deps.settledWithinMs);
      if (found && !found.settled && (found.times ?? 0) === 0)
        fail("It answers before it has verified: it said yes, and settled nothing.", true);
    },

    async notTwice(): Promise<void> {
      const found = await settlement();
      if (!found) return;
      report(found);
      if ((found.times ?? 0) > 1) fail(`It settled the order ${String(found.times)} times.`);
    },

    /** A refused notification must have no effect. A receiver that has queried the order may know better. */
    async untouched(why: string): Promise<void> {
      if ((await queries()) === 0) await methods.notSettled(why);
    },

    /** Requires that the receiver settles the order by itself within the time. */
    async settledWithin(ms: number): Promise<void> {
      const found = await waitUntilSettled(ms);
      if (!found) return;
      report(found);
      failUnsettled(found, `After ${String(ms / 1000)} s it had not found out about the payment.`);
    },

    /** The genuine notification must still succeed. */
    async genuineFollows(): Promise<void> {
      await methods.tellTruth();
      if ((await ledger.get(key)).tradeState === "NOTPAY") await pay();
      methods.accepts(await genuine(), "the genuine one that followed");
      await methods.settledOnce();
    },
  };

  return {
    methods,
    deliveries: deliveries as readonly SentDelivery[],
    failings: failings as readonly Failing[],
    settlement: () => settlementView.join(""),
    /** Removes the faults. @param ends whether to end an unpaid order as well */
    async cleanUp(ends: boolean): Promise<void> {
      await methods.tellTruth();
      if (!ends) return;
      for (const end of [ledger.close, ledger.expire])
        try {
          return void (await end(key));
        } catch (error) {
          // It is paid, or too young to be closed.
          if (!(error instanceof PaymentRefusal)) throw error;
        }
    },
  };
}

export type Case = ReturnType<typeof createCase>["methods"];
