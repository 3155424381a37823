/** Searches the recorded requests window by window, so that a long search yields to other work. */
import { setImmediate } from "node:timers/promises";
import type { TimeSteps } from "../../../contract/console/traffic/histogram.ts";
import { conditionsOf, hasFailed, type RequestOrder, type RequestQuery } from "./request-query.ts";
import { requestSummaryColumns, type RequestSummaryRow } from "./request-rows.ts";
import type { Sqlite, SqliteStatement } from "../../../store/native-sqlite.ts";

export interface RequestCount {
  readonly count: number;
  readonly failed: number;
}

/** Rows that a search first reads before it yields to other work. The number is then adapted to the time taken. */
const firstWindow = 500;
const targetMs = 15;
/** The compiled statements that are kept. */
const maxStatements = 100;

const failedOf = ({ status, complete }: RequestSummaryRow) => status === null || status >= 400 || complete === 0;

/** Compares rows as the database does: null is less than any value, and newer rows come first among equal ones. */
const byOrder =
  ({ name, descending }: RequestOrder) =>
  (one: RequestSummaryRow, other: RequestSummaryRow): number => {
    const [a, b] = [one[name] ?? -1, other[name] ?? -1];
    if (a === b) return other.id - one.id;
    return a < b === descending ? 1 : -1;
  };

/** The text of a query. Windows are read by their ids, a trace by its index. */
const rowsIn = (conditions: string, { order, trace }: Pick<RequestQuery, "order" | "trace">) =>
  `select ${requestSummaryColumns.join(", ")} from requests ${trace === undefined ? "not indexed" : ""}
   where id < ? and id >= ?${conditions}
   order by ${order ? `${order.name} ${order.descending ? "desc" : "asc"}, ` : ""}id desc limit ?`;

export function createRequestSearch(sqlite: Sqlite) {
  const lowerEnd = sqlite.prepare("select id from requests where id < ? order by id desc limit 1 offset ?");
  // Two queries, because a query for both ends would read the whole index. Ids give no times: the clock may have been moved.
  const ends = sqlite.prepare<{ from: number | null; until: number | null }>(
    'select (select min(time) from requests) as "from", (select max(time) from requests) as until',
  );
  const statements = new Map<string, SqliteStatement>();

  function prepared<Row>(source: string): SqliteStatement<Row> {
    const statement = statements.get(source) ?? sqlite.prepare(source);
    if (statements.size >= maxStatements) statements.clear();
    statements.set(source, statement);
    return statement as SqliteStatement<Row>;
  }

  /** Goes from the newest rows to the oldest; `read` gets the ids of a window and its size until it returns false. */
  async function eachWindow(
    { after = 0, before: end = Number.MAX_SAFE_INTEGER }: RequestQuery,
    size: number,
    read: (before: number, from: number, size: number) => boolean,
  ): Promise<void> {
    const floor = after + 1;
    let before = end;
    let window = size;
    while (before > floor) {
      const began = performance.now();
      const from = Math.max(floor, lowerEnd.values<number>([before, window - 1])[0] ?? 0);
      if (!read(before, from, window)) return;
      before = from;
      window = Math.round(window * Math.min(4, Math.max(0.25, targetMs / (performance.now() - began))) + 10);
      if (before > floor) await setImmediate();
    }
  }

  return {
    /** Newest first, or in the order of the query; `limit` at most. */
    async find(query: RequestQuery): Promise<RequestSummaryRow[]> {
      const { order, trace, after = 0, before: end = Number.MAX_SAFE_INTEGER, accept, limit } = query;
      const { conditions, values } = conditionsOf(query);
      const statement = prepared<RequestSummaryRow>(rowsIn(conditions, query));
      const most = (order?.offset ?? 0) + limit;
      if (trace !== undefined) {
        const rows = statement.all([end, after + 1, ...values, -1]);
        return (accept?.(rows) ?? rows).slice(order?.offset, most);
      }
      let found: RequestSummaryRow[] = [];
      await eachWindow(query, Math.max(firstWindow, limit), (before, from, size) => {
        // Rows that `accept` refuses must not count towards the limit.
        const rows = statement.all([before, from, ...values, accept ? size : order ? most : most - found.length]);
        found.push(...(accept?.(rows) ?? rows));
        if (order) found = found.toSorted(byOrder(order)).slice(0, most);
        return order !== undefined || found.length < most;
      });
      return found.slice(order?.offset, most);
    },

    /** Counts the matches by the index of their step; `limit` is ignored. */
    async countByTime(query: RequestQuery, { first, stepMs }: TimeSteps): Promise<Map<number, RequestCount>> {
      const { conditions, values } = conditionsOf(query);
      const counts = new Map<number, RequestCount>();
      const add = (step: number, count: number, failed: number) => {
        const { count: all, failed: bad } = counts.get(step) ?? { count: 0, failed: 0 };
        counts.set(step, { count: all + count, failed: bad + failed });
      };
      const { accept } = query;
      if (accept) {
        const statement = prepared<RequestSummaryRow>(rowsIn(conditions, {}));
        await eachWindow(query, firstWindow, (before, from, size) => {
          for (const row of accept(statement.all([before, from, ...values, size])))
            add(Math.floor((row.time - first) / stepMs), 1, failedOf(row) ? 1 : 0);
          return true;
        });
        return counts;
      }
      const statement = prepared<{ step: number } & RequestCount>(
        `select cast((time - ?) / ? as integer) as step, count(*) as count, sum(${hasFailed}) as failed
         from requests not indexed where id < ? and id >= ?${conditions} group by step`,
      );
      await eachWindow(query, firstWindow, (before, from) => {
        for (const { step, count, failed } of statement.all([first, stepMs, before, from, ...values]))
          add(step, count, failed);
        return true;
      });
      return counts;
    },

    /** The time from the first row to just after the last one, Unix ms; undefined without rows. */
    span(): { readonly from: number; readonly until: number } | undefined {
      const { from = null, until = null } = ends.get() ?? {};
      return from === null || until === null ? undefined : { from, until: until + 1 };
    },
  };
}
