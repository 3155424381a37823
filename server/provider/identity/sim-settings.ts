import type { Kysely } from "kysely";
import { simSettingsChangeSchema, type SimSettings } from "../../contract/provider.ts";
import type { IdentityTables } from "./identity-tables.ts";

const defaults: SimSettings = {
  session_key_ttl_seconds: 3 * 24 * 3600,
  login_rotates_key: "whenExpired",
  errmsg_rid: true,
  content_type_text_plain: false,
  country_code_number: false,
};

/** How the simulated platform behaves, kept over restarts. */
export interface SimSettingsStore {
  get(): Promise<SimSettings>;
  change(change: Partial<SimSettings>): Promise<SimSettings>;
  /** Back to the defaults. */
  clear(): Promise<void>;
}

export function createSimSettings(db: Kysely<IdentityTables>): SimSettingsStore {
  async function get(): Promise<SimSettings> {
    const rows = await db.selectFrom("sim_settings").selectAll().execute();
    const stored = Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value) as unknown]));
    // A value that an older or newer version stored and this one does not know counts as unset.
    const known = simSettingsChangeSchema.safeParse(stored);
    return { ...defaults, ...(known.success && known.data) } as SimSettings;
  }
  return {
    get,
    async change(change) {
      for (const [name, value] of Object.entries(change)) {
        const row = { name, value: JSON.stringify(value) };
        await db
          .insertInto("sim_settings")
          .values(row)
          .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: row.value }))
          .execute();
      }
      return get();
    },
    async clear() {
      await db.deleteFrom("sim_settings").execute();
    },
  };
}
