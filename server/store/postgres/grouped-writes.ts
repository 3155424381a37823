/** Commits all waiting writes together, each in a savepoint of its own. */
import { hash } from "node:crypto";
import type { Compilable, CompiledQuery } from "kysely";
import type { Awaitable, GroupedWrites, Statement } from "../database.ts";
import { inCurrentSpan, runInSpan } from "../../trace/span.ts";
import { boundParameters } from "../prepared-statement.ts";
import type { Connections, Held } from "./connections.ts";
import { storable } from "./storable-texts.ts";

interface Work {
  /** Returns the function that settles the write's promise, once it is committed. @throws when its savepoint is lost */
  attempt(held: Held): Promise<() => void>;
  readonly fail: (error: unknown) => void;
}

/** PostgreSQL keeps prepared statements by names, of at most 63 characters. */
export const statementName = (sql: string): string => hash("sha256", sql, "base64url");

export function createGroupedWrites(connections: Connections): GroupedWrites {
  let waiting: Work[] = [];

  async function attempt<Value>(
    held: Held,
    work: () => Awaitable<Value>,
    resolve: (value: Value) => void,
    reject: (error: unknown) => void,
  ): Promise<() => void> {
    try {
      const value = await work();
      await held.query("release one; savepoint one"); // fails where the work went on after a failed statement
      return () => resolve(value);
    } catch (error) {
      await held.query("rollback to one");
      return () => reject(error);
    }
  }

  /** Returns the functions that settle the promises, once the group is committed. */
  async function commit(held: Held, group: readonly Work[]): Promise<(() => void)[]> {
    await held.query(`begin; select pg_advisory_xact_lock(${connections.lock}); savepoint one`);
    const outcomes: (() => void)[] = [];
    for (const work of group) outcomes.push(await work.attempt(held));
    await held.query(connections.commit);
    return outcomes;
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
      const held = await connections.hold();
      await new Promise((resolve) => setImmediate(resolve));
      group = takeAll();
      try {
        const outcomes = await commit(held, group);
        held.release();
        for (const settle of outcomes) settle();
      } catch (error) {
        await held.rollback();
        held.release();
        throw error;
      }
    } catch (error) {
      for (const { fail } of group ?? takeAll()) fail(error);
    }
  }

  return {
    write: (work) =>
      new Promise((resolve, reject) => {
        const inSpan = inCurrentSpan(work);
        waiting.push({ attempt: (held) => attempt(held, inSpan, resolve, reject), fail: reject });
        if (waiting.length === 1) void runInSpan(undefined, commitSoon);
      }),

    prepare<Row>(query: Compilable<Row>): Statement<Row> {
      const compiled = query.compile();
      const { sql: text } = compiled;
      const name = statementName(text);
      return async (parameters) => {
        const values = [...storable(compiled, boundParameters(compiled, parameters))];
        return (await connections.current().query({ name, text, values })).rows as Row[];
      };
    },

    async run<Row>(query: Compilable<Row>): Promise<Row[]> {
      const compiled: CompiledQuery = query.compile();
      const values = [...storable(compiled, compiled.parameters)];
      return (await connections.current().query({ text: compiled.sql, values })).rows as Row[];
    },
  };
}
