/** When changed settings take effect, and the settings with which services are restarted. */
import { isAbsolute } from "node:path";
import type { SettingView } from "../../contract/console/setting-endpoints.ts";
import type { ServiceName } from "../../contract/process/services.ts";
import { settingsSchema, type SettingName, type Settings } from "../../contract/process/settings.ts";
import { pathSettings, type SettingOrigins } from "../../process/settings/read-settings.ts";

/** Read for each request, so that a change takes effect at once. */
const ofEachRequest: ReadonlySet<SettingName> = new Set<SettingName>(["maintenance"]);
/** Settings of the program around the services, and addresses, which the services know of each other. */
const ofTheProgram: ReadonlySet<SettingName> = new Set<SettingName>([
  ...(["data_dir", "headless", "open", "ready_file", "update_url", "json", "log_level"] as const),
  ...(["host", "app_port", "console_port", "provider_port", "model_port"] as const),
  ...(["shutdown_delay_seconds", "drain_seconds"] as const),
]);
const ofModels: ReadonlySet<SettingName> = new Set<SettingName>([
  ...(["model", "models_dir", "models_dir_writable", "registry_auth", "registry_mirror"] as const),
  ...(["upstreams", "upstream_keys"] as const),
  ...(["require_keys", "undeclared_members"] as const),
]);
const ofBoth: ReadonlySet<SettingName> = new Set<SettingName>([
  ...(["allowed_hosts", "allowed_targets", "cors_origins", "record_requests"] as const),
  ...(["trusted_proxies", "metrics"] as const),
]);

/** The services that use a setting; none for one of the program. */
function servicesOf(name: SettingName): ServiceName[] {
  if (ofTheProgram.has(name)) return [];
  if (ofModels.has(name)) return ["model"];
  if (name === "prompt_cache_mb") return ["runner"];
  return ofBoth.has(name) ? ["model", "app"] : ["app"];
}

export function effectOf(name: SettingName): SettingView["takes_effect"] {
  if (ofEachRequest.has(name)) return "at_once";
  return servicesOf(name).length > 0 ? "after_restart" : "at_next_start";
}

interface Known {
  readonly settings: Settings;
  readonly from: SettingOrigins;
  /** The values in the configuration file. */
  readonly written: Readonly<Record<string, unknown>>;
}

/**
 * The settings after the changes to these names, with their origins, and the services to restart for them. A relative path in
 * the file is left out, because only the start knows what it is relative to.
 */
export function nextSettings(names: readonly SettingName[], { settings, from, written }: Known) {
  const { project = {} } = from;
  const values: Readonly<Record<string, unknown>> = { ...project, ...written };
  const changed = names.flatMap((name) => {
    const value = settingsSchema.shape[name].safeParse(values[name]).data;
    if (pathSettings.has(name) && typeof value === "string" && value !== "" && !isAbsolute(value)) return [];
    return [{ name, value }];
  });
  const originOf = ({ name }: { name: SettingName }) =>
    [name, name in written ? "file" : name in project ? "project" : undefined] as const;
  const origins = { ...from.origins, ...Object.fromEntries(changed.map(originOf)) };
  const used = new Set(changed.flatMap(({ name }) => servicesOf(name)));
  return {
    settings: { ...settings, ...Object.fromEntries(changed.map(({ name, value }) => [name, value])) },
    from: { ...from, origins },
    services: (["model", "app"] as const).filter((service) => used.has(service)),
  };
}
