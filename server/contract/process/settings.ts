/**
 * Every setting of Hearth, once: name, type, default and meaning. The same entry is a member of `hearth.config.json`, an
 * environment variable (`HEARTH_` and the name in upper case) and a flag (`--`, lower case, `-` for `_`).
 */
import { z } from "zod";
import { deploymentSettings } from "./deployment-settings.ts";
import { modelSettings } from "./model-settings.ts";
import { portSettings } from "./port-settings.ts";
import { storageSettings } from "./storage-settings.ts";
import { platformPaymentSettings } from "./platform-payment-settings.ts";
import { uploadSettings } from "./upload-settings.ts";
import {
  baseUrl,
  corsOrigin,
  flag,
  hostName,
  hostNames,
  listSetting,
  number,
  port,
  updateUrl,
} from "./setting-values.ts";

export const settingsSchema = z.strictObject({
  headless: flag.default(false).describe("Run without a window, even on a machine with a display."),
  data_dir: z
    .string()
    .min(1)
    .describe(
      "Folder for the database, uploads and models. Default: the system's place for application data. A project's config file may name a folder only if it is empty or Hearth has used it before.",
    ),
  ...portSettings,
  host: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe(
      "Address to listen on, in addition to loopback. 0.0.0.0 opens Hearth to the local network, where console and control routes require the console's token.",
    ),
  allowed_hosts: listSetting
    .pipe(z.array(z.union([z.literal("*"), hostName])))
    .default([])
    .describe(
      "Host names that requests may use, in addition to this machine's name, localhost and addresses. .example.com matches example.com and its subdomains, * every name.",
    ),
  allowed_targets: listSetting
    .pipe(
      z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6(), hostName], "an address, CIDR or name is required")),
    )
    .default([])
    .describe(
      "Names, addresses and networks (CIDR) that Hearth may call for other machines, in addition to public ones. Targets are notification receivers and model registries. List this machine's own addresses one by one.",
    ),
  open: flag
    .optional()
    .describe(
      "Open the console at start, in the window or with --headless in the browser. --no-open opens nothing. Default: the window, if there is a display.",
    ),
  update_url: updateUrl.describe("Web folder with newer versions for the window to offer. Default: no update check."),
  update_backup: flag
    .default(true)
    .describe("Back up all data before a newer Hearth updates them. If off, only the databases are copied."),
  ready_file: z
    .string()
    .min(1)
    .optional()
    .describe(
      "File to write when every service responds: JSON with app, provider, model, console and pid, written atomically.",
    ),
  ...modelSettings,
  log_level: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("Lowest level of log lines to print."),
  json: flag.default(false).describe("Print log lines as JSON."),

  record_requests: flag
    .default(true)
    .describe(
      "Record requests to the application server, the platform simulator and the model service, to inspect, assert and replay them.",
    ),
  record_limit: number
    .pipe(z.number().int().min(1))
    .default(100_000)
    .describe("Maximum number of recorded requests, within 1 GB. The oldest are deleted first."),

  ...deploymentSettings,

  require_userinfo: flag
    .default(true)
    .describe(
      "Require the user info step at business endpoints (401 getUserInfo) until user info or the unionid is known.",
    ),
  phone_is_identity: flag
    .default(true)
    .describe("Identify users by phone number (401 getPhoneNumber until it is known)."),
  one_user_per_phone: flag
    .default(false)
    .describe("Give a new openid the uid of the user who already has its phone number. Requires phone_is_identity."),
  identity_base_url: baseUrl
    .optional()
    .describe("Base URL of the identity platform, for example the real one. Default: the simulator."),
  identity_app_id: z
    .string()
    .min(1)
    .optional()
    .describe("App id on the identity platform. Default: the simulator's test app."),
  identity_app_secret: z
    .string()
    .min(1)
    .optional()
    .describe("App secret on the identity platform. It is never shown again. Default: the simulator's test app."),
  ...platformPaymentSettings,
  basic_auth: flag
    .default(false)
    .describe(
      "Accept HTTP Basic at POST /api/sessions and GET /api/accounts/me. Discouraged: the password is sent in clear text.",
    ),
  raffle_draw_ms: number
    .pipe(z.number().int().min(0).max(60_000))
    .default(300)
    .describe("Time that a raffle draw holds its lock, in ms."),
  collections_dir: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Folder of JSON Schema files. Each file becomes a collection under /api. Default: collections in the data directory.",
    ),
  routes: z
    .string()
    .min(1)
    .optional()
    .describe(
      "TypeScript file with the code of your own routes. Default: hearth.routes.ts in the working directory, once a start there has named it.",
    ),
  routes_file: z
    .string()
    .min(1)
    .optional()
    .describe(
      "JSON file with fixed answers for paths outside collections. Default: routes.json in the data directory.",
    ),
  stand_in: flag
    .default(false)
    .describe(
      "Stand in for the real platform's hosts: commands that use the environment from hearth ca --env reach the simulator instead.",
    ),
  stand_in_port: port.default(3082).describe("Port of the stand-in's proxy and hosts. 0: any free port."),
  stand_in_passes: hostNames.describe(
    "Hosts that commands still reach while Hearth stands in for the real platform. .example.com matches example.com and its subdomains. Local hosts always pass.",
  ),
  https: flag
    .default(false)
    .describe(
      "Serve devices on the local network by HTTPS, too, on the same ports. This installation's authority issues the certificate (hearth ca).",
    ),
  maintenance: flag.default(false).describe("Return 503 with Retry-After to every request under /api."),
  ...storageSettings,
  session_ttl_seconds: number
    .pipe(
      z
        .number()
        .int()
        .min(1)
        .max(100 * 366 * 24 * 3600),
    )
    .default(7200)
    .describe("Lifetime of a session token in seconds."),
  MaxSizeOfSigleFile_MB: number
    .pipe(z.number().positive())
    .default(100)
    .describe("Maximum size of an upload, in MB (1,048,576 bytes)."),
  ...uploadSettings,
  cors_origins: listSetting
    .pipe(z.array(corsOrigin))
    .default(["loopback"])
    .describe(
      'Origins that browsers may call from: "loopback" (any port of this machine), "*", or a list such as https://shop.example,app://shop. The model service supports one * per origin. Empty: no CORS.',
    ),
  query_normalization: z
    .enum(["302", "307", "301", "off"])
    .default("302")
    .describe("Redirect for a query that starts with '&': 302 or 307 for tests, 301 when final, off returns 400."),
  enum_as_text: flag
    .default(true)
    .describe(
      "Show enum parameters in the API description as texts. With --no-enum-as-text, index numbers are shown and accepted, too.",
    ),
  strict_requests: flag.default(false).describe("Refuse requests with unknown names (400)."),
  json_indent: number
    .pipe(z.number().int().min(0).max(8))
    .default(0)
    .describe("Indentation of JSON replies, in spaces. ?pretty sets 2."),
  json_relaxed: flag.default(false).describe("Write non-ASCII characters in JSON unescaped."),
});

/** All settings, resolved: the same for every process of a run. */
export type Settings = z.output<typeof settingsSchema>;
export type SettingName = keyof Settings;

/** Settings whose values are never shown, even when they are invalid. */
const secrets = [
  ...(["identity_app_secret", "registry_auth", "upstream_keys"] as const),
  ...(["payment_api_v2_key", "payment_api_v3_key", "uploads_secret_key", "database_url"] as const),
] as const;
export const secretSettings: ReadonlySet<SettingName> = new Set(secrets);
