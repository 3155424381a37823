/**
 * For each setting: who may set it, and what it does to trust. The rules for a project's file, for a restored backup and for the
 * console are made from this table. A setting without a line here does not compile.
 */
import type { SettingName } from "./settings.ts";

/** `flag`: by a flag or a variable. `user file`: in the data directory's file, which the console writes. */
type Setter = "flag" | "user file" | "project file";

/**
 * `opens`: lets others in. `sends`: says where requests, data or secrets go, or sends them along. `reads`: names a file or a
 * folder. `runs`: says where programs come from.
 */
type Effect = "opens" | "sends" | "reads" | "runs" | "none";

interface SettingTrust {
  readonly by: readonly Setter[];
  readonly does: Effect;
  /** The settings whose address gets this secret, or gets what it signs. */
  readonly sentTo?: readonly SettingName[];
  /** It keeps others out: a backup does not change it. */
  readonly guards?: true;
  /** The console of another machine may not change it. */
  readonly here?: true;
}

const user = ["flag", "user file"] as const;
const anyone = [...user, "project file"] as const;
const harmless = { by: anyone, does: "none" } as const;
const reads = { by: anyone, does: "reads" } as const;
const sends = { by: anyone, does: "sends" } as const;

const trust = {
  headless: harmless,
  data_dir: { by: ["flag", "project file"], does: "reads" },
  app_port: harmless,
  // A page of a project that is still open at its port would be the console's.
  console_port: { by: user, does: "none" },
  provider_port: harmless,
  model_port: harmless,
  host: { by: user, does: "opens" },
  allowed_hosts: { by: user, does: "opens" },
  allowed_targets: { by: user, does: "sends", here: true },
  open: harmless,
  update_url: { by: user, does: "runs", here: true },
  update_backup: { by: user, does: "none" },
  ready_file: { by: user, does: "sends" },
  model: reads,
  models_dir: reads,
  models_dir_writable: { by: user, does: "opens" },
  registry_auth: { by: user, does: "sends" },
  registry_mirror: { by: user, does: "sends", here: true },
  upstreams: { by: user, does: "sends", here: true },
  upstream_keys: { by: user, does: "sends" },
  gpu_engine_registry: { by: user, does: "runs" },
  undeclared_members: harmless,
  prompt_cache_mb: harmless,
  log_level: harmless,
  json: harmless,
  durability: harmless,
  database_url: { by: user, does: "sends", here: true },
  record_requests: harmless,
  record_limit: harmless,
  trusted_proxies: { by: user, does: "opens" },
  require_keys: { ...harmless, guards: true },
  metrics: harmless,
  mcp: { by: user, does: "opens" },
  otlp_endpoint: { by: user, does: "sends" },
  shutdown_delay_seconds: harmless,
  drain_seconds: harmless,
  require_userinfo: harmless,
  phone_is_identity: harmless,
  one_user_per_phone: harmless,
  identity_base_url: sends,
  identity_app_id: harmless,
  identity_app_secret: { ...harmless, sentTo: ["identity_base_url"] },
  payment_provider: harmless,
  payment_version: harmless,
  payment_base_url: sends,
  payment_mch_id: harmless,
  payment_app_id: harmless,
  payment_api_v2_key: { ...harmless, sentTo: ["payment_base_url", "payment_notify_url"] },
  payment_api_v3_key: { ...harmless, sentTo: ["payment_base_url", "payment_notify_url"] },
  payment_merchant_key_file: { ...reads, sentTo: ["payment_base_url"] },
  payment_merchant_serial: harmless,
  payment_platform_key_file: reads,
  payment_platform_key_id: harmless,
  payment_sign_type: harmless,
  payment_notify_url: sends,
  payment_timeout_ms: harmless,
  basic_auth: harmless,
  raffle_draw_ms: harmless,
  collections_dir: reads,
  routes: { by: ["flag"], does: "runs" },
  routes_file: reads,
  stand_in: harmless,
  stand_in_port: harmless,
  stand_in_passes: sends,
  https: harmless,
  maintenance: harmless,
  session_ttl_seconds: harmless,
  MaxSizeOfSigleFile_MB: harmless,
  uploads_bucket: { by: user, does: "sends" },
  uploads_endpoint: { by: user, does: "sends" },
  uploads_key_id: { by: user, does: "sends" },
  uploads_secret_key: { by: user, does: "sends" },
  uploads_link_seconds: harmless,
  cors_origins: { by: anyone, does: "opens" },
  query_normalization: harmless,
  enum_as_text: harmless,
  strict_requests: harmless,
  json_indent: harmless,
  json_relaxed: harmless,
} as const satisfies Record<SettingName, SettingTrust>;

/** The settings that only this machine's console changes. */
export type LocalSetting = {
  [Name in SettingName]: (typeof trust)[Name] extends { readonly here: true } ? Name : never;
}[SettingName];

export const settingTrust: Readonly<Record<SettingName, SettingTrust>> = trust;

/** The secrets that an address gets, by the setting of the address. */
export const secretsSentTo = (address: SettingName): SettingName[] =>
  (Object.keys(trust) as SettingName[]).filter((name) => settingTrust[name].sentTo?.includes(address));
