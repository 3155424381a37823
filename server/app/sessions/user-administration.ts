import type { Compilable, ExpressionBuilder, Selectable } from "kysely";
import type { z } from "zod";
import type {
  ConsoleSession,
  ConsoleUser,
  getUser,
  userPageQuery,
  UserPage,
} from "../../contract/console/console-users.ts";
import type { BusMessage } from "../../contract/console/traffic/events.ts";
import { missingStep, type LoginPolicy } from "../../http/login.ts";
import { contains } from "../../store/contains.ts";
import { latestBeginning } from "../../store/waits.ts";
import type { EventDatabase } from "../../store/event-writes.ts";
import type { SessionEvents } from "./session-events.ts";
import type { SimulatedPeople } from "./simulated-people.ts";
import { isOn, loginOf, type SessionsTable, type SessionsTables, type UsersTable } from "./sessions-tables.ts";

interface Deps {
  readonly database: EventDatabase<SessionsTables>;
  readonly policy: LoginPolicy;
  readonly events: SessionEvents;
  readonly people: Pick<SimulatedPeople, "read">;
  readonly now: () => number;
}

type UserRow = Selectable<UsersTable>;
type SessionRow = Selectable<SessionsTable>;

const source = "/app/console";
const maxSessions = 100;
/** The most matching names in a search, because a query takes a limited number of values. */
const mostNames = 1_000;
const forgotten = {
  userinfo: { nick_name: null, avatar_url: null, unionid: null },
  phone: { phone_number: null, country_code: null },
};
const iso = (time: number) => new Date(time).toISOString();

/** The console's access to users and sessions. Secrets of users stay inside. Each change publishes an event. */
export class UserAdministration {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async page({ before, limit, q }: z.output<typeof userPageQuery>): Promise<UserPage> {
    const { db } = this.#deps.database;
    const { people, now } = this.#deps;
    const names = await people.read();
    const isSearched = q !== undefined && q !== "";
    const found = db.selectFrom("users").$if(isSearched, (all) => all.where((e) => matches(e, q ?? "", names)));
    const rows = await found
      .selectAll()
      .orderBy("id", "desc")
      .limit(limit + 1)
      .$if(before !== undefined, (all) => all.where("id", "<", before ?? 0))
      .execute();
    const counted = (users: typeof found) =>
      users.select(db.fn.countAll<number>().as("users")).executeTakeFirstOrThrow();
    const total = (await counted(db.selectFrom("users"))).users;
    const matched = isSearched ? (await counted(found)).users : total;
    const users = await this.#userViews(rows.slice(0, limit), names);
    return { users, total, matched, has_more: rows.length > limit, now: iso(now()) };
  }

  /** Returns nicknames, or names of simulated people, by the ids of users. */
  async names(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const { database, people } = this.#deps;
    const users = await database.db
      .selectFrom("users")
      .select(["id", "nick_name", "openid"])
      .where("id", "in", [...ids])
      .execute();
    const known = users.some(({ nick_name }) => nick_name === null) ? await people.read() : new Map<string, string>();
    return new Map(
      users.flatMap(({ id, nick_name, openid }): [number, string][] => {
        const name = nick_name ?? known.get(openid);
        return name === undefined ? [] : [[id, name]];
      }),
    );
  }

  async get(id: number): Promise<z.input<NonNullable<typeof getUser.data>> | undefined> {
    const { database, people, now } = this.#deps;
    const row = await this.#userOf(id);
    if (!row) return undefined;
    const [user] = await this.#userViews([row], await people.read());
    const sessions = await database.db
      .selectFrom("sessions")
      .selectAll()
      .where("user_id", "=", id)
      .orderBy("id", "desc")
      .limit(maxSessions)
      .execute();
    return user && { user, sessions: sessions.map((session) => this.#sessionView(session, row)), now: iso(now()) };
  }

  /** Returns false when there is no such user. */
  async forget(id: number, what: "userinfo" | "phone"): Promise<boolean> {
    const { database, events } = this.#deps;
    const { writes, db } = database;
    const user = await writes.writeWithEvent(
      async () =>
        (await writes.run(db.updateTable("users").set(forgotten[what]).where("id", "=", id).returning("id")))[0],
      () => events.user(source, id, what),
    );
    return user !== undefined;
  }

  expireIn(sessionId: number, seconds: number): Promise<ConsoleSession | undefined> {
    const { database, events, now } = this.#deps;
    return this.#change(
      database.db
        .updateTable("sessions")
        .set((b) => ({
          expires_at: now() + seconds * 1000,
          // A session that began by a clock that was put back since must be valid now.
          created_at: b.fn<number>("min", [b.ref("created_at"), b.val(now())]),
        }))
        .where("id", "=", sessionId)
        .returningAll(),
      ({ user_id }) => events.sessionChanged(source, sessionId, user_id, seconds),
    );
  }

  /** Returns the ended session. */
  revoke(sessionId: number): Promise<ConsoleSession | undefined> {
    const { database, events } = this.#deps;
    return this.#change(database.db.deleteFrom("sessions").where("id", "=", sessionId).returningAll(), ({ user_id }) =>
      events.session("session.ended", source, sessionId, user_id),
    );
  }

  #sessionView(row: SessionRow, user: UserRow): ConsoleSession {
    const { now, policy } = this.#deps;
    const step = isOn(row, now()) ? missingStep(loginOf(user), policy) : "Bearer";
    return {
      id: row.id,
      user_id: row.user_id,
      created_at: iso(row.created_at),
      expires_at: iso(row.expires_at),
      ...(step && { next_step: step }),
    };
  }

  #userOf(id: number) {
    return this.#deps.database.db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
  }

  async #userViews(users: readonly UserRow[], names: ReadonlyMap<string, string>): Promise<ConsoleUser[]> {
    const { db } = this.#deps.database;
    const { now } = this.#deps;
    const ids = users.map(({ id }) => id);
    const ofThem = db.selectFrom("sessions").where("user_id", "in", ids).groupBy("user_id");
    const live = await ofThem
      .select(["user_id", db.fn.countAll<number>().as("count")])
      .where("expires_at", ">", now())
      .where("created_at", "<=", latestBeginning(now()))
      .execute();
    const newest = await db
      .selectFrom("sessions")
      .selectAll()
      .where("id", "in", ofThem.select(db.fn.max("id").as("id")))
      .execute();
    const counts = new Map(live.map(({ user_id, count }) => [user_id, count]));
    const latest = new Map(newest.map((session) => [session.user_id, session]));
    return users.map((user) => {
      const session = latest.get(user.id);
      const person = names.get(user.openid);
      return {
        id: user.id,
        uid: `u${String(user.id)}`,
        ...(person !== undefined && { person }),
        ...(user.nick_name !== null && { nick_name: user.nick_name }),
        created_at: iso(user.created_at),
        has_userinfo: user.nick_name !== null,
        has_unionid: user.unionid !== null,
        has_phone: user.phone_number !== null,
        session_count: counts.get(user.id) ?? 0,
        ...(session && { newest_session: this.#sessionView(session, user) }),
      };
    });
  }

  /** Makes a change with its event, and returns the changed session in the contract's form. */
  async #change(
    change: Compilable<SessionRow>,
    eventOf: (session: SessionRow) => Promise<BusMessage>,
  ): Promise<ConsoleSession | undefined> {
    const { writes } = this.#deps.database;
    const row = await writes.writeWithEvent(async () => (await writes.run(change))[0], eventOf);
    const user = row && (await this.#userOf(row.user_id));
    return user && this.#sessionView(row, user);
  }
}

/** The condition for users whose nickname, simulated name or uid matches a text. */
function matches(e: ExpressionBuilder<SessionsTables, "users">, q: string, names: ReadonlyMap<string, string>) {
  const text = q.toLowerCase();
  const openids = [...names].filter(([, name]) => name.toLowerCase().includes(text)).map(([openid]) => openid);
  const uid = /^u(\d{1,15})$/i.exec(q)?.[1];
  return e.or([
    contains(e.ref("nick_name"), q),
    ...(uid === undefined ? [] : [e("id", "=", Number(uid))]),
    ...(openids.length === 0 ? [] : [e("openid", "in", openids.slice(0, mostNames))]),
  ]);
}
