/** The console's operations on settings. The whole of /console/api needs the run's console token, or its cookie. */
import { z } from "zod";
import { dictionary, list } from "../bounded-lists.ts";
import { endpoint } from "../endpoint.ts";
import { serviceNameSchema } from "../process/services.ts";

const valueSchema = z.union([z.string(), z.number(), z.boolean(), list(z.string())]);

const settingSchema = z
  .object({
    name: z.string().meta({ examples: ["app_port"] }),
    description: z.string(),
    type: z.enum(["switch", "number", "text", "choice", "list"]),
    choices: z.array(z.string()).optional().describe("Values of a choice."),
    secret: z.boolean().describe("Whether the value is secret: it can be set but is never shown."),
    editable: z.boolean().describe("False for settings that locate the configuration file."),
    can_be_empty: z.boolean().describe("Whether an empty text is a separate value; otherwise it means no value."),
    default: valueSchema.optional(),
    value: valueSchema
      .optional()
      .describe("Value in this run. Absent for secrets and unset settings. A database's address has no password here."),
    is_set: z.boolean().describe("Whether a flag, a variable or a file sets the value."),
    source: z
      .enum(["default", "project", "file", "environment", "flag"])
      .describe(
        "Source of this run's value. `file`: the data directory's configuration file. `project`: that of the working directory.",
      ),
    flag: z.string().describe("Flag of the setting."),
    variable: z.string().describe("Environment variable of the setting."),
    pending: z.boolean().describe("Whether the data directory's file has another value that has not taken effect yet."),
    next_value: valueSchema
      .optional()
      .describe("Value that a pending setting will have. Absent in the same cases as `value`."),
    takes_effect: z
      .enum(["at_once", "after_restart", "at_next_start"])
      .describe("When a change takes effect: at once, when its services restart, or at the next start of Hearth."),
  })
  .meta({ title: "Setting" });
export type SettingView = z.infer<typeof settingSchema>;

const settingsPageSchema = z.object({
  file: z.string().describe("Configuration file of the data directory. Changes are written to it."),
  settings: z.array(settingSchema),
});
export type SettingsPage = z.infer<typeof settingsPageSchema>;

const base = { tag: "settings", path: "/console/api/settings", access: "console", status: 200 } as const;

/** Lists all settings with meaning, default, current value and its source. Secret values are not included. */
export const listSettings = endpoint({ ...base, id: "listSettings", method: "GET", data: settingsPageSchema });

/**
 * Writes settings to the configuration file. null removes a setting. All settings are checked as at a start; if one is
 * wrong, none is written. `takes_effect` says when each takes effect. Flags and environment variables override the
 * file.
 */
export const updateSettings = endpoint({
  ...base,
  id: "updateSettings",
  method: "PATCH",
  body: z.object({
    values: dictionary(z.string(), valueSchema.nullable())
      .describe("Settings by name.")
      .meta({ examples: [{ session_ttl_seconds: 60, cors_origins: null }] }),
  }),
  data: settingsPageSchema,
});

/**
 * Restarts the services that have pending settings, and returns their names. The restarts begin after the answer is
 * sent; restarting `app` closes this connection. Relative paths and settings of the program itself take effect at
 * Hearth's next start.
 */
export const restartForSettings = endpoint({
  ...base,
  id: "restartForSettings",
  method: "POST",
  path: "/console/api/settings/restarts",
  data: z.object({ services: z.array(serviceNameSchema) }),
});
