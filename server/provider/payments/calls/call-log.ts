/** The record of the calls that merchants made: what the control routes show of an order, and what verdicts go by. */
import type { Kysely, Selectable } from "kysely";
import type { Logger } from "pino";
import type { PayVersion } from "../../../contract/provider/payment-terms.ts";
import type { GroupedWrites } from "../../../store/database.ts";
import { parameterRow } from "../../../store/prepared-statement.ts";
import type { CallName } from "./answer-call.ts";
import type { CallTables, PayCallsTable } from "./call-tables.ts";
import { createRecentQueries } from "./recent-queries.ts";

/** The order of a merchant, by its own number. */
export interface LoggedOrder {
  readonly mchId: string;
  readonly outTradeNo: string;
}

export interface LoggedCall {
  readonly id: number;
  readonly name: CallName;
  readonly version: PayVersion;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** As received; long bodies are cut. */
  readonly body: string;
  /** HTTP status of the reply; 0 where the caller got none. */
  readonly status: number;
  /** As sent; long bodies are cut. */
  readonly reply: string;
  /**
   * SUCCESS, the code of a refusal, or, where a fault kept the caller from knowing, what the fault did (`no_answer`,
   * `reset`, `http_status` …).
   */
  readonly outcome: string;
  /** True when the call changed or told the ledger's state, whatever the caller was told. */
  readonly performed: boolean;
  /** Faults that took hold of it. */
  readonly faults: readonly number[];
  /** Unix ms at which it came, and how long it took. */
  readonly at: number;
  readonly durationMs: number;
}

export interface CallLog {
  /** The latest calls about an order, oldest first. */
  of(order: LoggedOrder): Promise<LoggedCall[]>;
  /**
   * Whether the merchant was told the state of the order by a query that was under way at some time from `from` to `to`
   * (Unix ms, both included); a query whose reply could not be believed does not count.
   */
  queriedBetween(order: LoggedOrder, from: number, to: number): Promise<boolean>;
}

/** What is written down of a call. */
export type CallEntry = Omit<LoggedCall, "id"> & { readonly mchId: string; readonly outTradeNo: string };

export interface CallRecorder extends CallLog {
  /** Written soon, with the others of the moment; every question is answered as if it had been written at once. */
  add(entry: CallEntry): void;
  /** Drops what it has in memory: the table was written by others. */
  reload(): void;
  /** Writes what is waiting. */
  close(): Promise<void>;
}

/** Calls of an order that are shown, and characters of a body that are kept (our choices). */
const callViews = 200;
const keptCharacters = 16_384;
/** How long calls wait for others, to be written by one commit. */
const batchMs = 50;
type Row = Omit<Selectable<PayCallsTable>, "id">;

const cut = (text: string) =>
  text.length <= keptCharacters ? text : `${text.slice(0, keptCharacters)}… (${String(text.length)} characters)`;

const toRow = (entry: CallEntry): Row => ({
  mch_id: entry.mchId,
  out_trade_no: entry.outTradeNo,
  name: entry.name,
  version: entry.version,
  method: entry.method,
  target: cut(entry.target),
  body: cut(entry.body),
  status: entry.status,
  reply: cut(entry.reply),
  outcome: entry.outcome,
  performed: Number(entry.performed),
  faults: JSON.stringify(entry.faults),
  at: entry.at,
  duration_ms: entry.durationMs,
});

const toCall = (row: Selectable<PayCallsTable>): LoggedCall => ({
  id: row.id,
  name: row.name,
  version: row.version,
  method: row.method,
  target: row.target,
  body: row.body,
  status: row.status,
  reply: row.reply,
  outcome: row.outcome,
  performed: row.performed === 1,
  faults: JSON.parse(row.faults) as number[],
  at: row.at,
  durationMs: row.duration_ms,
});

const columns = [
  "mch_id",
  "out_trade_no",
  "name",
  "version",
  "method",
  "target",
  "body",
  "status",
  "reply",
  "outcome",
  "performed",
  "faults",
  "at",
  "duration_ms",
] as const satisfies readonly (keyof Row)[];

const keyOf = ({ mchId, outTradeNo }: LoggedOrder) => `${mchId} ${outTradeNo}`;

/** Told the state of an order, and to be believed. */
const isQuery = ({ name, outcome }: Pick<CallEntry, "name" | "outcome">) =>
  name === "orderquery" && outcome === "SUCCESS";

interface Deps {
  readonly db: Kysely<CallTables>;
  readonly writes: GroupedWrites;
  readonly log: Logger;
  /** Unix time in ms. */
  readonly now: () => number;
  /** How many calls are kept in all; the oldest give way. */
  readonly kept?: number;
}

export function createCallLog({ db, writes, log, now, kept = 50_000 }: Deps): CallRecorder {
  const insert = writes.prepare(db.insertInto("pay_calls").values(parameterRow(columns)));
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
        write(entries).catch((error: unknown) => log.error({ err: error }, "calls could not be written down")),
      );
    return writing;
  }

  const ofOrder = ({ mchId, outTradeNo }: LoggedOrder) =>
    db.selectFrom("pay_calls").selectAll().where("out_trade_no", "=", outTradeNo).where("mch_id", "=", mchId);

  return {
    add(entry) {
      if (closed) return;
      if (isQuery(entry)) recent.add(keyOf(entry), { from: entry.at, to: entry.at + entry.durationMs });
      waiting.push(entry);
      timer ??= setTimeout(() => void flush(), batchMs);
    },

    async of(order) {
      await flush();
      const rows = await ofOrder(order).orderBy("id", "desc").limit(callViews).execute();
      return rows.toReversed().map(toCall);
    },

    async queriedBetween(order, from, to) {
      const known = recent.between(keyOf(order), from, to);
      if (known !== undefined) return known;
      await flush();
      const row = await ofOrder(order)
        .where("name", "=", "orderquery")
        .where("outcome", "=", "SUCCESS")
        .where((b) => b(b("at", "+", b.cast<number>(b.ref("duration_ms"), "integer")), ">=", from))
        .where("at", "<=", to)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    reload() {
      waiting = [];
      recent = createRecentQueries(now());
    },

    close() {
      closed = true;
      return flush();
    },
  };
}
