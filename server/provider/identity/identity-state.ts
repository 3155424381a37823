/** The saved state of people and settings: everything except codes and tokens, which live for minutes. */
import type { z } from "zod";
import { simSettingsSchema } from "../../contract/provider/provider.ts";
import { rowSchema } from "../../store/define-table.ts";
import { moveTimes } from "../../store/move-times.ts";
import type { StatePart } from "../../store/state-part.ts";
import { simSettings, simUsers } from "./identity-tables.ts";

/** An unknown setting of another version is ignored, as at every start; the rest is accepted. */
const settingRow = rowSchema(simSettings).refine(
  ({ name, value }) => {
    const schema = simSettingsSchema.shape[name as keyof typeof simSettingsSchema.shape] as z.ZodType | undefined;
    try {
      return schema?.safeParse(JSON.parse(String(value))).success ?? true;
    } catch {
      return false;
    }
  },
  { path: ["value"], message: "is not a value of this setting" },
);

export const identityState = (reload: () => Promise<unknown>): StatePart => ({
  name: "identity",
  tables: { sim_users: rowSchema(simUsers), sim_settings: settingRow },
  shortLived: ["sim_codes"],
  /** A session key keeps the remaining lifetime that it had when it was saved. */
  aged: (table, row, ms) => (table === "sim_users" ? moveTimes(row, ["session_key_at"], ms) : row),
  reload,
});
