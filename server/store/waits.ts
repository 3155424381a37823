/**
 * Stored times that something waits for, once the clock was put back: nothing waits for the future that was. What lies
 * there is due now; `wakeAt` does the same for what waits in memory.
 */
import { sql, type QueryExecutorProvider } from "kysely";

/** The clocks of instances that share a database may differ by so much, although none was put back. */
const skewMs = 60_000;

/** Whether something still waits until `until`, in Unix ms, where nobody waits longer than `longestMs`. */
export const isWaiting = (until: number, longestMs: number, now: number): boolean =>
  until > now && until <= now + longestMs + skewMs;

/** The latest time at which anything can have begun: what began later did so by a clock that was put back since. */
export const latestBeginning = (now: number): number => now + skewMs;

/** The columns of waiting times, in Unix ms. */
interface Waits {
  readonly table: string;
  readonly due: string;
  /** When the row was written, or its first wait began: in the future, that was by the clock that was put back since. */
  readonly since: string;
  readonly longestMs?: number;
}

/** Makes those rows due that began to wait in the future, or wait for longer than any does. */
export async function bringForward(db: QueryExecutorProvider, waits: Waits, now: number): Promise<void> {
  const [due, since] = [sql.ref(waits.due), sql.ref(waits.since)];
  const isTooLong = waits.longestMs === undefined ? sql`` : sql`or ${due} > ${now + waits.longestMs + skewMs}`;
  await sql`
    update ${sql.table(waits.table)} set ${due} = ${now}
    where ${due} > ${now} and (${since} > ${latestBeginning(now)} ${isTooLong})
  `.execute(db);
}
