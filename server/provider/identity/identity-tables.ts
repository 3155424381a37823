import type { Generated, Selectable } from "kysely";
import type { UnionIdMode } from "../../contract/provider/provider.ts";
import type { Migrations } from "../../store/database.ts";
import { column, createTable, type TableOf } from "../../store/define-table.ts";
import { testApp } from "./test-app.ts";

/** A person's answer to a prompt; null while never asked. */
export type Consent = "allowed" | "denied" | null;

const userColumns = {
  id: column.id,
  name: column.text((c) => c.unique()),
  openid: column.text((c) => c.unique()),
  unionid: column.text(),
  session_key: column.text(),
  /** Unix ms of the last activity, from which the key's lifetime counts. */
  session_key_at: column.integer(),
  nick_name: column.text(),
  avatar_url: column.text(),
  phone_number: column.text(),
  country_code: column.text(),
  userinfo_consent: column.optionalText<"allowed" | "denied">(),
  phone_consent: column.optionalText<"allowed" | "denied">(),
  /** 1 if the person follows an official account of the app's owner, which reveals the union id without consent. */
  follows_account: column.integer((c) => c.defaultTo(0)),
  /** 1 for a person whom the provider flags as high-risk. */
  blocked: column.integer((c) => c.defaultTo(0)),
  /** 1 if the person has logged in to another app of the same open platform, with the same effect. */
  uses_other_app: column.integer<Generated<number>>((c) => c.defaultTo(0)),
  unionid_mode: column.text<Generated<UnionIdMode>>((c) => c.defaultTo("seed")),
  location_consent: column.optionalText<"allowed" | "denied">(),
  /** Degrees. */
  latitude: column.real<Generated<number>>((c) => c.defaultTo(firstPosition.latitude)),
  longitude: column.real<Generated<number>>((c) => c.defaultTo(firstPosition.longitude)),
};
export type SimUsersTable = TableOf<typeof userColumns>;

export type SimUser = Selectable<SimUsersTable>;

const codeColumns = {
  code: column.key,
  kind: column.text<"login" | "phone">(),
  user_id: column.integer((c) => c.references("sim_users.id")),
  created_at: column.integer(),
  /** 1 once it was exchanged. */
  used: column.integer((c) => c.defaultTo(0)),
  /** The app that it was issued for. */
  app_id: column.text<Generated<string>>((c) => c.defaultTo(testApp.app_id)),
};

const credentialColumns = {
  token: column.key,
  /** superseded: a newer token was issued; this one stays valid for a while. */
  kind: column.text<"token" | "stable" | "superseded">(),
  expires_at: column.integer(),
};

/** Settings that differ from the defaults, by name. */
const settingColumns = {
  name: column.key,
  /** JSON. */
  value: column.text(),
};

export interface IdentityTables {
  sim_users: SimUsersTable;
  sim_codes: TableOf<typeof codeColumns>;
  sim_credentials: TableOf<typeof credentialColumns>;
  sim_settings: TableOf<typeof settingColumns>;
}

/** Everybody's position until it is set (our choice). */
export const firstPosition = { latitude: 39.908722, longitude: 116.397499 };

export const identityMigrations: Migrations = {
  "001_identity": {
    async up(db) {
      await createTable(db, "sim_users", userColumns).execute();
      await createTable(db, "sim_codes", codeColumns).execute();
      await createTable(db, "sim_credentials", credentialColumns).execute();
      await createTable(db, "sim_settings", settingColumns).execute();
    },
  },
};
