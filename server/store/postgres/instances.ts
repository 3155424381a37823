/** One connection by which an instance notifies the others, and on which it holds locks that exclude them. */
import { EventEmitter } from "node:events";
import { sql, type QueryExecutorProvider } from "kysely";
import pg from "pg";
import { afterRunning } from "../../time/after-running.ts";
import type { Instances, ReleaseLock } from "../database.ts";
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
 * After an outage, the time that the others have to connect again before they count as ended: an attempt may have begun
 * just before the outage ended, fails, and is followed by a pause and another attempt.
 */
const settleMs = connectMs + againAfterMs + 2_000;

/** The event of a connection that is restored; no topic has a name like this. */
const restored = Symbol("restored");

/** The statement that notifies a topic; in a transaction, once that is committed. */
export const notifyStatement = ({ schema, instance }: Omit<Options, "url">, topic: string): string =>
  `notify ${pg.escapeIdentifier(schema)}, ${pg.escapeLiteral(`${instance} ${topic}`)}`;

/** The lock of an instance, which it holds as long as it is connected. */
const lifeOf = (name: string) => `instance ${name}`;

const releaseText = (kind: LockKind) => `select pg_advisory_unlock${kind}(hashtextextended($1, 0)) as done`;
const tryText = (kind: LockKind) => `select pg_try_advisory_lock${kind}(hashtextextended($1, 0)) as done`;

/** A lock is for one holder, or shared by several. */
type LockKind = "" | "_shared";

/** @throws when the database cannot be reached */
export async function openInstances(options: Options): Promise<PostgresInstances> {
  const instances = new PostgresInstances(options);
  await instances.connected();
  return instances;
}

/**
 * Connected once `connected` resolves. When the connection ends, it is made again every second until it succeeds. The instance then
 * settles: whoever subscribed may have missed a notification and is notified, and for some seconds every other instance
 * counts as alive. Closed for good by `close`. Statements run one after another.
 */
class PostgresInstances implements Instances {
  readonly name: string;
  readonly #options: Options;
  readonly #topics = new EventEmitter().setMaxListeners(0);
  #isClosed = false;
  /** Set while others may not have connected again yet. */
  #settling: NodeJS.Timeout | undefined;
  /** The last connection that was made. */
  #current: Connection | undefined;
  /** The connection that is open, or is being made; fails while the database is unreachable. */
  #connection: Promise<Connection>;
  #lastQuery: Promise<unknown> = Promise.resolve();

  constructor(options: Options) {
    this.name = options.instance;
    this.#options = options;
    this.#connection = this.#openConnection();
  }

  /** @throws when the database cannot be reached */
  async connected(): Promise<void> {
    this.#current = await this.#connection;
  }

  async isAlive(name: string): Promise<boolean> {
    if (name === this.name) return true;
    const release = await this.take(lifeOf(name));
    await release?.();
    return release === undefined || this.#settling !== undefined;
  }

  async notify(topic: string, transaction: QueryExecutorProvider): Promise<void> {
    await sql.raw(notifyStatement(this.#options, topic)).execute(transaction);
  }

  subscribe(topic: string, listen: () => void): void {
    this.#topics.on(topic, listen);
  }

  onReturn(listen: () => void): void {
    this.#topics.on(restored, listen);
  }

  async take(name: string): Promise<ReleaseLock | undefined> {
    return this.#lock(name, "");
  }

  async share(name: string): Promise<ReleaseLock | undefined> {
    return this.#lock(name, "_shared");
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#settling);
    await this.#current?.client.end();
  }

  async #openConnection(): Promise<Connection> {
    const { url, schema } = this.#options;
    const client = new pg.Client({
      connectionString: url,
      application_name: `${schema} instances`,
      ...noticesSilence,
      connectionTimeoutMillis: connectMs,
      query_timeout: connectMs,
    });
    client.on("notification", ({ payload = "" }) => {
      const [from, topic = ""] = payload.split(" ");
      if (from !== this.name) this.#topics.emit(topic);
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(schema)}`);
      // Shared, because the server may not have noticed yet that the last connection, which has the lock, was cut.
      await client.query("select pg_advisory_lock_shared(hashtextextended($1, 0))", [this.#keyOf(lifeOf(this.name))]);
    } catch (error) {
      void client.end();
      throw error;
    }
    const ended = new Promise<void>((resolve) => client.once("end", () => resolve(this.#reconnect())));
    return { client, ended };
  }

  #reconnect(): void {
    if (this.#isClosed) return;
    this.#connection = this.#openConnection().then((connection) => this.#settle(connection));
    this.#connection.catch(() => void setTimeout(() => this.#reconnect(), againAfterMs).unref());
  }

  #settle(connection: Connection): Connection {
    this.#current = connection;
    if (this.#isClosed) {
      void connection.client.end();
      return connection;
    }
    for (const topic of this.#topics.eventNames()) if (topic !== restored) this.#topics.emit(topic);
    clearInterval(this.#settling);
    this.#settling = afterRunning(settleMs, () => {
      this.#settling = undefined;
      this.#topics.emit(restored);
    }).unref();
    return connection;
  }

  /** The name of an advisory lock, which is one of the whole database. */
  #keyOf(name: string): string {
    return `${this.#options.schema} ${name}`;
  }

  async #lock(name: string, kind: LockKind): Promise<ReleaseLock | undefined> {
    const values = [this.#keyOf(name)];
    const { done, connection } = await this.#queryAgain(tryText(kind), values);
    if (!done) return undefined;
    return () => this.#query(connection, releaseText(kind), values).catch(() => false); // gone with its connection
  }

  async #query({ client }: Connection, text: string, values: string[]): Promise<boolean> {
    const answer = this.#lastQuery.then(() => client.query<{ done: boolean }>(text, values));
    this.#lastQuery = answer.catch(() => undefined);
    return (await answer).rows[0]?.done === true;
  }

  /** Queries the open connection, and the next one if that turns out to have been cut. */
  async #queryAgain(text: string, values: string[]): Promise<{ done: boolean; connection: Connection }> {
    const queryOn = async (connection: Connection) => ({
      done: await this.#query(connection, text, values),
      connection,
    });
    try {
      const connection = await this.#connection;
      return await queryOn(connection).catch(async (error: unknown) => {
        if (!isBroken(error)) throw error;
        void connection.client.end();
        await connection.ended;
        return queryOn(await this.#connection);
      });
    } catch (error) {
      throw toStoreError(error);
    }
  }
}
