import type { Generated, Selectable } from "kysely";
import type { UnionIdMode } from "../../contract/provider/provider.ts";
import type { Migrations } from "../../store/database.ts";
import { testApp } from "./test-app.ts";

/** A person's answer to a prompt; null while never asked. */
export type Consent = "allowed" | "denied" | null;

export interface SimUsersTable {
  id: Generated<number>;
  name: string;
  openid: string;
  unionid: string;
  session_key: string;
  /** Unix ms of the last activity, from which the key's lifetime counts. */
  session_key_at: number;
  nick_name: string;
  avatar_url: string;
  phone_number: string;
  country_code: string;
  userinfo_consent: Consent;
  phone_consent: Consent;
  location_consent: Generated<Consent>;
  /** Degrees. */
  latitude: Generated<number>;
  longitude: Generated<number>;
  /** 1 if the person follows an official account of the app's owner, which reveals the union id without consent. */
  follows_account: number;
  /** 1 if the person has logged in to another app of the same open platform, with the same effect. */
  uses_other_app: Generated<number>;
  unionid_mode: Generated<UnionIdMode>;
  /** 1 for a person whom the provider flags as high-risk. */
  blocked: number;
}

export type SimUser = Selectable<SimUsersTable>;

export interface SimCodesTable {
  code: string;
  kind: "login" | "phone";
  /** The app that it was issued for. */
  app_id: Generated<string>;
  user_id: number;
  created_at: number;
  /** 1 once it was exchanged. */
  used: number;
}

export interface SimCredentialsTable {
  token: string;
  /** superseded: a newer token was issued; this one stays valid for a while. */
  kind: "token" | "stable" | "superseded";
  expires_at: number;
}

/** Settings that differ from the defaults, by name. */
export interface SimSettingsTable {
  name: string;
  /** JSON. */
  value: string;
}

export interface IdentityTables {
  sim_users: SimUsersTable;
  sim_codes: SimCodesTable;
  sim_credentials: SimCredentialsTable;
  sim_settings: SimSettingsTable;
}

/** Everybody's position until it is set (our choice). */
export const firstPosition = { latitude: 39.908722, longitude: 116.397499 };

export const identityMigrations: Migrations = {
  "001_identity": {
    async up(db) {
      await db.schema
        .createTable("sim_users")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("name", "text", (c) => c.notNull().unique())
        .addColumn("openid", "text", (c) => c.notNull().unique())
        .addColumn("unionid", "text", (c) => c.notNull())
        .addColumn("session_key", "text", (c) => c.notNull())
        .addColumn("session_key_at", "integer", (c) => c.notNull())
        .addColumn("nick_name", "text", (c) => c.notNull())
        .addColumn("avatar_url", "text", (c) => c.notNull())
        .addColumn("phone_number", "text", (c) => c.notNull())
        .addColumn("country_code", "text", (c) => c.notNull())
        .addColumn("userinfo_consent", "text")
        .addColumn("phone_consent", "text")
        .addColumn("follows_account", "integer", (c) => c.notNull().defaultTo(0))
        .addColumn("blocked", "integer", (c) => c.notNull().defaultTo(0))
        .addColumn("uses_other_app", "integer", (c) => c.notNull().defaultTo(0))
        .addColumn("unionid_mode", "text", (c) => c.notNull().defaultTo("seed"))
        .addColumn("location_consent", "text")
        .addColumn("latitude", "real", (c) => c.notNull().defaultTo(firstPosition.latitude))
        .addColumn("longitude", "real", (c) => c.notNull().defaultTo(firstPosition.longitude))
        .execute();
      await db.schema
        .createTable("sim_codes")
        .addColumn("code", "text", (c) => c.primaryKey())
        .addColumn("kind", "text", (c) => c.notNull())
        .addColumn("user_id", "integer", (c) => c.notNull().references("sim_users.id"))
        .addColumn("created_at", "integer", (c) => c.notNull())
        .addColumn("used", "integer", (c) => c.notNull().defaultTo(0))
        .addColumn("app_id", "text", (c) => c.notNull().defaultTo(testApp.app_id))
        .execute();
      await db.schema
        .createTable("sim_credentials")
        .addColumn("token", "text", (c) => c.primaryKey())
        .addColumn("kind", "text", (c) => c.notNull())
        .addColumn("expires_at", "integer", (c) => c.notNull())
        .execute();
      await db.schema
        .createTable("sim_settings")
        .addColumn("name", "text", (c) => c.primaryKey())
        .addColumn("value", "text", (c) => c.notNull())
        .execute();
    },
  },
};
