/** Commits all writes of one turn of the event loop together, each in a savepoint of its own. */
import type { Compilable, Kysely } from "kysely";
import type { Awaitable, GroupedWrites, Statement } from "../database.ts";
import { inCurrentSpan, runInSpan } from "../../trace/span.ts";
import { boundParameters } from "../prepared-statement.ts";
import { boundNumber } from "./bound-number.ts";
import { toStoreError, type WriteConnection } from "./write-connection.ts";
import type { SqliteStatement } from "../native-sqlite.ts";

interface Work {
  /** Returns the function that settles the write's promise, once it is on disk. @throws when the whole group fails */
  attempt(): Promise<() => void>;
  readonly fail: (error: unknown) => void;
}

export function createGroupedWrites<Tables>(
  db: Pick<Kysely<Tables>, "connection">,
  writer: WriteConnection,
): GroupedWrites {
  const { sqlite } = writer;
  const kept = new Map<string, SqliteStatement>();
  let waiting: Work[] = [];

  function statement(text: string): SqliteStatement {
    const known = kept.get(text) ?? sqlite.prepare(text);
    kept.set(text, known);
    return known;
  }

  function execute<Row>(prepared: SqliteStatement, parameters: readonly unknown[]): Row[] {
    if (prepared.reader) return prepared.all(parameters) as Row[];
    prepared.run(parameters);
    return [];
  }

  async function attempt<Value>(
    work: () => Awaitable<Value>,
    resolve: (value: Value) => void,
    reject: (error: unknown) => void,
  ): Promise<() => void> {
    statement("savepoint one").run();
    try {
      const value = await work();
      statement("release one").run();
      return () => resolve(value);
    } catch (error) {
      // A full disk undoes the whole transaction.
      if (!sqlite.inTransaction) throw error;
      statement("rollback to one").run();
      statement("release one").run();
      return () => reject(toStoreError(error));
    }
  }

  /** Returns the functions that settle the promises, once the group is on the disk. */
  async function commit(group: readonly Work[]): Promise<(() => void)[]> {
    try {
      statement("begin immediate").run();
      const outcomes: (() => void)[] = [];
      for (const work of group) outcomes.push(await work.attempt());
      writer.writes++;
      statement("commit").run();
      return outcomes;
    } catch (error) {
      if (sqlite.inTransaction) statement("rollback").run();
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

  /** Takes the connection first, so that the work keeps its place among other queries. */
  async function commitSoon(): Promise<void> {
    let group: Work[] | undefined;
    try {
      const outcomes = await db.connection().execute(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return commit((group = takeAll()));
      });
      await writer.synced(); // others may use the connection meanwhile
      for (const settle of outcomes) settle();
    } catch (error) {
      for (const { fail } of group ?? takeAll()) fail(error);
    }
  }

  return {
    write: (work) =>
      new Promise((resolve, reject) => {
        const inSpan = inCurrentSpan(work);
        waiting.push({ attempt: () => attempt(inSpan, resolve, reject), fail: reject });
        if (waiting.length === 1) void runInSpan(undefined, commitSoon);
      }),

    prepare<Row>(query: Compilable<Row>): Statement<Row> {
      const compiled = query.compile();
      return (values) => execute<Row>(statement(compiled.sql), boundParameters(compiled, values));
    },

    run<Row>(query: Compilable<Row>): Row[] {
      const { sql, parameters } = query.compile();
      return execute<Row>(sqlite.prepare(sql), parameters.map(boundNumber));
    },
  };
}
