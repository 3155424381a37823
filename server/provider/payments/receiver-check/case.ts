import type { SimFaultInput } from "../../../contract/provider/sim-faults.ts";
import type { SimSending } from "../../../contract/provider/sim-notification-faults.ts";
import type { CallLog } from "../calls/call-log.ts";
import type { NotificationContent } from "../faults/notification-faults.ts";
import type { SendNow, SendTo } from "../faults/sendings.ts";
import { PaymentRefusal, type Ledger, type Order, type PaidBy } from "../ledger/ledger.ts";
import type { PushForgery, PushKind, PushUnderTest } from "../message-push/push-under-test.ts";
import type { OrderUnderTest } from "./orders-under-test.ts";
import { CheckFailed, NotJudged } from "./problems.ts";
import { payQuietly, type QuietPaymentDeps } from "./quiet-payment.ts";
import { sentDelivery, sentPush, type SentDelivery } from "./claimed-result.ts";
import type { OrderLookup, SettlementCheck } from "./settlement.ts";

export interface CaseDeps extends QuietPaymentDeps {
  readonly ledger: Pick<Ledger, "pay" | "get" | "close" | "expire" | "refund" | "finishRefund">;
  readonly callLog: Pick<CallLog, "of">;
  readonly sendNow: SendNow;
  readonly sendTo: SendTo;
  /** The receiver of notifications of other products. */
  readonly productNotifyUrl: string | undefined;
  /** The receiver of message push; undefined if the app has none. */
  readonly push: PushUnderTest | undefined;
  /** Undefined if the settlement cannot be looked up. */
  readonly lookUp: OrderLookup | undefined;
  readonly settledWithinMs: number;
  readonly reconcileWithinMs: number;
  /** Whether the merchant switches from the platform's certificate to its public key. */
  readonly isSwitching: boolean;
  /** Aborts the steps in progress. */
  readonly signal: AbortSignal;
}

/** A fault for this order only, while the row is tried. */
export type Lie = { [Kind in SimFaultInput["kind"]]: Pick<Extract<SimFaultInput, { kind: Kind }>, "kind" | "params"> }[
  | "trade_state"
  | "wrong_amount"
  | "http_status"
  | "no_answer"
  | "slow_answer"
  | "reply_signature"
  | "reset"
  | "err_code"
  | "order_not_exist"
  | "refund_outcome"];

interface Failing {
  readonly text: string;
  /** Counts even if the receiver does not know the order. */
  readonly always: boolean;
}

const pollIntervalMs = 50;

/** One row of a check, tried on one order: its steps, and the problems that they found. */
export class Case {
  readonly order: Order;
  readonly deliveries: SentDelivery[] = [];
  /** What the backend answered to other requests. */
  readonly asked: string[] = [];
  readonly failings: Failing[] = [];
  /** The last result of a settlement lookup, for the report; empty before the first. */
  settlement = "";
  /** Whether the row needs an order that the receiver knows. */
  needsOrder = true;
  readonly #deps: CaseDeps;
  readonly under: OrderUnderTest;
  readonly key: { readonly mchId: string; readonly outTradeNo: string };
  /** Ids of the faults that are active for the order. */
  readonly #lies: number[] = [];

  constructor(deps: CaseDeps, under: OrderUnderTest) {
    const { mchId, outTradeNo } = under.order;
    this.#deps = deps;
    this.under = under;
    this.key = { mchId, outTradeNo };
    this.order = under.order;
  }

  get hasStatus(): boolean {
    return this.#deps.lookUp !== undefined;
  }

  get hasRefundAddress(): boolean {
    return this.#deps.sendTo.refundNotifyUrl !== undefined;
  }

  get isSwitching(): boolean {
    return this.#deps.isSwitching;
  }

  get reconcileWithinMs(): number {
    return this.#deps.reconcileWithinMs;
  }

  pause(ms: number): Promise<void> {
    return this.#deps.pause(ms);
  }

  fail(text: string, always = false): void {
    this.failings.push({ text, always });
  }

  /** @throws NotJudged if the order can no longer be paid */
  async pay(by: PaidBy = {}): Promise<void> {
    await orNotJudged("paid", payQuietly(this.#deps, this.order, by));
  }

  /** Refunds the whole order, as if the merchant had done it by hand. */
  async refund(): Promise<void> {
    const { ledger } = this.#deps;
    const { total, currency, version } = this.order;
    const request = { outRefundNo: `R${this.key.outTradeNo}`, total, refund: total, currency, version };
    const refunded = ledger.refund(this.key, request);
    await orNotJudged(
      "refunded",
      refunded.then(({ refund }) => ledger.finishRefund(refund.refundId, "SUCCESS")),
    );
  }

  /** Pays the order, whose numbers a notification of another product has. @throws NotJudged without an address for those */
  async payForProduct(): Promise<Order> {
    this.needsOrder = false;
    if (this.#deps.productNotifyUrl === undefined)
      throw new NotJudged("the address for notifications of other products is not set");
    await this.pay();
    return this.#deps.ledger.get(this.key);
  }

  sendProduct(content: NotificationContent, sending: SimSending): Promise<SentDelivery[]> {
    return this.send(sending, { ...this.#deps.sendTo, notifyUrl: this.#deps.productNotifyUrl, content });
  }

  /** The receiver of message push. @throws NotJudged without one */
  push(): PushUnderTest {
    this.needsOrder = false;
    if (!this.#deps.push) throw new NotJudged("message push has no receiver: PUT /sim/message-push");
    return this.#deps.push;
  }

  async sendPush(kind: PushKind, forgery?: PushForgery): Promise<SentDelivery> {
    const push = this.push();
    this.#deps.signal.throwIfAborted();
    const tried = await push.try(kind, forgery);
    this.#deps.signal.throwIfAborted();
    const sent = sentPush(tried, forgery !== undefined);
    this.deliveries.push(sent);
    return sent;
  }

  async send(sending: SimSending, to: SendTo = this.#deps.sendTo): Promise<SentDelivery[]> {
    const { ledger, signal, sendNow } = this.#deps;
    signal.throwIfAborted();
    const results = await sendNow(await ledger.get(this.key), sending, to);
    signal.throwIfAborted();
    const sent = results.map(sentDelivery);
    this.deliveries.push(...sent);
    return sent;
  }

  genuine(): Promise<SentDelivery[]> {
    return this.send({ kind: "genuine", params: {} });
  }

  async lie({ kind, params }: Lie): Promise<void> {
    const scope = { mch_id: this.key.mchId, out_trade_no: this.key.outTradeNo };
    const note = "receiver check-up";
    const fault = { kind, params, scope, probability: 1, seed: 1, note } as SimFaultInput;
    this.#lies.push((await this.#deps.faults.add(fault)).id);
  }

  async tellTruth(): Promise<void> {
    for (const id of this.#lies.splice(0)) await this.#deps.faults.remove(id);
  }

  /** The number of queries that could have returned the order's state; a refused signature returns nothing. */
  async queries(call: "orderquery" | "refundquery" = "orderquery"): Promise<number> {
    const calls = await this.#deps.callLog.of(this.key);
    return calls.filter(({ name, performed, faults }) => name === call && (performed || faults.length > 0)).length;
  }

  async mustHaveAsked(): Promise<void> {
    if ((await this.queries()) === 0) this.fail("It accepted without querying the order.", true);
  }

  /** Each must be a yes. @param what a description for the middle of a sentence */
  accepts(sent: readonly SentDelivery[], what: string): void {
    const wrong = sent.find((one) => one.claimed !== "yes");
    if (wrong) this.fail(`Reply to ${what}: ${wrong.words}.`);
  }

  /** Each must be a no. */
  refuses(sent: readonly SentDelivery[], what: string): void {
    const believed = sent.find((one) => one.claimed === "yes");
    if (believed) this.fail(`It accepted ${what}.`, true);
    const silent = sent.find((one) => one.claimed === "nothing");
    if (silent) this.fail(`Reply to ${what}: ${silent.words}.`, true);
  }

  async settledOnce(): Promise<void> {
    const found = this.#report(await this.#waitUntilSettled(this.#deps.settledWithinMs));
    if (!found) return;
    if (isRepeated(found)) this.#failRepeated(found);
    else this.#failUnsettled(found, "The order is paid, but the receiver did not settle it.");
  }

  async notSettled(why: string): Promise<void> {
    const found = this.#report(await this.lookUp());
    if (found && hasSettled(found)) this.fail(`It settled the order, although ${why}.`, true);
  }

  /** Fails after a yes to a forgery without a settlement: the receiver verified nothing before it answered. */
  async verifiesFirst(sent: readonly SentDelivery[]): Promise<void> {
    if (!sent.some(({ claimed }) => claimed === "yes")) return;
    const found = await this.#waitUntilSettled(this.#deps.settledWithinMs);
    if (found && !hasSettled(found)) this.fail("It replies before it verifies: it accepted and settled nothing.", true);
  }

  async notTwice(): Promise<void> {
    const found = this.#report(await this.lookUp());
    if (found && isRepeated(found)) this.#failRepeated(found);
  }

  /** A refused notification must have no effect. A receiver that has queried the order may know better. */
  async untouched(why: string): Promise<void> {
    if ((await this.queries()) === 0) await this.notSettled(why);
  }

  /** Requires that the receiver settles the order without a notification within the time. */
  async settledWithin(ms: number): Promise<void> {
    const found = this.#report(await this.#waitUntilSettled(ms));
    if (found) this.#failUnsettled(found, `It did not find the payment within ${String(ms / 1000)} s.`);
  }

  /** The genuine notification must still succeed. */
  async genuineFollows(): Promise<void> {
    await this.tellTruth();
    if ((await this.#deps.ledger.get(this.key)).tradeState === "NOTPAY") await this.pay();
    this.accepts(await this.genuine(), "the genuine one that followed");
    await this.settledOnce();
  }

  /** Removes the faults. @param ends whether to end an unpaid order as well */
  async cleanUp(ends: boolean): Promise<void> {
    const { ledger } = this.#deps;
    await this.tellTruth();
    if (!ends) return;
    for (const end of [ledger.close, ledger.expire])
      try {
        return void (await end(this.key));
      } catch (error) {
        // It is paid, or too young to be closed.
        if (!(error instanceof PaymentRefusal)) throw error;
      }
  }

  async lookUp(): Promise<SettlementCheck | undefined> {
    const { lookUp, signal } = this.#deps;
    return lookUp?.(this.under, signal);
  }

  /** The last status: one that meets the condition, or that after the time. */
  async waitFor(isThere: (found: SettlementCheck) => boolean, withinMs: number): Promise<SettlementCheck | undefined> {
    const until = performance.now() + withinMs;
    for (;;) {
      const found = await this.lookUp();
      if (!found || isThere(found) || performance.now() >= until) return found;
      await this.pause(pollIntervalMs);
    }
  }

  #waitUntilSettled(withinMs: number): Promise<SettlementCheck | undefined> {
    return this.waitFor(hasSettled, withinMs);
  }

  #report(found: SettlementCheck | undefined): SettlementCheck | undefined {
    if (!found) return undefined;
    const often = isRepeated(found) ? ` ${String(found.times)} times` : "";
    this.settlement = found.settled ? `settled${often}` : "not settled";
    return found;
  }

  #failRepeated({ times }: SettlementCheck): void {
    this.fail(`It settled the order ${String(times)} times.`);
  }

  /** A wrong path would show in each row as the receiver's mistake. @throws CheckFailed */
  #failUnsettled({ settled, nothingAtPath }: SettlementCheck, text: string): void {
    if (settled) return;
    if (nothingAtPath === undefined) return this.fail(text);
    throw new CheckFailed(`The order is paid, but ${nothingAtPath}. Correct settled_when (--settled-when PATH=VALUE).`);
  }
}

const isRepeated = ({ times = 0 }: SettlementCheck) => times > 1;
export const hasSettled = ({ settled, times = 0 }: SettlementCheck) => settled || times > 0;

async function orNotJudged(change: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (error instanceof PaymentRefusal) throw new NotJudged(`the order could not be ${change}: ${error.code}`);
    throw error;
  }
}
