/** Options of the model service that come from settings and from Ollama's environment. */
import { homedir } from "node:os";
import { join } from "node:path";
import type { Settings } from "../contract/process/settings.ts";
import { parseUpstream } from "../contract/process/upstream-setting.ts";
import type { Log } from "../process/log.ts";
import { boundsOf, readOrigins } from "../process/settings/read-settings.ts";
import type { RegistryOptions } from "./models/open-model-stores.ts";
import { parseCredentials } from "./models/registry/registry-auth.ts";
import { tuningFrom } from "./models/registry/tuning.ts";
import { parseKeys, type UpstreamsOptions } from "./upstream/open-upstreams.ts";

/** The Ollama store to serve from, if there is one. */
export function findOllamaStore(settings: Settings, env: NodeJS.ProcessEnv) {
  const { models_dir, models_dir_writable: writable } = settings;
  const dir =
    models_dir ?? (env["OLLAMA_MODELS"]?.trim().replace(/^["']|["']$/g, "") || join(homedir(), ".ollama", "models"));
  const bounds = boundsOf("models_dir", readOrigins(settings), dir);
  // Whoever lets Hearth write to a store means one of their own.
  return dir === "" ? undefined : { dir, writable: writable && bounds === undefined, bounds };
}

/** Parses a switch like Ollama: any value other than "false" counts as true. */
const isOn = (value: string | undefined) => value !== undefined && !/^(|0|f|false)$/i.test(value.trim());

/** Settings for changes of the library: proxies, and the secrets of private registries. */
export const registryOptions = (
  { registry_auth, registry_mirror, allowed_targets }: Settings,
  env: NodeJS.ProcessEnv,
  log: Log,
): RegistryOptions => ({
  env,
  credentials: parseCredentials(registry_auth ?? ""),
  ...(registry_mirror !== undefined && { mirror: registry_mirror }),
  ollamaKey: join(homedir(), ".ollama", "id_ed25519"),
  tuning: tuningFrom(env, (message) => log.warn(message)),
  allowedTargets: allowed_targets,
  noPrune: isOn(env["OLLAMA_NOPRUNE"]),
});

/** The setting upstreams, with the keys from the environment or the setting upstream_keys. */
export function upstreamsOptions(
  { upstreams, upstream_keys }: Settings,
  env: NodeJS.ProcessEnv,
  log: Log,
): UpstreamsOptions {
  const parsed = upstreams.map(parseUpstream);
  const fromVariables = parsed.flatMap(({ name, keyVariable }) => {
    const key = keyVariable === undefined ? undefined : env[keyVariable];
    if (keyVariable !== undefined && !key) log.warn(`upstream ${name}: its key variable ${keyVariable} is not set`);
    return key ? [[name, key] as const] : [];
  });
  return { upstreams: parsed, keys: new Map([...parseKeys(upstream_keys ?? ""), ...fromVariables]), env };
}
