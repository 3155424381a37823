/**
 * Every setting of Hearth, once: name, type, default and meaning. The same entry is a member of `hearth.config.json`, an
 * environment variable (`HEARTH_` and the name in upper case) and a flag (`--`, lower case, `-` for `_`).
 */
import { z } from "zod";
import { deploymentSettings } from "./deployment-settings.ts";
import { modelSettings } from "./model-settings.ts";
import { portSettings } from "./port-settings.ts";
import { storageSettings } from "./storage-settings.ts";
import { payVersion, signType } from "../provider/payment-terms.ts";
import { uploadSettings } from "./upload-settings.ts";
import {
  apiKey,
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
  headless: flag.default(false).describe("Run without a window, even where there is a display."),
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
      "Address to listen on, beside loopback. 0.0.0.0 opens Hearth to the local network; from there console and control routes ask for the console's token.",
    ),
  allowed_hosts: listSetting
    .pipe(z.array(z.union([z.literal("*"), hostName])))
    .default([])
    .describe(
      "Names by which this machine may be asked beside its own, localhost and addresses; .example.com stands for example.com and all below it, * for every name.",
    ),
  allowed_targets: listSetting
    .pipe(
      z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6(), hostName], "an address, CIDR or name is needed")),
    )
    .default([])
    .describe(
      "Names, addresses and networks (CIDR) beside public ones that Hearth asks for whoever is on another machine: receivers of notifications, registries to pull from. This machine's own count where they are named one by one.",
    ),
  open: flag
    .optional()
    .describe(
      "Open the console in the window, or with --headless in the browser; --no-open opens nothing. Default: the window, where there is a display.",
    ),
  update_url: updateUrl.describe("Web folder of newer versions, which the window offers. Default: none is looked for."),
  update_backup: flag
    .default(true)
    .describe("Back all data up before a newer Hearth changes them; else the databases alone are copied."),
  ready_file: z
    .string()
    .min(1)
    .optional()
    .describe(
      "File to write, atomically, when every service answers: JSON with app, provider, model, console and pid.",
    ),
  ...modelSettings,
  log_level: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("The least important log line to print."),
  json: flag.default(false).describe("Print log lines as JSON."),

  record_requests: flag
    .default(true)
    .describe(
      "Record the requests to the application server, the provider simulator and the model service, to look at in the console, to assert on and to replay.",
    ),
  record_limit: number
    .pipe(z.number().int().min(1))
    .default(100_000)
    .describe("The most requests that are kept, and at most 1 GB of them; the oldest go."),

  ...deploymentSettings,

  require_userinfo: flag
    .default(true)
    .describe(
      "Business endpoints ask for the user info step (401 getUserInfo) while neither user info nor the unionid is known.",
    ),
  phone_is_identity: flag
    .default(true)
    .describe("The phone number identifies the user (401 getPhoneNumber until it is known)."),
  one_user_per_phone: flag
    .default(false)
    .describe(
      "A login by a new openid whose phone number belongs to a user already becomes that user (same uid). Needs phone_is_identity.",
    ),
  identity_base_url: baseUrl
    .optional()
    .describe("Base URL of the identity provider, for example the real one. Default: the simulator."),
  identity_app_id: z.string().min(1).optional().describe("App id at that provider. Default: the simulator's test app."),
  identity_app_secret: z
    .string()
    .min(1)
    .optional()
    .describe("App secret at that provider; it is never shown again. Default: the simulator's test app."),
  payment_version: payVersion
    .default("v2")
    .describe("Version of the payment provider's API to call: v2 is XML and a shared key, v3 is JSON and RSA."),
  payment_base_url: baseUrl
    .optional()
    .describe(
      "Base URL of the payment provider, for example the real one. Default: the simulator, with its built-in merchant if no other payment key or number is set.",
    ),
  payment_mch_id: z
    .string()
    .regex(/^\d{1,32}$/, "digits are needed")
    .optional()
    .describe("Merchant number at the payment provider."),
  payment_app_id: z.string().min(1).max(32).optional().describe("App id that the merchant number is bound to."),
  payment_api_v2_key: apiKey.optional().describe("The merchant's API v2 key; it is never shown again. v2 needs it."),
  payment_api_v3_key: apiKey.optional().describe("The merchant's API v3 key; it is never shown again. v3 needs it."),
  payment_merchant_key_file: z
    .string()
    .min(1)
    .optional()
    .describe("PEM file of the merchant's private key, by which calls of v3 are signed. v3 needs it."),
  payment_merchant_serial: z
    .string()
    .regex(/^[0-9A-Fa-f]{1,64}$/, "hexadecimal digits are needed")
    .optional()
    .describe("Serial number of the merchant's certificate. v3 needs it."),
  payment_platform_key_file: z
    .string()
    .min(1)
    .optional()
    .describe(
      "PEM file of the platform's certificate or, with payment_platform_key_id, public key, by which replies of v3 are verified. Default: the certificates that the provider hands out.",
    ),
  payment_platform_key_id: z
    .string()
    .regex(/^PUB_KEY_ID_\w{1,64}$/, "it begins with PUB_KEY_ID_")
    .optional()
    .describe("Id of the platform's public key, for merchants who verify by one instead of by certificates."),
  payment_sign_type: signType
    .default("MD5")
    .describe("Signature of v2 calls, and the only one that is accepted in their replies and notifications."),
  payment_notify_url: baseUrl
    .pipe(
      z
        .string()
        .max(200)
        .regex(/^[^?#]*$/, "it has no query"),
    )
    .optional()
    .describe(
      "Base URL by which the payment provider reaches this server; /api/payments/… is added. Default: this server's own address.",
    ),
  payment_timeout_ms: number
    .pipe(z.number().int().min(100).max(60_000))
    .default(10_000)
    .describe("How long a call to the payment provider may take, in ms."),
  basic_auth: flag
    .default(false)
    .describe(
      "Accept HTTP Basic at POST /api/sessions and GET /api/accounts/me. Discouraged: the password travels in clear.",
    ),
  raffle_draw_ms: number
    .pipe(z.number().int().min(0).max(60_000))
    .default(300)
    .describe("How long a raffle draw holds its lock, in ms."),
  collections_dir: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Folder of JSON Schema files, each of which becomes a collection under /api. Default: collections in the data directory.",
    ),
  routes_file: z
    .string()
    .min(1)
    .optional()
    .describe(
      "JSON file of fixed answers for paths that are no collection. Default: routes.json in the data directory.",
    ),
  stand_in: flag
    .default(false)
    .describe(
      "Stand in for the real platform's hosts: commands with the environment that hearth ca --env prints reach the simulator at them.",
    ),
  stand_in_port: port.default(3082).describe("Port of the stand-in's proxy and hosts; 0 takes any free one."),
  stand_in_passes: hostNames.describe(
    "Names that commands reach where Hearth stands in for the real platform's hosts; .example.com stands for example.com and all below it. Local ones always pass.",
  ),
  https: flag
    .default(false)
    .describe(
      "Answer devices of the local network by HTTPS, too, at the same ports, with a certificate of this installation's authority (hearth ca).",
    ),
  maintenance: flag.default(false).describe("Answer 503 with Retry-After to every request under /api."),
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
    .describe("Largest uploaded file, in MB of 1,048,576 bytes."),
  ...uploadSettings,
  cors_origins: listSetting
    .pipe(z.array(corsOrigin))
    .default(["loopback"])
    .describe(
      'Origins that browsers may call from: "loopback" (any port of this machine), "*", or a list such as https://shop.example,app://shop (the model service takes one * in each); empty switches CORS off.',
    ),
  query_normalization: z
    .enum(["302", "307", "301", "off"])
    .default("302")
    .describe("Redirect for a query that starts with '&': 302 or 307 while testing, 301 when final, off answers 400."),
  enum_as_text: flag
    .default(true)
    .describe(
      "The API description shows enum parameters by their texts; --no-enum-as-text by index numbers, which are then accepted, too.",
    ),
  strict_requests: flag.default(false).describe("Refuse (400) names in a request that its operation does not know."),
  json_indent: number
    .pipe(z.number().int().min(0).max(8))
    .default(0)
    .describe("Spaces of indentation in JSON replies; ?pretty asks for 2."),
  json_relaxed: flag.default(false).describe("Write non-ASCII characters in JSON as they are instead of as escapes."),
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
