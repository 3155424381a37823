/**
 * Repairs stored waiting times after the clock was put back: times in the former future are due now. `wakeAt` does the
 * same for waits in memory.
 */
import { sql, type QueryExecutorProvider } from "kysely";

/** The difference that is normal between the clocks of instances that share a database. */
const skewMs = 60_000;

/** Whether a wait until `until`, in Unix ms, still lasts, if no wait is longer than `longestMs`. */
export const isWaiting = (until: number, longestMs: number, now: number): boolean =>
  until > now && until <= now + longestMs + skewMs;

/** The latest plausible beginning of a wait: a later one comes from a clock that was put back since. */
export const latestBeginning = (now: number): number => now + skewMs;

/** The columns of waiting times, in Unix ms. */
export interface Waits {
  readonly table: string;
  readonly due: string;
  /** When the row was written, or its first wait began. A future time comes from a clock that was put back since. */
  readonly since: string;
  readonly longestMs?: number;
}

/** The earliest waiting time; undefined: no row waits. */
export async function earliestDue(
  db: QueryExecutorProvider,
  { table, due }: Pick<Waits, "table" | "due">,
): Promise<number | undefined> {
  const column = sql.ref(due);
  const { rows } = await sql<{ due: number }>`
    select ${column} as due from ${sql.table(table)} where ${column} is not null order by ${column} limit 1
  `.execute(db);
  return rows[0]?.due;
}

/** Makes rows due that began to wait in the future, or wait too long. */
export async function bringForward(db: QueryExecutorProvider, waits: Waits, now: number): Promise<void> {
  const [due, since] = [sql.ref(waits.due), sql.ref(waits.since)];
  const isTooLong = waits.longestMs === undefined ? sql`` : sql`or ${due} > ${now + waits.longestMs + skewMs}`;
  await sql`
    update ${sql.table(waits.table)} set ${due} = ${now}
    where ${due} > ${now} and (${since} > ${latestBeginning(now)} ${isTooLong})
  `.execute(db);
}
