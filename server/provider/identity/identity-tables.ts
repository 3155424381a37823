import type { Selectable } from "kysely";
import { z } from "zod";
import { simUserName, simUserSchema } from "../../contract/provider/provider.ts";
import type { Migrations } from "../../store/database.ts";
import { column, createTable, type TableOf } from "../../store/define-table.ts";
import { testApp } from "./test-app.ts";

const { nick_name, avatar_url, phone_number, country_code, latitude, longitude, unionid_mode } = simUserSchema.shape;
const bit: z.ZodType<number> = z.union([z.literal(0), z.literal(1)]).default(0);
const answer = z.enum(["allowed", "denied"]);
/** A person's answer to a prompt; null while never asked. */
const consent = { ...column.optional(column.text(answer)), schema: answer.nullable().default(null) };

export const simUsers = {
  id: column.id,
  name: column.text(simUserName, (c) => c.unique()),
  openid: column.text(z.string().min(1).max(128), (c) => c.unique()),
  unionid: column.text(z.string().min(1).max(128)),
  session_key: column.text(z.base64().length(24, "must be 16 bytes in base64")),
  /** Unix ms of the last activity, from which the key's lifetime counts. */
  session_key_at: column.integer(),
  nick_name: column.text(nick_name),
  avatar_url: column.text(avatar_url),
  phone_number: column.text(phone_number),
  country_code: column.text(country_code),
  userinfo_consent: consent,
  phone_consent: consent,
  /** 1 if the person follows an official account of the app's owner, which reveals the union id without consent. */
  follows_account: column.integer(bit, (c) => c.defaultTo(0)),
  /** 1 for a person whom the provider flags as high-risk. */
  blocked: column.integer(bit, (c) => c.defaultTo(0)),
  /** 1 if the person has logged in to another app of the same open platform, with the same effect. */
  uses_other_app: column.integer(bit, (c) => c.defaultTo(0)),
  unionid_mode: column.text(unionid_mode, (c) => c.defaultTo("seed")),
  location_consent: consent,
  /** Degrees. */
  latitude: column.real(latitude, (c) => c.defaultTo(firstPosition.latitude)),
  longitude: column.real(longitude, (c) => c.defaultTo(firstPosition.longitude)),
};
export type SimUsersTable = TableOf<typeof simUsers>;

export type SimUser = Selectable<SimUsersTable>;
export type Consent = SimUser["userinfo_consent"];

const simCodes = {
  code: column.key(),
  kind: column.text(z.enum(["login", "phone"])),
  user_id: column.integer(z.int(), (c) => c.references("sim_users.id")),
  created_at: column.integer(),
  /** 1 once it was exchanged. */
  used: column.integer(z.int(), (c) => c.defaultTo(0)),
  /** The app that it was issued for. */
  app_id: column.text(z.string(), (c) => c.defaultTo(testApp.app_id)),
};

const simCredentials = {
  token: column.key(),
  /** superseded: a newer token was issued; this one stays valid for a while. */
  kind: column.text(z.enum(["token", "stable", "superseded"])),
  expires_at: column.integer(),
};

/** Settings that differ from the defaults, by name. */
export const simSettings = {
  name: column.key(z.string().max(64)),
  /** JSON. */
  value: column.text(),
};

export interface IdentityTables {
  sim_users: SimUsersTable;
  sim_codes: TableOf<typeof simCodes>;
  sim_credentials: TableOf<typeof simCredentials>;
  sim_settings: TableOf<typeof simSettings>;
}

/** Everybody's position until it is set (our choice). */
export const firstPosition = { latitude: 39.908722, longitude: 116.397499 };

export const identityMigrations: Migrations = {
  "001_identity": {
    async up(db) {
      await createTable(db, "sim_users", simUsers).execute();
      await createTable(db, "sim_codes", simCodes).execute();
      await createTable(db, "sim_credentials", simCredentials).execute();
      await createTable(db, "sim_settings", simSettings).execute();
    },
  },
};
