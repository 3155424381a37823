/** The record of merchants' calls. The control routes show it per order, and verdicts are based on it. */
import { setTimeout as wait } from "node:timers/promises";
import type { Kysely, Selectable } from "kysely";
import type { Logger } from "pino";
import type { PayWire } from "../../../contract/provider/payment-terms.ts";
import type { GroupedWrites } from "../../../store/database.ts";
import { parameterRow } from "../../../store/prepared-statement.ts";
import { columnNames } from "../../../store/define-table.ts";
import type { CallName } from "./answer-call.ts";
import { payCalls, type CallTables } from "./call-tables.ts";
import { startSharedTimer, type TraceColumns } from "../../../trace/span.ts";
import type { FaultRef } from "./fault-ref.ts";
import { createRecentQueries } from "./recent-queries.ts";

/** An order of a merchant, by the merchant's number. */
export interface LoggedOrder {
  readonly mchId: string;
  readonly outTradeNo: string;
}

export interface LoggedCall {
  readonly id: number;
  readonly name: CallName;
  readonly version: PayWire;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** As received; long bodies are truncated. */
  readonly body: string;
  /** HTTP status of the reply; 0 if the caller got none. */
  readonly status: number;
  /** As sent; long bodies are truncated. */
  readonly reply: string;
  /**
   * SUCCESS, the code of a refusal, or, if a fault hid the result from the caller, what the fault did (`no_answer`,
   * `reset`, `http_status` …).
   */
  readonly outcome: string;
  /** Whether the call changed or read the ledger's state, whatever the caller received. */
  readonly performed: boolean;
  /** The faults that hit it. */
  readonly faults: readonly FaultRef[];
  /** Unix ms of its arrival, and its duration. */
  readonly at: number;
  readonly durationMs: number;
  readonly span: TraceColumns;
}

/** The recorded data of a call. */
export type CallEntry = Omit<LoggedCall, "id"> & { readonly mchId: string; readonly outTradeNo: string };

/** The maximum number of calls shown per order, and of characters kept of a body (our choices). */
const maxCalls = 200;
const keptCharacters = 16_384;
/** The maximum length of stored merchant and order numbers, which are indexed. Real ones are shorter; requests may have any. */
const longestNumber = 64;
/** How long calls wait for others, to be written in one commit. */
const batchMs = 50;
type Row = Omit<Selectable<CallTables["pay_calls"]>, "id">;

const cut = (text: string) =>
  text.length <= keptCharacters ? text : `${text.slice(0, keptCharacters)}… (${String(text.length)} characters)`;

const toRow = ({ mchId, outTradeNo, durationMs, span, ...entry }: CallEntry): Row => ({
  ...entry,
  ...span,
  mch_id: mchId.slice(0, longestNumber),
  out_trade_no: outTradeNo.slice(0, longestNumber),
  target: cut(entry.target),
  body: cut(entry.body),
  reply: cut(entry.reply),
  performed: Number(entry.performed),
  faults: JSON.stringify(entry.faults),
  duration_ms: durationMs,
});

const toCall = ({ mch_id: _m, out_trade_no: _o, duration_ms, ...stored }: Row & { id: number }): LoggedCall => {
  const { trace_id, span_id, parent_id, ...row } = stored;
  return {
    ...row,
    span: { trace_id, span_id, parent_id },
    performed: row.performed === 1,
    faults: JSON.parse(row.faults) as FaultRef[],
    durationMs: duration_ms,
  };
};

const keyOf = ({ mchId, outTradeNo }: LoggedOrder) => `${mchId} ${outTradeNo}`;

/** A query that returned the order's state in a trustworthy reply. */
const isQuery = ({ name, outcome }: Pick<CallEntry, "name" | "outcome">) =>
  name === "orderquery" && outcome === "SUCCESS";

interface Deps {
  readonly db: Kysely<CallTables>;
  readonly writes: GroupedWrites;
  readonly log: Logger;
  /** Unix time in ms. */
  readonly now: () => number;
  /** Whether other instances record calls, too. */
  readonly isShared?: boolean;
  /** The total number of calls to keep; the oldest are evicted. */
  readonly kept?: number;
}

export type CallLog = ReturnType<typeof createCallLog>;

export function createCallLog({ db, writes, log, now, isShared = false, kept = 50_000 }: Deps) {
  const insert = writes.prepare(db.insertInto("pay_calls").values(parameterRow(columnNames(payCalls, ["id"]))));
  let recent = createRecentQueries(now());
  let waiting: CallEntry[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let written = 0;
  let closed = false;

  async function write(entries: readonly CallEntry[]): Promise<void> {
    await writes.write(async () => {
      for (const entry of entries) await insert(toRow(entry));
    });
    written += entries.length;
    if (written < kept / 100) return;
    written = 0;
    await db
      .deleteFrom("pay_calls")
      .where("id", "<=", (b) => b.selectFrom("pay_calls").select((c) => c(c.fn.max("id"), "-", kept).as("last")))
      .execute();
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const entries = waiting;
    waiting = [];
    if (entries.length > 0)
      writing = writing.then(() =>
        write(entries).catch((error: unknown) => log.error({ err: error }, "calls could not be stored")),
      );
    return writing;
  }

  const ofOrder = ({ mchId, outTradeNo }: LoggedOrder) =>
    db.selectFrom("pay_calls").selectAll().where("out_trade_no", "=", outTradeNo).where("mch_id", "=", mchId);

  async function hasQuery(order: LoggedOrder, from: number, to: number): Promise<boolean> {
    const row = await ofOrder(order)
      .where("name", "=", "orderquery")
      .where("outcome", "=", "SUCCESS")
      .where((b) => b(b("at", "+", b.cast<number>(b.ref("duration_ms"), "integer")), ">=", from))
      .where("at", "<=", to)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  return {
    /** Writes the call soon, in a batch. Reads behave as if it had been written at once. */
    add(entry: CallEntry): void {
      if (closed) return;
      if (isQuery(entry)) recent.add(keyOf(entry), { from: entry.at, to: entry.at + entry.durationMs });
      waiting.push(entry);
      timer ??= startSharedTimer(() => void flush(), batchMs);
    },

    /** The latest calls about an order, oldest first. */
    async of(order: LoggedOrder): Promise<LoggedCall[]> {
      await flush();
      const rows = await ofOrder(order).orderBy("id", "desc").limit(maxCalls).execute();
      return rows.toReversed().map(toCall);
    },

    /**
     * Whether the merchant learned the order's state from a query that was in progress between `from` and `to` (Unix ms,
     * both included). A query whose reply was not trustworthy does not count.
     */
    async queriedBetween(order: LoggedOrder, from: number, to: number): Promise<boolean> {
      const known = recent.between(keyOf(order), from, to);
      if (known === true || (known === false && !isShared)) return known;
      await flush();
      if (await hasQuery(order, from, to)) return true;
      if (!isShared) return false;
      // Another instance may have answered it, whose batch waits.
      await wait(2 * batchMs);
      return hasQuery(order, from, to);
    },

    /** Drops what is in memory, because other code has written the table. */
    reload(): void {
      waiting = [];
      recent = createRecentQueries(now());
    },

    /** Writes the pending calls. */
    flush,

    /** Writes the pending calls, and records no later ones. */
    close(): Promise<void> {
      closed = true;
      return flush();
    },
  };
}
