/** Commits all waiting writes together, each in a savepoint of its own. */
import { hash } from "node:crypto";
import type { Compilable } from "kysely";
import type pg from "pg";
import type { Awaitable, GroupedWrites, Statement } from "../database.ts";
import { boundParameters } from "../prepared-statement.ts";
import { isAnswer, toStoreError, type Connections } from "./connections.ts";

interface Work {
  /** Returns the function that settles the write's promise, once it is committed. @throws when its savepoint is lost */
  attempt(client: pg.PoolClient): Promise<() => void>;
  readonly fail: (error: unknown) => void;
}

/** PostgreSQL keeps prepared statements by names, of at most 63 characters. */
export const statementName = (sql: string): string => hash("sha256", sql, "base64url");

export function createGroupedWrites(connections: Connections): GroupedWrites {
  let waiting: Work[] = [];

  async function attempt<Value>(
    client: pg.PoolClient,
    work: () => Awaitable<Value>,
    resolve: (value: Value) => void,
    reject: (error: unknown) => void,
  ): Promise<() => void> {
    try {
      const value = await work();
      await client.query("release one; savepoint one"); // fails where the work went on after a failed statement
      return () => resolve(value);
    } catch (error) {
      await client.query("rollback to one");
      return () => reject(toStoreError(error));
    }
  }

  /** Returns the functions that settle the promises, once the group is committed. */
  async function commit(client: pg.PoolClient, group: readonly Work[]): Promise<(() => void)[]> {
    await client.query(`begin; select pg_advisory_xact_lock(${connections.lock}); savepoint one`);
    const outcomes: (() => void)[] = [];
    for (const work of group) outcomes.push(await work.attempt(client));
    await client.query(connections.commit);
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
        const outcomes = await commit(held.client, group);
        held.release();
        for (const settle of outcomes) settle();
      } catch (error) {
        const undone = isAnswer(error) && (await held.client.query("rollback").then(Boolean, () => false));
        held.release(!undone);
        throw error;
      }
    } catch (error) {
      for (const { fail } of group ?? takeAll()) fail(error);
    }
  }

  return {
    write: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({ attempt: (client) => attempt(client, work, resolve, reject), fail: reject });
        if (waiting.length === 1) void commitSoon();
      }),

    prepare<Row>(query: Compilable<Row>): Statement<Row> {
      const compiled = query.compile();
      const { sql: text } = compiled;
      const name = statementName(text);
      return async (values) =>
        (await connections.current().query({ name, text, values: boundParameters(compiled, values) })).rows as Row[];
    },

    async run<Row>(query: Compilable<Row>): Promise<Row[]> {
      const { sql, parameters } = query.compile();
      return (await connections.current().query(sql, [...parameters])).rows as Row[];
    },
  };
}
