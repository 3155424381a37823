/** Tries the rows of a check one after another, each on its own order. */
import {
  isOfReceiver,
  isRowFor,
  receiverCheckRow,
  rowText,
  type ReceiverCheckRow,
} from "../../../contract/provider/checks/receiver-check-rows.ts";
import type { ReceiverCheckResult } from "../../../contract/provider/checks/receiver-checks.ts";
import type { PayWire } from "../../../contract/provider/payment-terms.ts";
import { HttpError } from "../../../http/http-error.ts";
import { Case, type CaseDeps } from "./case.ts";
import type { SentDelivery } from "./claimed-result.ts";
import type { BackendExchanges } from "./integration/backend-exchanges.ts";
import { IntegrationCase, type IntegrationDeps } from "./integration/integration-case.ts";
import { orderCases, placingCases } from "./integration/order-cases.ts";
import { refundCases } from "./integration/refund-cases.ts";
import type { OrderSource, OrderUnderTest } from "./orders-under-test.ts";
import { BackendProblem, CheckFailed, NotJudged } from "./problems.ts";
import { productRows } from "./product-rows.ts";
import { pushRows } from "./push-rows.ts";
import { rowRuns, type TriedRow } from "./rows.ts";

export interface CheckRun {
  readonly source: OrderSource;
  readonly caseDeps: CaseDeps;
  /** For the rows about the whole integration; undefined without requests for it. */
  readonly integration: IntegrationDeps | undefined;
  readonly exchanges: Pick<BackendExchanges, "take" | "hasLeaked">;
  /** Undefined: all rows for the orders' version, those of other products and of message push only with a receiver. */
  readonly only: readonly ReceiverCheckRow[] | undefined;
  readonly planned: (rows: readonly ReceiverCheckRow[]) => void;
  readonly begun: (row: ReceiverCheckRow) => void;
  readonly done: (result: ReceiverCheckResult) => void;
}

type Tried = Pick<ReceiverCheckResult, "verdict" | "seen" | "failings"> &
  Partial<Pick<ReceiverCheckResult, "queries" | "out_trade_no" | "version" | "sign_type">> & {
    readonly deliveries?: readonly SentDelivery[];
  };

const integrationRuns = { ...placingCases, ...orderCases, ...refundCases };
type IntegrationRow = keyof typeof integrationRuns;
const isOfIntegration = (row: ReceiverCheckRow): row is IntegrationRow => row in integrationRuns;

const failed = (seen: string): Tried => ({ verdict: "fail", seen, failings: [seen] });
const notJudged = (seen: string): Tried => ({ verdict: "not_judged", seen, failings: [] });
const unknownToIt = "the receiver refuses orders that it did not place: let it place them (--order-url)";
const maxReplyLength = 300;
const maxRequestLength = 4_000;

/** The receiver may answer slowly here because it waits for the silent query, which this row tests. */
const mayBeSlow: ReceiverCheckRow = "query-silent";

/** @throws CheckFailed if it cannot continue */
export async function runCheck(run: CheckRun): Promise<void> {
  const { source, caseDeps, integration } = run;
  const startedAt = performance.now();
  const first = await source.next(caseDeps.signal).catch((error: unknown) => {
    if (!integration || !(error instanceof BackendProblem)) throw error;
    run.planned(["answers"]);
    run.done(toResult(run, "answers", failed(error.message), performance.now() - startedAt));
  });
  if (first) await new Check(run, first).run();
}

class Check {
  readonly #run: CheckRun;
  readonly #version: PayWire;
  /** The names of the rows in which the receiver was slow. */
  readonly #slow: string[] = [];
  #sent = 0;
  /** Whether the receiver accepts payments of the orders. */
  #knows: boolean;
  /** The order for the next row, if there is already one. */
  #waiting: OrderUnderTest | undefined;

  constructor(run: CheckRun, first: OrderUnderTest) {
    this.#run = run;
    this.#version = first.order.version;
    this.#waiting = first;
    this.#knows = run.source.areKnown;
  }

  async run(): Promise<void> {
    const { only, planned, begun, done, source, caseDeps } = this.#run;
    if (!this.#knows) this.#knows = await this.#knowsOrders();
    const plan = receiverCheckRow.options.filter((row) => (only ? only.includes(row) : this.#isPlanned(row)));
    planned(plan);
    try {
      for (const row of plan) {
        caseDeps.signal.throwIfAborted();
        begun(row);
        const startedAt = performance.now();
        const tried = await this.#tryAny(row);
        done(toResult(this.#run, row, tried, performance.now() - startedAt));
      }
    } finally {
      if (this.#waiting) await new Case(caseDeps, this.#waiting).cleanUp(source.areOurs);
    }
  }

  #isPlanned(row: ReceiverCheckRow): boolean {
    const { integration, caseDeps } = this.#run;
    if (row in productRows) return caseDeps.productNotifyUrl !== undefined;
    if (row in pushRows) return caseDeps.push !== undefined;
    return (isOfReceiver(row) || integration !== undefined) && isRowFor(row, this.#version);
  }

  async #nextOrder(): Promise<OrderUnderTest> {
    const { source, caseDeps } = this.#run;
    const order = this.#waiting ?? (await source.next(caseDeps.signal));
    this.#waiting = undefined;
    return order;
  }

  async #nextCase(): Promise<Case> {
    return new Case(this.#run.caseDeps, await this.#nextOrder());
  }

  /** Whether the receiver accepts a payment of an order that only the simulator knows. */
  async #knowsOrders(): Promise<boolean> {
    const probe = await this.#nextCase();
    try {
      await probe.pay();
      const [answer] = await probe.genuine();
      mustAnswer(probe.deliveries);
      return answer?.claimed === "yes";
    } finally {
      await probe.cleanUp(true);
    }
  }

  async #tryAny(row: ReceiverCheckRow): Promise<Tried> {
    if (!isRowFor(row, this.#version)) {
      const { version } = rowText(row);
      return notJudged(version === undefined ? "not for Alipay" : `only for version ${version.slice(1)}`);
    }
    if (row === "in-time") return this.#judgeTimes();
    if (row === "secrets") return this.#judgeSecrets();
    if (row === "answers") return { verdict: "pass", seen: "an order that the platform has", failings: [] };
    try {
      return await (isOfIntegration(row) ? this.#tryIntegration(row) : this.#tryReceiver(row));
    } catch (error) {
      if (error instanceof NotJudged) return notJudged(error.message);
      throw error;
    }
  }

  async #tryReceiver(row: TriedRow): Promise<Tried> {
    const tried = await this.#nextCase();
    return this.#tryCase(row, tried, () => rowRuns[row](tried));
  }

  async #tryIntegration(row: IntegrationRow): Promise<Tried> {
    const { integration, caseDeps } = this.#run;
    if (!integration) return notJudged("the check has no requests to refund, close or reconcile (actions)");
    const tried = new IntegrationCase(caseDeps, await this.#nextOrder(), integration);
    return this.#tryCase(row, tried, () => integrationRuns[row](tried));
  }

  async #tryCase(row: ReceiverCheckRow, tried: Case, run: () => Promise<void>): Promise<Tried> {
    try {
      await run();
      return await this.#judge(row, tried);
    } catch (error) {
      if (error instanceof NotJudged || error instanceof HttpError)
        return { ...(await this.#judge(row, tried)), ...notJudged(error.message) };
      throw error;
    } finally {
      await tried.cleanUp(this.#run.source.areOurs);
    }
  }

  async #judge(row: ReceiverCheckRow, tried: Case): Promise<Tried> {
    const { order, deliveries, asked, failings, settlement } = tried;
    if (this.#sent === 0 && row !== "malformed-huge") mustAnswer(deliveries);
    this.#sent += deliveries.length;
    if (row !== mayBeSlow && deliveries.some(({ verdict }) => verdict === "slow")) this.#slow.push(rowText(row).name);
    const knows = this.#knows || !tried.needsOrder;
    const counted = failings.filter(({ always }) => always || knows).map(({ text }) => text);
    const queries = await tried.queries();
    const about = {
      deliveries,
      queries,
      out_trade_no: order.outTradeNo,
      version: order.version,
      ...(order.version === "v2" && { sign_type: order.signType }),
    };
    if (counted.length === 0 && !knows) return { ...about, ...notJudged(unknownToIt) };
    const seen = [
      ...asked,
      deliveries.length > 0 ? answersOf(deliveries) : asked.length > 0 ? "" : "nothing was sent",
      !tried.needsOrder ? "" : queries === 0 ? "no query" : queries === 1 ? "1 query" : `${String(queries)} queries`,
      settlement,
    ].filter((one) => one !== "");
    return { ...about, verdict: counted.length === 0 ? "pass" : "fail", seen: seen.join("; "), failings: counted };
  }

  #judgeSecrets(): Tried {
    if (!this.#run.exchanges.hasLeaked) return { verdict: "pass", seen: "no key in any reply", failings: [] };
    return failed("A reply contains a key of the merchant.");
  }

  #judgeTimes(): Tried {
    if (this.#sent === 0) return notJudged("nothing was sent: select more rows");
    const failings = this.#slow.map((name) => `No complete reply in time in the row “${name}”.`);
    return { verdict: failings.length === 0 ? "pass" : "fail", seen: `${String(this.#sent)} notifications`, failings };
  }
}

function mustAnswer(deliveries: readonly SentDelivery[]): void {
  if (deliveries.length > 0 && deliveries.every(({ verdict }) => verdict === "connection_failed"))
    throw new CheckFailed("The receiver does not respond. Check that it runs and that its address is right.");
}

function answersOf(deliveries: readonly SentDelivery[]): string {
  const [first, ...others] = deliveries.map(({ words }) => words);
  const same = others.filter((words) => words === first).length;
  if (same === others.length) return same === 0 ? String(first) : `${String(same + 1)} × ${String(first)}`;
  return deliveries.map(({ words }) => words).join(", then ");
}

function toResult({ exchanges }: CheckRun, row: ReceiverCheckRow, tried: Tried, ms: number): ReceiverCheckResult {
  const { name, sent, right, why } = rowText(row);
  const { deliveries = [], queries = 0, ...rest } = tried;
  return {
    row,
    name,
    sent,
    right,
    why,
    ...rest,
    queries,
    deliveries: deliveries.map(({ verdict = "accepted", request, status, reply }) => ({
      verdict,
      request: request.slice(0, maxRequestLength),
      status,
      reply: reply.slice(0, maxReplyLength),
    })),
    exchanges: exchanges.take(),
    duration_ms: Math.round(ms),
  };
}
