/** One connection by which an instance hears of the others, and on which it holds what only one of them may have. */
import { EventEmitter } from "node:events";
import pg from "pg";
import type { Instances } from "../database.ts";

interface Options {
  readonly url: string;
  readonly schema: string;
  /** This instance's name, in one word. */
  readonly instance: string;
}

/** A pause before the connection is tried again. */
const againAfterMs = 1_000;

/** The statement that tells a topic; in a transaction, once that is committed. */
export const telling = ({ schema, instance }: Omit<Options, "url">, topic: string): string =>
  `notify ${pg.escapeIdentifier(schema)}, ${pg.escapeLiteral(`${instance} ${topic}`)}`;

/** @throws when the database cannot be reached */
export async function openInstances({
  url,
  schema,
  instance,
}: Options): Promise<Instances & { close: () => Promise<void> }> {
  const told = new EventEmitter().setMaxListeners(0);
  let closed = false;
  let client = await connect();

  async function connect(): Promise<pg.Client> {
    const made = new pg.Client({ connectionString: url, application_name: `${schema} instances`, keepAlive: true });
    made.on("notification", ({ payload = "" }) => {
      const [from, topic = ""] = payload.split(" ");
      if (from !== instance) told.emit(topic);
    });
    made.on("error", () => undefined);
    await made.connect();
    await made.query(`listen ${pg.escapeIdentifier(schema)}`);
    made.once("end", again);
    return made;
  }

  /** Whoever listens may have missed something meanwhile. */
  function again(): void {
    if (closed) return;
    connect().then(
      (made) => {
        client = made;
        for (const topic of told.eventNames()) told.emit(topic);
        if (closed) void made.end();
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
    return answer;
  }

  return {
    tell: async (topic) => void (await ask(client, telling({ schema, instance }, topic))),

    subscribe: (topic, listen) => void told.on(topic, listen),

    async take(name) {
      const holder = client;
      const key = [`${schema} ${name}`];
      const lock = (call: string) =>
        ask<{ done: boolean }>(holder, `select ${call}(hashtextextended($1, 0)) as done`, key);
      const { rows } = await lock("pg_try_advisory_lock");
      if (rows[0]?.done !== true) return undefined;
      return async () => void (await lock("pg_advisory_unlock").catch(() => undefined)); // gone with its connection
    },

    async close() {
      closed = true;
      await client.end();
    },
  };
}
