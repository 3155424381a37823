/**
 * Writes of hot paths. A commit costs more than the few rows that it writes, so all that are asked for within one turn of
 * the event loop share one; each is still done or undone as a whole, and is on disk when its promise resolves.
 */
import type Sqlite from "better-sqlite3";
import type { Compilable, CompiledQuery, Kysely } from "kysely";
import type { WriteCount } from "./prepared-reads.ts";
import { boundParameters } from "./prepared-statement.ts";

/** Runs at once; a parameter that gets no value is null. Of a statement that returns nothing there are no rows. */
export type Statement<Row> = (values: Readonly<Record<string, unknown>>) => Row[];

export interface GroupedWrites {
  /**
   * Runs `work`, which must not wait for anything, alone with the database. What was asked of the database before comes
   * before it. Nothing of it stays where it throws.
   */
  write<Value>(work: () => Value): Promise<Value>;
  /** Compiled once. For use inside of a `write`. */
  prepare<Row>(query: Compilable<Row>): Statement<Row>;
  /** For what happens seldom. For use inside of a `write`. */
  run<Row>(query: Compilable<Row>): Row[];
}

interface Work {
  /** Returns how to tell the outcome, once it is on disk. @throws when nothing of the group can stay */
  attempt(): () => void;
  readonly fail: (error: unknown) => void;
}

/** @param count the one with which `db` was opened */
export function createGroupedWrites<Tables>(db: Pick<Kysely<Tables>, "connection">, count: WriteCount): GroupedWrites {
  const kept = new Map<string, Sqlite.Statement>();
  let waiting: Work[] = [];

  function writer(): Sqlite.Database {
    if (!count.writer) throw new Error("the database is closed");
    return count.writer;
  }

  function statement(text: string): Sqlite.Statement {
    const known = kept.get(text) ?? writer().prepare(text);
    kept.set(text, known);
    return known;
  }

  function execute<Row>(prepared: Sqlite.Statement, parameters: readonly unknown[]): Row[] {
    if (prepared.reader) return prepared.all(...parameters) as Row[];
    prepared.run(...parameters);
    return [];
  }

  function attempt<Value>(work: () => Value, resolve: (value: Value) => void, reject: (error: unknown) => void) {
    statement("savepoint one").run();
    try {
      const value = work();
      statement("release one").run();
      return () => resolve(value);
    } catch (error) {
      // A full disk undoes the whole transaction.
      if (!writer().inTransaction) throw error;
      statement("rollback to one").run();
      statement("release one").run();
      return () => reject(error);
    }
  }

  /** Returns how to tell the outcomes, once the disk has them. */
  function commit(group: readonly Work[]): (() => void)[] {
    try {
      statement("begin immediate").run();
      const outcomes = group.map((work) => work.attempt());
      count.writes++;
      statement("commit").run();
      return outcomes;
    } catch (error) {
      if (count.writer?.inTransaction) statement("rollback").run();
      return group.map(
        ({ fail }) =>
          () =>
            fail(error),
      );
    }
  }

  function takeAll(): Work[] {
    const group = waiting;
    waiting = [];
    return group;
  }

  /** Has the connection first, so that the work keeps its place among what else is asked of the database. */
  async function commitSoon(): Promise<void> {
    let group: Work[] | undefined;
    try {
      const outcomes = await db.connection().execute(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return commit((group = takeAll()));
      });
      await count.synced?.(); // others may have the connection meanwhile
      for (const report of outcomes) report();
    } catch (error) {
      for (const { fail } of group ?? takeAll()) fail(error);
    }
  }

  return {
    write: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({ attempt: () => attempt(work, resolve, reject), fail: reject });
        if (waiting.length === 1) void commitSoon();
      }),

    prepare<Row>(query: Compilable<Row>): Statement<Row> {
      const compiled: CompiledQuery = query.compile();
      return (values) => execute<Row>(statement(compiled.sql), boundParameters(compiled, values));
    },

    run<Row>(query: Compilable<Row>): Row[] {
      const { sql, parameters } = query.compile();
      return execute<Row>(writer().prepare(sql), parameters);
    },
  };
}
