/** Recorded requests in a database file of their own, so that their many writes never wait for, nor delay, the others. */
import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate } from "node:timers/promises";
import { renameFileSync } from "../../../file-system/rename-file.ts";
import type { Durability } from "../../../store/database.ts";
import { damageIn } from "../../../store/database-problem.ts";
import { columns, type RequestRow } from "./request-rows.ts";
import type { TimeSteps } from "../../../contract/console/traffic/histogram.ts";
import type { RequestQuery } from "./request-query.ts";
import type { Tie } from "../trace-flows.ts";
import { createRequestSearch } from "./request-search.ts";
import { Sqlite } from "../../../store/native-sqlite.ts";

export type RequestStore = ReturnType<typeof openRequestStore>;

interface Totals {
  readonly rows: number;
  readonly bytes: number;
  /** Id of the newest row, removed or not; 0 before the first one. */
  readonly newestId: number;
}

interface Limits {
  readonly maxRows: number;
  /** The limit for all rows together. */
  readonly maxBytes: number;
  readonly durability?: Durability;
}

/** Approximate size of a row without its texts and bodies. */
const rowOverhead = 200;
const bytesOf = (row: RequestRow) =>
  rowOverhead +
  row.path.length +
  row.query.length +
  row.request_headers.length +
  row.response_headers.length +
  (row.response_chunks?.length ?? 0) +
  (row.error?.length ?? 0) +
  (row.warning?.length ?? 0) +
  (row.request_body === null ? 0 : Buffer.byteLength(row.request_body)) +
  (row.response_body === null ? 0 : Buffer.byteLength(row.response_body));

/** The newest rows, among which those of a login are searched. */
const tiedRows = 5_000;
/** Rows removed at a time, so that no removal takes long. */
const pruneStep = 200;
/** Increased with every change of the tables. Recorded requests in an older layout are deleted, not migrated. */
const layout = 5;

function open(file: string, durability: Durability = "normal"): Sqlite {
  mkdirSync(dirname(file), { recursive: true });
  const sqlite = new Sqlite(file);
  try {
    sqlite.pragma("auto_vacuum = INCREMENTAL");
    sqlite.useJournal(durability);
    sqlite.enlargeCache();
    sqlite.pragma("mmap_size = 268435456");
    sqlite.pragma("wal_autocheckpoint = 4000"); // pages: a checkpoint waits for the disk
    if (sqlite.pragma("user_version") !== layout)
      sqlite.exec(
        `drop table if exists requests;
         drop table if exists totals;
         create table requests (id integer primary key, bytes integer not null, ${columns.slice(1).join(", ")});
         create table totals (rows integer, bytes integer, newest_id integer);
         insert into totals values (0, 0, 0);
         pragma user_version = ${String(layout)};`,
      );
    sqlite.exec("create index if not exists requests_time on requests (time)");
    sqlite.exec("create index if not exists requests_trace on requests (trace_id)");
    return sqlite;
  } catch (error) {
    sqlite.close(); // Windows cannot rename an open file
    throw error;
  }
}

/** Reads what every start and every insert needs, so that damage there shows now. */
function storeOn(sqlite: Sqlite, { maxRows, maxBytes }: Limits) {
  const insertOne = sqlite.prepare(
    `insert into requests (bytes, ${columns.join(", ")}) values (?, ${columns.map(() => "?").join(", ")})`,
  );
  const writeTotals = sqlite.prepare("update totals set rows = ?, bytes = ?, newest_id = ?");
  const oldest = sqlite.prepare<{ id: number; bytes: number }>("select id, bytes from requests order by id limit ?");
  const deleteUpTo = sqlite.prepare("delete from requests where id <= ?");
  const getOne = sqlite.prepare<RequestRow>(`select ${columns.join(", ")} from requests where id = ?`);
  const deleteOne = sqlite.prepare<{ bytes: number }>("delete from requests where id = ? returning bytes");
  const findUser = sqlite.prepare("select user_id from requests where session_id = ? order by id desc limit 1");
  const tieTrace = sqlite.prepare("update requests set flow = ? where trace_id = ? and flow is null");
  const tieFlow = sqlite.prepare("update requests set flow = ? where flow = ? and id > ?");
  const freePages = sqlite.prepare("pragma freelist_count");

  let totals = sqlite.prepare("select rows, bytes, newest_id as newestId from totals").get() as Totals;
  for (const order of ["asc", "desc"]) sqlite.prepare(`select * from requests order by id ${order} limit 1`).get();
  function setTotals(rows: number, bytes: number, newestId = totals.newestId): void {
    writeTotals.run([rows, bytes, newestId]);
    totals = { rows, bytes, newestId };
  }

  /** Removes some of the oldest rows while `more` is true for what is left; false when it removed none. */
  const removeSome = sqlite.transaction((more: (left: { rows: number; bytes: number }, id: number) => boolean) => {
    let { rows, bytes } = totals;
    let last = 0;
    for (const one of oldest.all([pruneStep])) {
      if (!more({ rows, bytes }, one.id)) break;
      rows--;
      bytes -= one.bytes;
      last = one.id;
    }
    if (last === 0) return false;
    deleteUpTo.run([last]);
    setTotals(rows, bytes);
    return true;
  });
  const isTooMuch = ({ rows, bytes }: { rows: number; bytes: number }) =>
    rows > maxRows || (bytes > maxBytes && rows > 1);

  const insertAll = sqlite.transaction((rows: readonly RequestRow[], ties: readonly Tie[]) => {
    let { bytes } = totals;
    for (const row of rows) {
      const size = bytesOf(row);
      insertOne.run([size, ...columns.map((column) => row[column])]);
      bytes += size;
    }
    setTotals(totals.rows + rows.length, bytes, rows.at(-1)?.id);
    for (const { flow, trace, other } of ties)
      if (trace === undefined) tieFlow.run([flow, other, totals.newestId - tiedRows]);
      else tieTrace.run([flow, trace]);
    while (removeSome(isTooMuch));
  });

  return {
    ...createRequestSearch(sqlite),

    insert(rows: readonly RequestRow[], ties: readonly Tie[]): void {
      const before = totals;
      try {
        insertAll(rows, ties);
      } catch (error) {
        totals = before;
        throw error;
      }
    },

    get: (id: number) => getOne.get([id]),

    userOfSession: (sessionId: number) => findUser.values<number>([sessionId])[0],

    delete: sqlite.transaction((id: number) => {
      const removed = deleteOne.get([id]);
      if (removed) setTotals(totals.rows - 1, totals.bytes - removed.bytes);
      return removed !== undefined;
    }),

    async clear(): Promise<number> {
      const { rows, newestId } = totals;
      while (removeSome((_left, id) => id <= newestId)) await setImmediate();
      // Returns the space to the file system.
      while (Number(freePages.values()[0]) > 0) {
        sqlite.pragma("incremental_vacuum(500)");
        await setImmediate();
      }
      return rows;
    },

    totals: () => totals,
    close: () => void sqlite.close(),
  };
}

function openSound(file: string, limits: Limits) {
  const sqlite = open(file, limits.durability);
  try {
    return storeOn(sqlite, limits);
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/**
 * A damaged file is set aside, because recorded requests must never prevent the start, nor the recording of others.
 * @param onReplaced called with the new path of a damaged file that an empty one replaced
 * @throws when the file cannot be opened
 */
export function openRequestStore(file: string, limits: Limits, onReplaced: (kept: string) => void = () => undefined) {
  /** The file must be closed: Windows cannot rename an open one. */
  function replace() {
    renameFileSync(file, `${file}.broken`);
    onReplaced(`${file}.broken`);
    for (const suffix of ["-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
    return openSound(file, limits);
  }
  function openOrReplace() {
    try {
      return openSound(file, limits);
    } catch (error) {
      if (!damageIn(file, error)) throw error;
      return replace();
    }
  }

  let store = openOrReplace();
  /** @throws the error, unless it means damage */
  function replaceDamaged(error: unknown): void {
    if (!damageIn(file, error)) throw error;
    store.close();
    store = replace();
  }

  return {
    /** Stores rows with ascending ids and ties in one transaction, then removes the oldest beyond the limits. */
    insert(rows: readonly RequestRow[], ties: readonly Tie[] = []): void {
      try {
        store.insert(rows, ties);
      } catch (error) {
        replaceDamaged(error);
        store.insert(rows, ties);
      }
    },
    /** Removes all present rows and returns their number; ids continue. */
    async clear(): Promise<number> {
      const { rows } = store.totals();
      return store.clear().catch((error: unknown) => {
        replaceDamaged(error);
        return rows;
      });
    },
    get: (id: number) => store.get(id),
    find: (query: RequestQuery) => store.find(query),
    countByTime: (query: RequestQuery, steps: TimeSteps) => store.countByTime(query, steps),
    span: () => store.span(),
    /** The user of the newest request that was sent with this session. */
    userOfSession: (sessionId: number) => store.userOfSession(sessionId),
    delete: (id: number) => store.delete(id),
    totals: () => store.totals(),
    close: () => store.close(),
  };
}
