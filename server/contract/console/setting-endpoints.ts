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
    choices: z.array(z.string()).optional().describe("Of a choice: its values."),
    secret: z.boolean().describe("It can be set, and is never shown."),
    editable: z.boolean().describe("False for what says where the configuration file lies."),
    can_be_empty: z.boolean().describe("Whether an empty text is a separate value; otherwise it means no value."),
    default: valueSchema.optional(),
    value: valueSchema
      .optional()
      .describe(
        "Value in this run; absent for secrets and unset settings. Of a database, the address without its password.",
      ),
    is_set: z.boolean().describe("Whether anything but the default says it."),
    source: z
      .enum(["default", "project", "file", "environment", "flag"])
      .describe(
        "Where the value of this run comes from: `file` is the data directory's configuration file, `project` that of the working directory.",
      ),
    flag: z.string().describe("By which flag it is given."),
    variable: z.string().describe("By which environment variable it is given."),
    pending: z.boolean().describe("The data directory's file says something else, which has not taken effect yet."),
    next_value: valueSchema
      .optional()
      .describe("Of a pending one, what counts from then on; absent where `value` would be."),
    takes_effect: z
      .enum(["at_once", "after_restart", "at_next_start"])
      .describe(
        "When a change does: when it is written, when the services that use it are restarted, or at the next start of Hearth.",
      ),
  })
  .meta({ title: "Setting" });
export type SettingView = z.infer<typeof settingSchema>;

const settingsPageSchema = z.object({
  file: z.string().describe("The configuration file of the data directory, which changes are written to."),
  settings: z.array(settingSchema),
});
export type SettingsPage = z.infer<typeof settingsPageSchema>;

const base = { tag: "settings", path: "/console/api/settings", access: "console", status: 200 } as const;

/** Lists every setting: meaning, default, the value of this run, and where it comes from. Secrets have no value here. */
export const listSettings = endpoint({ ...base, id: "listSettings", method: "GET", data: settingsPageSchema });

/**
 * Writes settings into the configuration file; null takes one out of it. All of them are checked as at a start, and none is
 * written when one is wrong. `takes_effect` says from when on each counts. A flag or a variable wins over the file.
 */
export const updateSettings = endpoint({
  ...base,
  id: "updateSettings",
  method: "PATCH",
  body: z.object({
    values: dictionary(z.string(), valueSchema.nullable())
      .describe("By name.")
      .meta({ examples: [{ session_ttl_seconds: 60, cors_origins: null }] }),
  }),
  data: settingsPageSchema,
});

/**
 * Restarts the services that use settings which are pending, with these, and answers which. The restarts begin when the answer
 * has been sent; that of `app` cuts this very connection. Relative paths, and what belongs to the program itself, count
 * from the next start of Hearth on.
 */
export const restartForSettings = endpoint({
  ...base,
  id: "restartForSettings",
  method: "POST",
  path: "/console/api/settings/restarts",
  data: z.object({ services: z.array(serviceNameSchema) }),
});
