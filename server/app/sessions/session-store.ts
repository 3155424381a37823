import { hash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Logger } from "pino";
import type { BusMessage } from "../../contract/console/traffic/events.ts";
import type { Session, SessionLookup } from "../../http/login.ts";
import { ConstraintViolation } from "../../store/database.ts";
import type { EventDatabase } from "../../store/event-writes.ts";
import { parameter } from "../../store/prepared-statement.ts";
import { keepUnionid } from "./keep-unionid.ts";
import { useEarlierOpenid } from "./one-user-per-phone.ts";
import type { SessionEvents } from "./session-events.ts";
import { isOn, loginOf, previousKeyMs, type SessionsTables } from "./sessions-tables.ts";

const source = "/app/sessions";
const hashOf = (token: string) => hash("sha256", token, "hex");

/** How long an expired session is kept (our choice): the console shows it, and can extend it. */
const keptExpiredMs = 24 * 3_600_000;
/** A removal of old sessions at every login would slow logins down. */
const removeEvery = 100;
/** More sessions than are created between two removals, and few enough for one login. */
const removedAtOnce = 500;

interface Deps {
  readonly database: EventDatabase<SessionsTables>;
  readonly events: SessionEvents;
  readonly ttlSeconds: number;
  readonly log: Pick<Logger, "warn">;
  readonly now: () => number;
}

/** A result of the provider. */
interface ProviderLogin {
  readonly openid: string;
  readonly sessionKey: string;
  readonly unionid: string | undefined;
}

/** Sessions and the login data of users. Tokens are 256 random bits, of which only a hash is stored. */
export class SessionStore implements SessionLookup {
  readonly #deps: Deps;
  readonly #findByHash;
  readonly #removeExpired;
  readonly #openid;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { reads, db, writes } = deps.database;
    this.#findByHash = reads.prepare(
      db
        .selectFrom("sessions")
        .innerJoin("users", "users.id", "sessions.user_id")
        .select([
          "sessions.id",
          "sessions.user_id",
          "sessions.created_at",
          "sessions.expires_at",
          "users.unionid",
          "users.nick_name",
          "users.phone_number",
        ])
        // Without the plus, SQLite plans the join anew for each value, which costs many times the query.
        .where("sessions.token_hash", "=", sql<string>`+${""}`),
    );
    this.#removeExpired = writes.prepare(
      db
        .deleteFrom("sessions")
        .where(
          "id",
          "in",
          db
            .selectFrom("sessions")
            .select("id")
            .where("expires_at", "<", parameter<number>("before"))
            .orderBy("expires_at")
            .limit(removedAtOnce),
        ),
    );
    this.#openid = reads.prepare(db.selectFrom("users").select("openid").where("id", "=", 0));
  }

  async find(token: string): Promise<Session | undefined> {
    const [row] = await this.#findByHash(hashOf(token));
    if (!row) return undefined;
    const { id, user_id: userId, created_at: createdAt } = row;
    const now = this.#deps.now();
    const expiresAt = isOn(row, now) ? row.expires_at : Math.min(row.expires_at, now);
    return { id, userId, createdAt, expiresAt, ...loginOf(row), token };
  }

  /** Stores the provider's result of a login for the user, whom the first login creates. Returns the user's id. */
  async recordLogin({ openid, sessionKey, unionid }: ProviderLogin): Promise<number> {
    const { database, now, log } = this.#deps;
    return database.db.transaction().execute(async (trx) => {
      const find = () =>
        trx
          .selectFrom("users")
          .select(["id", "session_key", "unionid"])
          .where("openid", "=", openid)
          .executeTakeFirst();
      const known = (await find()) ?? ((await useEarlierOpenid(trx, openid)) ? await find() : undefined);
      if (!known) {
        const created = await trx
          .insertInto("users")
          .values({ openid, unionid: unionid ?? null, session_key: sessionKey, created_at: now() })
          .returning("id")
          .executeTakeFirstOrThrow();
        return created.id;
      }
      const rotated = known.session_key !== sessionKey;
      await trx
        .updateTable("users")
        .set({
          session_key: sessionKey,
          unionid: keepUnionid(known, unionid, log),
          ...(rotated && { previous_session_key: known.session_key, previous_key_until: now() + previousKeyMs }),
        })
        .where("id", "=", known.id)
        .execute();
      return known.id;
    });
  }

  /** Begins a session and publishes an event; undefined when the user does not exist. */
  create(userId: number): Promise<Session | undefined> {
    return this.#begin(userId, (id) => this.#deps.events.session("session.created", source, id, userId));
  }

  /** Begins a session in which somebody else acts as this user; undefined when the user does not exist. */
  async createForKnown(userId: number): Promise<{ token: string; end: () => Promise<void> } | undefined> {
    const session = await this.#begin(userId);
    if (!session) return undefined;
    const { id, token } = session;
    return { token, end: async () => void (await this.#deps.database.writes.write(() => this.#endNow(id))) };
  }

  /** Returns the user of a session, expired or not; undefined when it has ended. */
  async userOf(id: number): Promise<number | undefined> {
    const row = await this.#deps.database.db
      .selectFrom("sessions")
      .select("user_id")
      .where("id", "=", id)
      .executeTakeFirst();
    return row?.user_id;
  }

  /** Ends a session and publishes an event. */
  async end(id: number): Promise<void> {
    const { database, events } = this.#deps;
    await database.writes.writeWithEvent(
      () => this.#endNow(id),
      ({ user_id }) => events.session("session.ended", source, id, user_id),
    );
  }

  /** Returns the provider's id of the user, for calls to the provider. It must not be in a reply. */
  async openidOf(userId: number): Promise<string | undefined> {
    return (await this.#openid(userId))[0]?.openid;
  }

  /** The known parts of a person; undefined when the user does not exist. */
  personOf(userId: number) {
    return this.#deps.database.db
      .selectFrom("users")
      .select(["nick_name", "avatar_url", "phone_number"])
      .where("id", "=", userId)
      .executeTakeFirst();
  }

  /**
   * Undefined when the user does not exist.
   * @param eventOf the event for a session that exists
   */
  async #begin(userId: number, eventOf?: (id: number) => Promise<BusMessage>): Promise<Session | undefined> {
    const { database, now, ttlSeconds } = this.#deps;
    const { writes, db } = database;
    const token = randomBytes(32).toString("base64url");
    const createdAt = now();
    const times = { created_at: createdAt, expires_at: createdAt + ttlSeconds * 1000 };
    const row = { token_hash: hashOf(token), user_id: userId, ...times };
    try {
      await writes.writeWithEvent(
        async () => {
          const [inserted] = await writes.run(db.insertInto("sessions").values(row).returning("id"));
          if (inserted && inserted.id % removeEvery === 0)
            await this.#removeExpired({ before: createdAt - keptExpiredMs });
          return inserted;
        },
        eventOf && (({ id }) => eventOf(id)),
      );
    } catch (error) {
      if (error instanceof ConstraintViolation) return undefined;
      throw error;
    }
    const session = await this.find(token);
    if (!session) throw new Error("a session that was just created is not found");
    return session;
  }

  /** Must be called inside of a write. */
  async #endNow(id: number) {
    const { writes, db } = this.#deps.database;
    return (await writes.run(db.deleteFrom("sessions").where("id", "=", id).returning("user_id")))[0];
  }
}
