/** Tries the rows of a check one after another, each on its own order. */
import { isRowFor, rowText, type ReceiverCheckRow } from "../../../contract/provider/receiver-check-rows.ts";
import type { ReceiverCheckResult } from "../../../contract/provider/receiver-checks.ts";
import type { PayWire } from "../../../contract/provider/payment-terms.ts";
import { HttpError } from "../../../http/http-error.ts";
import { Case, type CaseDeps, type SentDelivery } from "./case.ts";
import type { OrderSource, OrderUnderTest } from "./orders-under-test.ts";
import { CheckFailed, NotJudged } from "./problems.ts";
import { rowRuns, type TriedRow } from "./rows.ts";

export interface CheckRun {
  readonly source: OrderSource;
  readonly caseDeps: CaseDeps;
  /** Undefined: all rows for the orders' version. */
  readonly only: readonly ReceiverCheckRow[] | undefined;
  readonly planned: (rows: readonly ReceiverCheckRow[]) => void;
  readonly begun: (row: ReceiverCheckRow) => void;
  readonly done: (result: ReceiverCheckResult) => void;
}

type Tried = Pick<ReceiverCheckResult, "verdict" | "seen" | "failings"> &
  Partial<Pick<ReceiverCheckResult, "queries" | "out_trade_no" | "version" | "sign_type">> & {
    readonly deliveries?: readonly SentDelivery[];
  };

const rows = Object.keys({ ...rowRuns, "in-time": true }) as ReceiverCheckRow[];

const notJudged = (seen: string): Tried => ({ verdict: "not_judged", seen, failings: [] });
const unknownToIt = "the receiver refuses orders that it did not place: let it place them (--order-url)";
const maxReplyLength = 300;
const maxRequestLength = 4_000;

/** The receiver may answer slowly here because it waits for the silent query, which this row tests. */
const mayBeSlow: ReceiverCheckRow = "query-silent";

/** @throws CheckFailed if it cannot continue */
export async function runCheck(run: CheckRun): Promise<void> {
  const first = await run.source.next(run.caseDeps.signal);
  await new Check(run, first).run();
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
    const plan = rows.filter((row) => (only ? only.includes(row) : isRowFor(row, this.#version)));
    planned(plan);
    try {
      for (const row of plan) {
        caseDeps.signal.throwIfAborted();
        begun(row);
        const startedAt = performance.now();
        const tried = await this.#tryAny(row);
        done(toResult(row, tried, performance.now() - startedAt));
      }
    } finally {
      if (this.#waiting) await new Case(caseDeps, this.#waiting).cleanUp(source.areOurs);
    }
  }

  async #nextCase(): Promise<Case> {
    const { source, caseDeps } = this.#run;
    const order = this.#waiting ?? (await source.next(caseDeps.signal));
    this.#waiting = undefined;
    return new Case(caseDeps, order);
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
    try {
      return await this.#tryRow(row);
    } catch (error) {
      if (error instanceof NotJudged) return notJudged(error.message);
      throw error;
    }
  }

  async #tryRow(row: TriedRow): Promise<Tried> {
    const tried = await this.#nextCase();
    try {
      await rowRuns[row](tried);
      return await this.#judge(row, tried);
    } catch (error) {
      if (error instanceof NotJudged || error instanceof HttpError)
        return { ...(await this.#judge(row, tried)), ...notJudged(error.message) };
      throw error;
    } finally {
      await tried.cleanUp(this.#run.source.areOurs);
    }
  }

  async #judge(row: TriedRow, tried: Case): Promise<Tried> {
    const { order, deliveries, failings, settlement } = tried;
    if (this.#sent === 0 && row !== "malformed-huge") mustAnswer(deliveries);
    this.#sent += deliveries.length;
    if (row !== mayBeSlow && deliveries.some(({ verdict }) => verdict === "slow")) this.#slow.push(rowText(row).name);
    const counted = failings.filter(({ always }) => always || this.#knows).map(({ text }) => text);
    const queries = await tried.queries();
    const about = {
      deliveries,
      queries,
      out_trade_no: order.outTradeNo,
      version: order.version,
      ...(order.version === "v2" && { sign_type: order.signType }),
    };
    if (counted.length === 0 && !this.#knows) return { ...about, ...notJudged(unknownToIt) };
    const seen = [
      deliveries.length === 0 ? "nothing was sent" : answersOf(deliveries),
      queries === 0 ? "no query" : queries === 1 ? "1 query" : `${String(queries)} queries`,
      settlement,
    ].filter((one) => one !== "");
    return { ...about, verdict: counted.length === 0 ? "pass" : "fail", seen: seen.join("; "), failings: counted };
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

function toResult(row: ReceiverCheckRow, tried: Tried, ms: number): ReceiverCheckResult {
  const { name, sent, right } = rowText(row);
  const { deliveries = [], queries = 0, ...rest } = tried;
  return {
    row,
    name,
    sent,
    right,
    ...rest,
    queries,
    deliveries: deliveries.map(({ verdict = "accepted", request, status, reply }) => ({
      verdict,
      request: request.slice(0, maxRequestLength),
      status,
      reply: reply.slice(0, maxReplyLength),
    })),
    duration_ms: Math.round(ms),
  };
}
