/** One connection by which an instance hears of the others, and on which it holds what only one of them may have. */
import { EventEmitter } from "node:events";
import { sql } from "kysely";
import pg from "pg";
import { afterRunning } from "../../time/after-running.ts";
import type { GiveBack, Instances } from "../database.ts";
import { connectMs, noticesSilence } from "./connections.ts";
import { isBroken, toStoreError } from "./errors.ts";

interface Options {
  readonly url: string;
  readonly schema: string;
  /** This instance's name, in one word. */
  readonly instance: string;
}

interface Connection {
  readonly client: pg.Client;
  /** Resolves once it has ended, when the next one is being made. */
  readonly ended: Promise<void>;
}

/** A pause before the connection is tried again. */
const againAfterMs = 1_000;

/**
 * After an outage, so long the others have to connect again before they count as ended: they may have begun in vain just
 * before its end, pause then, and need a moment for the next connection.
 */
const settleMs = connectMs + againAfterMs + 2_000;

/** The event that the connection is there again; no topic has a name like this. */
const back = Symbol("back");

/** The statement that tells a topic; in a transaction, once that is committed. */
export const telling = ({ schema, instance }: Omit<Options, "url">, topic: string): string =>
  `notify ${pg.escapeIdentifier(schema)}, ${pg.escapeLiteral(`${instance} ${topic}`)}`;

/** What an instance has as long as it is connected. */
const lifeOf = (name: string) => `instance ${name}`;

/** @throws when the database cannot be reached */
export async function openInstances({
  url,
  schema,
  instance,
}: Options): Promise<Instances & { close: () => Promise<void> }> {
  /** The name of an advisory lock, which are those of the whole database. */
  const keyOf = (name: string) => `${schema} ${name}`;
  const told = new EventEmitter().setMaxListeners(0);
  let closed = false;
  /** While others may not have connected again yet. */
  let settling: NodeJS.Timeout | undefined;
  let current = await connect();
  /** The one that is there, or is being made; fails while the database is away. */
  let connection = Promise.resolve(current);

  async function connect(): Promise<Connection> {
    const client = new pg.Client({
      connectionString: url,
      application_name: `${schema} instances`,
      ...noticesSilence,
      connectionTimeoutMillis: connectMs,
      query_timeout: connectMs,
    });
    client.on("notification", ({ payload = "" }) => {
      const [from, topic = ""] = payload.split(" ");
      if (from !== instance) told.emit(topic);
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(schema)}`);
      // Shared: the server may not have noticed yet that the connection before has been cut, which has it, too.
      await client.query("select pg_advisory_lock_shared(hashtextextended($1, 0))", [keyOf(lifeOf(instance))]);
    } catch (error) {
      void client.end();
      throw error;
    }
    const ended = new Promise<void>((resolve) => client.once("end", () => resolve(again())));
    return { client, ended };
  }

  function again(): void {
    if (closed) return;
    connection = connect().then(takeUp);
    connection.catch(() => void setTimeout(again, againAfterMs).unref());
  }

  /** Whoever listens may have missed something meanwhile. */
  function takeUp(made: Connection): Connection {
    current = made;
    if (closed) {
      void made.client.end();
      return made;
    }
    for (const topic of told.eventNames()) if (topic !== back) told.emit(topic);
    clearInterval(settling);
    settling = afterRunning(settleMs, () => {
      settling = undefined;
      told.emit(back);
    }).unref();
    return made;
  }

  let last: Promise<unknown> = Promise.resolve();
  /** One statement after another. */
  function query(at: Connection, text: string, values: string[]): Promise<pg.QueryResult<{ done: boolean }>> {
    const answer = last.then(() => at.client.query<{ done: boolean }>(text, values));
    last = answer.catch(() => undefined);
    return answer;
  }

  /** Asks by the connection that is there; where that turns out to have been cut, by the next one. */
  async function ask(text: string, values: string[]): Promise<{ readonly done: boolean; readonly by: Connection }> {
    const askBy = async (by: Connection) => ({ done: (await query(by, text, values)).rows[0]?.done === true, by });
    try {
      const by = await connection;
      return await askBy(by).catch(async (error: unknown) => {
        if (!isBroken(error)) throw error;
        void by.client.end();
        await by.ended;
        return askBy(await connection);
      });
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /** @param kind of the lock: of one alone, or of several */
  async function lock(name: string, kind: "" | "_shared"): Promise<GiveBack | undefined> {
    const textOf = (work: "try_advisory_lock" | "advisory_unlock") =>
      `select pg_${work}${kind}(hashtextextended($1, 0)) as done`;
    const values = [keyOf(name)];
    const { done, by } = await ask(textOf("try_advisory_lock"), values);
    if (!done) return undefined;
    const giveBack = async () => (await query(by, textOf("advisory_unlock"), values)).rows[0]?.done === true;
    return () => giveBack().catch(() => false); // gone with its connection
  }

  return {
    name: instance,

    async isAlive(name) {
      if (name === instance) return true;
      const giveBack = await lock(lifeOf(name), "");
      await giveBack?.();
      return giveBack === undefined || settling !== undefined;
    },

    tell: async (topic, trx) => void (await sql.raw(telling({ schema, instance }, topic)).execute(trx)),

    subscribe: (topic, listen) => void told.on(topic, listen),

    onReturn: (listen) => void told.on(back, listen),

    take: (name) => lock(name, ""),
    share: (name) => lock(name, "_shared"),

    async close() {
      closed = true;
      clearInterval(settling);
      await current.client.end();
    },
  };
}
