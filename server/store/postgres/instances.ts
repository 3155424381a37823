/** One connection by which an instance hears of the others, and on which it holds what only one of them may have. */
import { EventEmitter } from "node:events";
import pg from "pg";
import type { GiveBack, Instances } from "../database.ts";
import { connectMs } from "./connections.ts";
import { toStoreError } from "./errors.ts";

interface Options {
  readonly url: string;
  readonly schema: string;
  /** This instance's name, in one word. */
  readonly instance: string;
}

/** A pause before the connection is tried again. */
const againAfterMs = 1_000;

/** After an outage, so long the others have to connect again before they count as ended. */
const settleMs = 3_000;

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
  let client = await connect();

  async function connect(): Promise<pg.Client> {
    const made = new pg.Client({
      connectionString: url,
      application_name: `${schema} instances`,
      keepAlive: true,
      connectionTimeoutMillis: connectMs,
    });
    made.on("notification", ({ payload = "" }) => {
      const [from, topic = ""] = payload.split(" ");
      if (from !== instance) told.emit(topic);
    });
    made.on("error", () => undefined);
    await made.connect();
    await made.query(`listen ${pg.escapeIdentifier(schema)}`);
    await made.query("select pg_advisory_lock(hashtextextended($1, 0))", [keyOf(lifeOf(instance))]);
    made.once("end", again);
    return made;
  }

  /** Whoever listens may have missed something meanwhile. */
  function again(): void {
    if (closed) return;
    connect().then(
      (made) => {
        client = made;
        if (closed) return void made.end();
        for (const topic of told.eventNames()) if (topic !== back) told.emit(topic);
        clearTimeout(settling);
        settling = setTimeout(() => {
          settling = undefined;
          told.emit(back);
        }, settleMs).unref();
      },
      () => void setTimeout(again, againAfterMs).unref(),
    );
  }

  let last: Promise<unknown> = Promise.resolve();
  /** One statement after another. */
  function ask<Row extends pg.QueryResultRow>(
    at: pg.Client,
    text: string,
    values?: string[],
  ): Promise<pg.QueryResult<Row>> {
    const answer = last.then(() => at.query<Row>(text, values));
    last = answer.catch(() => undefined);
    return answer.catch((error: unknown) => {
      throw toStoreError(error);
    });
  }

  /** @param kind of the lock: of one alone, or of several */
  async function lock(name: string, kind: "" | "_shared"): Promise<GiveBack | undefined> {
    const holder = client;
    const call = async (work: "try_advisory_lock" | "advisory_unlock") => {
      const text = `select pg_${work}${kind}(hashtextextended($1, 0)) as done`;
      return (await ask<{ done: boolean }>(holder, text, [keyOf(name)])).rows[0]?.done === true;
    };
    if (!(await call("try_advisory_lock"))) return undefined;
    return () => call("advisory_unlock").catch(() => false); // gone with its connection
  }

  return {
    name: instance,

    async isAlive(name) {
      if (name === instance || settling) return true;
      const giveBack = await lock(lifeOf(name), "");
      await giveBack?.();
      return giveBack === undefined;
    },

    tell: async (topic) => void (await ask(client, telling({ schema, instance }, topic))),

    subscribe: (topic, listen) => void told.on(topic, listen),

    onReturn: (listen) => void told.on(back, listen),

    take: (name) => lock(name, ""),
    share: (name) => lock(name, "_shared"),

    async close() {
      closed = true;
      clearTimeout(settling);
      await client.end();
    },
  };
}
