/** The console's access to users and sessions. Secrets of users stay inside. */
import type { Compilable, Selectable } from "kysely";
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
import { sessionEvent, userEvent } from "./session-events.ts";
import { isOn, loginOf, type SessionsTable, type SessionsTables, type UsersTable } from "./sessions-tables.ts";

/** Each change publishes an event. */
export interface UserAdministration {
  page(query: z.output<typeof userPageQuery>): Promise<UserPage>;
  /** Nicknames, else names of simulated people, by the ids of users. */
  names(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  get(id: number): Promise<z.input<NonNullable<typeof getUser.data>> | undefined>;
  /** False when there is no such user. */
  forget(id: number, what: "userinfo" | "phone"): Promise<boolean>;
  expireIn(sessionId: number, seconds: number): Promise<ConsoleSession | undefined>;
  /** The ended session. */
  revoke(sessionId: number): Promise<ConsoleSession | undefined>;
}

interface Deps {
  readonly database: EventDatabase<SessionsTables>;
  readonly policy: LoginPolicy;
  /** Names of simulated people by openid. */
  readonly people: () => Promise<ReadonlyMap<string, string>>;
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

export function createUserAdministration({ database: { db, writes }, policy, people, now }: Deps): UserAdministration {
  const sessionView = (row: SessionRow, user: UserRow): ConsoleSession => {
    const step = isOn(row, now()) ? missingStep(loginOf(user), policy) : "Bearer";
    return {
      id: row.id,
      user_id: row.user_id,
      created_at: iso(row.created_at),
      expires_at: iso(row.expires_at),
      ...(step && { next_step: step }),
    };
  };

  const userOf = (id: number) => db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();

  async function userViews(users: readonly UserRow[], names: ReadonlyMap<string, string>): Promise<ConsoleUser[]> {
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
        ...(session && { newest_session: sessionView(session, user) }),
      };
    });
  }

  /** A session as the contract shows it, after `change`. */
  async function changed(
    change: Compilable<SessionRow>,
    eventOf: (session: SessionRow) => BusMessage,
  ): Promise<ConsoleSession | undefined> {
    const row = await writes.writeWithEvent(async () => (await writes.run(change))[0], eventOf);
    const user = row && (await userOf(row.user_id));
    return user && sessionView(row, user);
  }

  return {
    async page({ before, limit, q }) {
      const names = await people();
      let query = db
        .selectFrom("users")
        .selectAll()
        .orderBy("id", "desc")
        .limit(limit + 1);
      if (before !== undefined) query = query.where("id", "<", before);
      if (q !== undefined && q !== "") {
        const text = q.toLowerCase();
        const fitting = [...names].filter(([, name]) => name.toLowerCase().includes(text)).slice(0, mostNames);
        const uid = /^u(\d{1,15})$/i.exec(q)?.[1];
        const openids = fitting.map(([openid]) => openid);
        query = query.where((of) =>
          of.or([
            contains(of.ref("nick_name"), q),
            ...(uid === undefined ? [] : [of("id", "=", Number(uid))]),
            ...(openids.length === 0 ? [] : [of("openid", "in", openids)]),
          ]),
        );
      }
      const rows = await query.execute();
      const { total } = await db
        .selectFrom("users")
        .select(db.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      const users = await userViews(rows.slice(0, limit), names);
      return { users, total, has_more: rows.length > limit, now: iso(now()) };
    },

    async names(ids) {
      const users = await db
        .selectFrom("users")
        .select(["id", "nick_name", "openid"])
        .where("id", "in", [...ids])
        .execute();
      const known = users.some(({ nick_name }) => nick_name === null) ? await people() : new Map<string, string>();
      return new Map(
        users.flatMap(({ id, nick_name, openid }): [number, string][] => {
          const name = nick_name ?? known.get(openid);
          return name === undefined ? [] : [[id, name]];
        }),
      );
    },

    async get(id) {
      const row = await userOf(id);
      if (!row) return undefined;
      const [user] = await userViews([row], await people());
      const sessions = await db
        .selectFrom("sessions")
        .selectAll()
        .where("user_id", "=", id)
        .orderBy("id", "desc")
        .limit(maxSessions)
        .execute();
      return user && { user, sessions: sessions.map((session) => sessionView(session, row)), now: iso(now()) };
    },

    async forget(id, what) {
      const user = await writes.writeWithEvent(
        async () =>
          (await writes.run(db.updateTable("users").set(forgotten[what]).where("id", "=", id).returning("id")))[0],
        () => userEvent(source, id, what),
      );
      return user !== undefined;
    },

    expireIn: (sessionId, seconds) =>
      changed(
        db
          .updateTable("sessions")
          .set((b) => ({
            expires_at: now() + seconds * 1000,
            // It goes on from now on, although it began by a clock that was put back since.
            created_at: b.fn<number>("min", [b.ref("created_at"), b.val(now())]),
          }))
          .where("id", "=", sessionId)
          .returningAll(),
        ({ user_id }) => ({
          type: "session.changed",
          source,
          subject: String(sessionId),
          data: { session_id: sessionId, user_id, expires_in: seconds },
        }),
      ),

    revoke: (sessionId) =>
      changed(db.deleteFrom("sessions").where("id", "=", sessionId).returningAll(), ({ user_id }) =>
        sessionEvent("session.ended", source, sessionId, user_id),
      ),
  };
}
