import type { Kysely } from "kysely";
import { parseJson } from "../../contract/parse-json.ts";
import { changeAndNotify } from "../../store/change-and-notify.ts";
import { simSettingsChangeSchema, type SimSettings } from "../../contract/provider/provider.ts";
import type { Instances } from "../../store/database.ts";
import type { IdentityTables } from "./identity-tables.ts";

/** The platform's behaviour until it is changed. */
export const defaultSimSettings: SimSettings = {
  session_key_ttl_seconds: 3 * 24 * 3600,
  login_rotates_key: "whenExpired",
  errmsg_rid: true,
  content_type_text_plain: false,
  country_code_number: false,
  timeScale: 1,
  refund_seconds: 1,
  slow_seconds: 8,
  notification_timeout_ms: 5_000,
  closeMinAgeSeconds: 0,
  autoCloseAfterExpire: false,
  commonErrorsAsErrCode: false,
  strict_openid: false,
  refund_interval_seconds: 0,
  reverse_min_age_seconds: 0,
  password_above_fen: 100_000,
  free_payments_a_day: 10,
  requireClientCert: false,
  notification_sign_type: true,
  password_seconds: 45,
  bills_at_once: false,
};

export type SimSettingsStore = Awaited<ReturnType<typeof openSimSettings>>;

/**
 * The simulated platform's behaviour; it persists across restarts.
 * @param instances those that share the database
 */
export async function openSimSettings(
  db: Kysely<IdentityTables>,
  instances: Pick<Instances, "notify" | "subscribe"> | undefined,
  onError: (error: unknown) => void,
) {
  let current = await read();

  async function read(): Promise<SimSettings> {
    const rows = await db.selectFrom("sim_settings").selectAll().execute();
    // A setting that another version stored and this one does not know counts as unset.
    const known = rows.flatMap(({ name, value }) => {
      const stored = parseJson(value);
      const setting = simSettingsChangeSchema.safeParse({ [name]: stored });
      return stored !== undefined && setting.success ? [setting.data] : [];
    });
    return Object.assign({ ...defaultSimSettings }, ...known) as SimSettings;
  }
  const reload = async () => (current = await read());
  const listeners: ((before: SimSettings) => Promise<void>)[] = [];

  async function follow(before: SimSettings): Promise<void> {
    await reload();
    for (const listen of listeners) await listen(before);
  }
  const topic = "settings";
  instances?.subscribe(topic, () => void follow(current).catch(onError));

  return {
    current: (): SimSettings => current,
    /** Reads the settings again after other code has written their table. */
    reload,
    /** Calls `listen` on each change; the change completes when `listen` does. */
    subscribe: (listen: (before: SimSettings) => Promise<void>) => void listeners.push(listen),
    async change(change: Partial<SimSettings>): Promise<SimSettings> {
      const before = current;
      await changeAndNotify(db, instances, topic, async (trx) => {
        for (const [name, value] of Object.entries(change)) {
          const row = { name, value: JSON.stringify(value) };
          await trx
            .insertInto("sim_settings")
            .values(row)
            .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: row.value }))
            .execute();
        }
      });
      await follow(before);
      return current;
    },
  };
}
