/** The saved state of people and settings: everything except codes and tokens, which live for minutes. */
import { z } from "zod";
import { simSettingsSchema, simUserName, simUserSchema } from "../../contract/provider/provider.ts";
import { moveTimes } from "../../store/move-times.ts";
import type { StatePart } from "../../store/state-part.ts";

const { nick_name, avatar_url, phone_number, country_code, latitude, longitude, unionid_mode } = simUserSchema.shape;
const consent = z.enum(["allowed", "denied"]).nullable().default(null);
const bit = z.union([z.literal(0), z.literal(1)]).default(0);

const userRow = z.strictObject({
  id: z.number().int().positive(),
  name: simUserName,
  openid: z.string().min(1).max(128),
  unionid: z.string().min(1).max(128),
  session_key: z.base64().length(24, "must be 16 bytes in base64"),
  session_key_at: z.number().int(),
  nick_name,
  avatar_url,
  phone_number,
  country_code,
  userinfo_consent: consent,
  phone_consent: consent,
  location_consent: consent,
  latitude,
  longitude,
  follows_account: bit,
  uses_other_app: bit,
  unionid_mode,
  blocked: bit,
});

/** An unknown setting of another version is ignored, as at every start; the rest is accepted. */
const settingRow = z.strictObject({ name: z.string().max(64), value: z.string() }).refine(
  ({ name, value }) => {
    const schema = simSettingsSchema.shape[name as keyof typeof simSettingsSchema.shape] as z.ZodType | undefined;
    try {
      return schema?.safeParse(JSON.parse(value)).success ?? true;
    } catch {
      return false;
    }
  },
  { path: ["value"], message: "is no value of this setting" },
);

export const identityState = (reload: () => Promise<unknown>): StatePart => ({
  name: "identity",
  tables: { sim_users: userRow, sim_settings: settingRow },
  shortLived: ["sim_codes"],
  /** A session key keeps the remaining lifetime that it had when it was saved. */
  aged: (table, row, ms) => (table === "sim_users" ? moveTimes(row, ["session_key_at"], ms) : row),
  reload,
});
