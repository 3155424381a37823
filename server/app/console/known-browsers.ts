import { createHash, randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { createTurns } from "../../process/create-turns.ts";
import { changeAndNotify } from "../../store/change-and-notify.ts";
import type { Database } from "../../store/database.ts";
import type { BrowserTables } from "./browsers-table.ts";

export interface KnownBrowser {
  readonly id: string;
  /** System and program, from its User-Agent. */
  readonly name: string;
  /** The id of the key by which it was let in; undefined: by the console's token. */
  readonly maker: string | undefined;
  /** Unix time in ms, of both. */
  readonly createdAt: number;
  seenAt: number;
}

interface Deps {
  readonly database: Pick<Database<BrowserTables>, "db" | "instances">;
  /** Unix time in ms, by the real clock: the simulated one must let nobody in or out. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

export const loginDays = 90;
const loginMs = loginDays * 24 * 60 * 60_000;
/** A program that logs in by the token each time takes the place of the browser that was seen longest ago. */
const mostBrowsers = 100;
/** The time when a browser was seen is stored to the minute. */
const seenExactnessMs = 60_000;
const topic = "console-browsers";

const hashOf = (cookie: string) => createHash("sha256").update(cookie).digest("hex");

/**
 * The browsers that are logged in to the console, by the hash of a random cookie. The database keeps them, and memory has
 * a copy, since each request asks. A login ends after 90 days, by its removal, and in favour of more recent ones.
 */
export class KnownBrowsers {
  readonly #deps: Deps;
  #byHash: ReadonlyMap<string, KnownBrowser> = new Map();
  /** The answers under way, by the id of their browser. */
  readonly #answers = new Map<string, Set<ServerResponse>>();
  readonly #inTurn = createTurns();

  private constructor(deps: Deps) {
    this.#deps = deps;
    deps.database.instances?.subscribe(topic, () => void this.#inTurn(() => this.#read()).catch(deps.onError));
  }

  static async open(deps: Deps): Promise<KnownBrowsers> {
    const browsers = new KnownBrowsers(deps);
    await browsers.#read();
    return browsers;
  }

  /** Logs a browser in, anew if it is `known`. Returns the value of its cookie, which nothing else holds. */
  async logIn({ name, maker }: Pick<KnownBrowser, "name" | "maker">, known?: KnownBrowser): Promise<string> {
    const cookie = randomBytes(32).toString("base64url");
    const at = this.#deps.now();
    const id = known?.id ?? randomBytes(8).toString("hex");
    await this.#change(async (trx) => {
      const { id: excess } = (await trx
        .selectFrom("console_browsers")
        .select("id")
        .orderBy("seen_at", "desc")
        .offset(mostBrowsers - 1)
        .limit(1)
        .executeTakeFirst()) ?? { id };
      await trx
        .deleteFrom("console_browsers")
        .where((the) => the.or([the("id", "in", [id, excess]), the("created_at", "<=", at - loginMs)]))
        .execute();
      await trx
        .insertInto("console_browsers")
        .values({ id, cookie_hash: hashOf(cookie), name, made_by: maker ?? null, created_at: at, seen_at: at })
        .execute();
    });
    return cookie;
  }

  /** The browser that has sent one of these cookies. */
  find(cookies: readonly string[]): KnownBrowser | undefined {
    const found = cookies.flatMap((cookie) => this.#byHash.get(hashOf(cookie)) ?? []);
    return found.find(({ createdAt }) => this.#deps.now() < createdAt + loginMs);
  }

  /** Notes a request of the browser, which ends with its login. */
  follow(browser: KnownBrowser, answer: ServerResponse): void {
    const answers = this.#answers.get(browser.id) ?? new Set();
    this.#answers.set(browser.id, answers.add(answer));
    answer.once("close", () => {
      answers.delete(answer);
      if (answers.size === 0) this.#answers.delete(browser.id);
    });
    const now = this.#deps.now();
    if (now - browser.seenAt < seenExactnessMs) return;
    browser.seenAt = now;
    const seen = this.#deps.database.db
      .updateTable("console_browsers")
      .set({ seen_at: now })
      .where("id", "=", browser.id);
    void this.#inTurn(() => seen.execute()).catch(this.#deps.onError);
  }

  /** The last seen first. */
  async list(): Promise<KnownBrowser[]> {
    await this.#inTurn(() => this.#read());
    return [...this.#byHash.values()].sort((a, b) => b.seenAt - a.seenAt);
  }

  /**
   * Ends a login, and what that browser has under way, except the answer to the request itself.
   * @returns false where there is none
   */
  async remove(id: string, own?: ServerResponse): Promise<boolean> {
    const exists = [...this.#byHash.values()].some((one) => one.id === id);
    if (own) this.#answers.get(id)?.delete(own);
    await this.#change((trx) => trx.deleteFrom("console_browsers").where("id", "=", id).execute());
    return exists;
  }

  /** Settles when nothing is being read or written. */
  readonly idle = (): Promise<void> => this.#inTurn(async () => undefined);

  #change(change: Parameters<typeof changeAndNotify<BrowserTables>>[3]): Promise<void> {
    const { db, instances } = this.#deps.database;
    return this.#inTurn(async () => {
      await changeAndNotify(db, instances, topic, change);
      await this.#read();
    });
  }

  async #read(): Promise<void> {
    const rows = await this.#deps.database.db.selectFrom("console_browsers").selectAll().execute();
    this.#byHash = new Map(
      rows.map(({ id, name, ...row }) => {
        const maker = row.made_by ?? undefined;
        return [row.cookie_hash, { id, name, maker, createdAt: row.created_at, seenAt: row.seen_at }];
      }),
    );
    const ids = new Set(rows.map(({ id }) => id));
    for (const [id, answers] of this.#answers) if (!ids.has(id)) for (const answer of answers) answer.destroy();
  }
}
