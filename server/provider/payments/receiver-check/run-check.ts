/** Tries the rows of a check one after another, each on its own order. */
import { rowText, type ReceiverCheckRow } from "../../../contract/provider/receiver-check-rows.ts";
import type { ReceiverCheckResult } from "../../../contract/provider/receiver-checks.ts";
import type { PayVersion } from "../../../contract/provider/payment-terms.ts";
import { HttpError } from "../../../http/http-error.ts";
import { createCase, type CaseDeps, type SentDelivery } from "./case.ts";
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
const isFor = (row: ReceiverCheckRow, version: PayVersion) => (rowText(row).version ?? version) === version;

const notJudged = (seen: string): Tried => ({ verdict: "not_judged", seen, failings: [] });
const unknownToIt =
  "the receiver refuses orders that it has not placed, so nothing can be said: let it place them (--order-url)";
const maxReplyLength = 300;

/** The receiver may answer slowly here because it waits for the silent query, which this row tests. */
const mayBeSlow: ReceiverCheckRow = "query-silent";

/** @throws CheckFailed if it cannot continue */
export async function runCheck(run: CheckRun): Promise<void> {
  const { source, caseDeps, only, planned, begun, done } = run;
  const { signal } = caseDeps;
  const slow: string[] = [];
  let sent = 0;

  /** The order for the next row. */
  let waiting: OrderUnderTest | undefined = await source.next(signal);
  const { version } = waiting.order;
  const knows = source.areKnown || (await knowsOrders());

  async function nextOrder(): Promise<OrderUnderTest> {
    const order = waiting ?? (await source.next(signal));
    waiting = undefined;
    return order;
  }

  /** Whether the receiver accepts a payment of an order that only the simulator knows. */
  async function knowsOrders(): Promise<boolean> {
    const probe = createCase(caseDeps, await nextOrder());
    try {
      await probe.methods.pay();
      const [answer] = await probe.methods.genuine();
      mustAnswer(probe.deliveries);
      return answer?.claimed === "yes";
    } finally {
      await probe.cleanUp(true);
    }
  }

  function mustAnswer(deliveries: readonly SentDelivery[]): void {
    if (deliveries.length > 0 && deliveries.every(({ verdict }) => verdict === "connection_failed"))
      throw new CheckFailed("Nothing answers at the address of the receiver: is it running, and is the address right?");
  }

  async function tryRow(row: TriedRow): Promise<Tried> {
    const under = await nextOrder();
    const tried = createCase(caseDeps, under);
    try {
      await rowRuns[row](tried.methods);
      return await judged(row, tried, under);
    } catch (error) {
      if (error instanceof NotJudged || error instanceof HttpError)
        return { ...(await judged(row, tried, under)), ...notJudged(error.message) };
      throw error;
    } finally {
      await tried.cleanUp(source.areOurs);
    }
  }

  async function judged(
    row: TriedRow,
    tried: ReturnType<typeof createCase>,
    { order }: OrderUnderTest,
  ): Promise<Tried> {
    const { deliveries, failings } = tried;
    if (sent === 0 && row !== "malformed-huge") mustAnswer(deliveries);
    sent += deliveries.length;
    if (row !== mayBeSlow && deliveries.some(({ verdict }) => verdict === "slow")) slow.push(rowText(row).name);
    const counted = failings.filter(({ always }) => always || knows).map(({ text }) => text);
    const queries = await tried.methods.queries();
    const seen = [
      deliveries.length === 0 ? "nothing was sent" : answersOf(deliveries),
      queries === 0 ? "no query" : queries === 1 ? "1 query" : `${String(queries)} queries`,
      tried.settlement(),
    ];
    const about = {
      deliveries,
      queries,
      out_trade_no: order.outTradeNo,
      version: order.version,
      ...(order.version === "v2" && { sign_type: order.signType }),
    };
    if (counted.length === 0 && !knows) return { ...about, ...notJudged(unknownToIt) };
    const verdict = counted.length === 0 ? "pass" : "fail";
    return { ...about, verdict, seen: seen.filter((one) => one !== "").join("; "), failings: counted };
  }

  function judgeTimes(): Tried {
    if (sent === 0) return notJudged("nothing was sent: try other rows with it");
    const failings = slow.map((name) => `In the row “${name}” there was no whole answer in time.`);
    return { verdict: slow.length === 0 ? "pass" : "fail", seen: `${String(sent)} notifications`, failings };
  }

  async function tryAny(row: ReceiverCheckRow): Promise<Tried> {
    const { version: of } = rowText(row);
    if (of !== undefined && of !== version) return notJudged(`only version ${of.slice(1)} has it`);
    if (row === "in-time") return judgeTimes();
    try {
      return await tryRow(row);
    } catch (error) {
      if (error instanceof NotJudged) return notJudged(error.message);
      throw error;
    }
  }

  const plan = rows.filter((row) => (only ? only.includes(row) : isFor(row, version)));
  planned(plan);
  try {
    for (const row of plan) {
      signal.throwIfAborted();
      begun(row);
      const startedAt = performance.now();
      const tried = await tryAny(row);
      done(toResult(row, tried, performance.now() - startedAt));
    }
  } finally {
    if (waiting) await createCase(caseDeps, waiting).cleanUp(source.areOurs);
  }
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
    deliveries: deliveries.map(({ verdict = "accepted", status, reply }) => ({
      verdict,
      status,
      reply: reply.slice(0, maxReplyLength),
    })),
    duration_ms: Math.round(ms),
  };
}
