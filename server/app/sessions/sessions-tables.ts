import type { Generated } from "kysely";
import type { Migrations } from "../../store/database.ts";
import { moveTimes } from "../../store/move-times.ts";
import type { StateRow } from "../../store/state-part.ts";
import { latestBeginning } from "../../store/waits.ts";

/** A person as the identity provider describes them. Everything here is secret except nick_name and avatar_url. */
export interface UsersTable {
  id: Generated<number>;
  openid: string;
  unionid: string | null;
  /** The key of the latest login, and the previous one for data that was encrypted before the key changed. */
  session_key: string;
  previous_session_key: string | null;
  /** Unix ms until which previous_session_key is accepted. */
  previous_key_until: number | null;
  nick_name: string | null;
  avatar_url: string | null;
  phone_number: string | null;
  country_code: string | null;
  created_at: number;
}

/** The steps of the login that the user has done. A unionid replaces user info (spec: Login conditions). */
export const loginOf = (user: Pick<UsersTable, "unionid" | "nick_name" | "phone_number">) => ({
  hasUserinfo: user.unionid !== null || user.nick_name !== null,
  hasPhone: user.phone_number !== null,
});

export interface SessionsTable {
  id: Generated<number>;
  /** Lower-case hex SHA-256 of the token, which itself is not stored. */
  token_hash: string;
  user_id: number;
  created_at: number;
  expires_at: number;
}

/** Whether a session is valid. One that began by a clock that was put back since is not: it would outlive a new one. */
export const isOn = ({ created_at, expires_at }: Pick<SessionsTable, "created_at" | "expires_at">, now: number) =>
  expires_at > now && created_at <= latestBeginning(now);

/** How long data encrypted under the key before the latest login is still accepted. */
export const previousKeyMs = 300_000;

/** Openids by which a user has logged in before; the user's row has the latest one. Only with `one_user_per_phone`. */
interface EarlierOpenidsTable {
  openid: string;
  user_id: number;
}

export interface SessionsTables {
  users: UsersTable;
  earlier_openids: EarlierOpenidsTable;
  sessions: SessionsTable;
}

/** Keeps the remaining lifetime that the token had when it was saved. */
export const agedSession = (row: StateRow, ms: number): StateRow => moveTimes(row, ["created_at", "expires_at"], ms);

export const sessionsMigrations: Migrations = {
  "001_sessions": {
    async up(db) {
      await db.schema
        .createTable("users")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("openid", "text", (c) => c.notNull().unique())
        .addColumn("unionid", "text")
        .addColumn("session_key", "text", (c) => c.notNull())
        .addColumn("previous_session_key", "text")
        .addColumn("previous_key_until", "integer")
        .addColumn("nick_name", "text")
        .addColumn("avatar_url", "text")
        .addColumn("phone_number", "text")
        .addColumn("country_code", "text")
        .addColumn("created_at", "integer", (c) => c.notNull())
        .execute();
      await db.schema
        .createTable("earlier_openids")
        .addColumn("openid", "text", (c) => c.primaryKey())
        .addColumn("user_id", "integer", (c) => c.notNull().references("users.id").onDelete("cascade"))
        .execute();
      await db.schema
        .createTable("sessions")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("token_hash", "text", (c) => c.notNull().unique())
        .addColumn("user_id", "integer", (c) => c.notNull().references("users.id").onDelete("cascade"))
        .addColumn("created_at", "integer", (c) => c.notNull())
        .addColumn("expires_at", "integer", (c) => c.notNull())
        .execute();
      await db.schema.createIndex("sessions_user_id").on("sessions").column("user_id").execute();
      await db.schema.createIndex("sessions_expires_at").on("sessions").column("expires_at").execute();
    },
  },
};
