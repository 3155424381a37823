/**
 * Restricts what `hearth.config.json` of the working directory may set. That folder may come from an untrusted source,
 * such as a fresh clone. Its file must not open this machine to others, take the user's data, or reach beyond the
 * folder.
 */
import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { relative, resolve, isAbsolute } from "node:path";
import { settingsSchema, type SettingName } from "../../contract/process/settings.ts";
import { realPath } from "../../file-system/real-file.ts";

/** `inside`: a path in the file's folder. `told`: an address, reported at the start. `elsewhere`: not in this file. */
type Rule = "any" | "inside" | "told" | "elsewhere";

/** One line for every setting, so that a new one cannot do without a decision. */
export const projectFileRules: Readonly<Record<SettingName, Rule>> = {
  headless: "any",
  data_dir: "inside",
  app_port: "any",
  provider_port: "any",
  model_port: "any",
  host: "elsewhere",
  allowed_hosts: "elsewhere",
  allowed_targets: "elsewhere",
  open: "any",
  update_url: "elsewhere",
  update_backup: "elsewhere",
  ready_file: "elsewhere",
  model: "inside",
  models_dir: "inside",
  models_dir_writable: "elsewhere",
  registry_auth: "elsewhere",
  upstreams: "elsewhere",
  upstream_keys: "elsewhere",
  gpu_engine_registry: "elsewhere",
  flash_attention: "any",
  undeclared_members: "any",
  starter_confidence: "any",
  kv_cache_type: "any",
  log_level: "any",
  json: "any",
  durability: "any",
  database_url: "elsewhere",
  foreign_deadline_ms: "any",
  foreign_output_mb: "any",
  record_requests: "any",
  record_limit: "any",
  record_limit_mb: "any",
  record_body_kb: "any",
  max_connections: "any",
  max_body_memory_mb: "any",
  body_idle_seconds: "any",
  body_total_seconds: "any",
  max_event_streams: "any",
  trusted_proxies: "elsewhere",
  require_keys: "any",
  metrics: "any",
  shutdown_delay_seconds: "any",
  drain_seconds: "any",
  require_userinfo: "any",
  phone_is_identity: "any",
  identity_base_url: "told",
  identity_app_id: "any",
  identity_app_secret: "any",
  payment_version: "any",
  payment_base_url: "told",
  payment_mch_id: "any",
  payment_app_id: "any",
  payment_api_v2_key: "any",
  payment_api_v3_key: "any",
  payment_merchant_key_file: "inside",
  payment_merchant_serial: "any",
  payment_platform_key_file: "inside",
  payment_platform_key_id: "any",
  payment_sign_type: "any",
  payment_notify_url: "told",
  payment_timeout_ms: "any",
  basic_auth: "any",
  raffle_draw_ms: "any",
  collections_dir: "inside",
  routes_file: "inside",
  stand_in: "any",
  stand_in_port: "any",
  stand_in_passes: "any",
  https: "any",
  maintenance: "any",
  session_ttl_seconds: "any",
  MaxSizeOfSigleFile_MB: "any",
  uploads_bucket: "elsewhere",
  uploads_endpoint: "elsewhere",
  uploads_region: "elsewhere",
  uploads_key_id: "elsewhere",
  uploads_secret_key: "elsewhere",
  uploads_link_seconds: "any",
  cors_origins: "told",
  query_normalization: "any",
  enum_as_text: "any",
  strict_requests: "any",
  json_indent: "any",
  json_relaxed: "any",
};

/** The settings whose values in such a file are addresses of other machines, or may be. */
export const announcedSettings = (Object.keys(projectFileRules) as SettingName[]).filter(
  (name) => projectFileRules[name] === "told",
);

/** The user's secrets that are sent to an address or sign calls to it. */
const secretsOf: Partial<Record<SettingName, readonly SettingName[]>> = {
  identity_base_url: ["identity_app_secret"],
  payment_base_url: ["payment_api_v2_key", "payment_api_v3_key", "payment_merchant_key_file"],
};

/** A setting that such a file must not contain. */
export interface ProjectFileProblem {
  readonly name: SettingName;
  readonly reason: string;
}

/**
 * Whether an address in such a file would receive a secret of the data directory, which applies to every run. Flags and
 * variables count as chosen for this run.
 */
export function leakingSecret(
  project: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, unknown>>,
): ProjectFileProblem | undefined {
  for (const [name, secrets] of Object.entries(secretsOf) as [SettingName, readonly SettingName[]][]) {
    const secret = name in project && !(name in own) ? secrets.find((one) => one in own) : undefined;
    if (secret !== undefined) return { name, reason: `may not be set beside ${secret} of the data directory's file` };
  }
  return undefined;
}

/**
 * @param folder that the file must not reach beyond
 * @param values the file's content; invalid values are ignored here
 */
export function projectFileProblem(
  folder: string,
  values: Readonly<Record<string, unknown>>,
): ProjectFileProblem | undefined {
  for (const [name, value] of Object.entries(values) as [SettingName, unknown][]) {
    const reason = problemOf(name, value, folder);
    if (reason !== undefined) return { name, reason };
  }
  return undefined;
}

function problemOf(name: SettingName, value: unknown, folder: string): string | undefined {
  if (projectFileRules[name] === "elsewhere") return "may not be set";
  if (projectFileRules[name] === "inside" && typeof value === "string" && value !== "") {
    const path = resolve(folder, value);
    if (!liesInside(folder, path)) return `${JSON.stringify(value)} lies outside the folder`;
    const found = statSync(path, { throwIfNoEntry: false });
    if (found && !found.isFile() && !found.isDirectory())
      return `${JSON.stringify(value)} is neither a file nor a folder`;
    // Files written to and removed from the data directory must stay in it.
    if (name === "data_dir" && holdsLinks(path)) return `${JSON.stringify(value)} holds a symbolic link`;
  }
  if (name === "cors_origins") {
    const wide = settingsSchema.shape.cors_origins.safeParse(value).data?.find((one) => /[*]|^null$/.test(one));
    if (wide !== undefined) return `${JSON.stringify(wide)} may not be set`;
  }
  return undefined;
}

function liesInside(folder: string, path: string): boolean {
  const real = realPath(path);
  if (real === undefined) return false;
  const way = relative(realpathSync.native(folder), real);
  return !isAbsolute(way) && way.split(/[\\/]/)[0] !== "..";
}

function holdsLinks(folder: string): boolean {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  return readdirSync(folder, { withFileTypes: true }).some((entry) => entry.isSymbolicLink());
}
