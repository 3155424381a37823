import { createServer } from "node:http";
import { loopback } from "../../contract/own-url.ts";
import type { SettingName, Settings } from "../../contract/process/settings.ts";
import { closed, listen, ListenRefused, PortInUseError } from "../../http/connection/listen.ts";
import { badRequest } from "../../http/http-error.ts";
import { SettingsError } from "../../process/settings/read-settings.ts";
import { samePort } from "../../process/settings/same-port.ts";

const ports = ["app_port", "provider_port", "model_port", "stand_in_port"] as const;

/**
 * What features check at a start, by the beginning of their settings' names. They throw a SettingsError whose message begins with
 * the name of the setting at fault.
 */
export type PartsOfStart = Readonly<Record<string, (settings: Settings) => unknown>>;

interface Start {
  readonly changed: readonly string[];
  /** All settings of a start with no flags and variables. */
  readonly next: Settings;
  /** Those of this run, whose ports are free then. */
  readonly running: Settings;
  /** Those of this run that flags and variables gave. */
  readonly given: Partial<Settings>;
  readonly parts: PartsOfStart;
}

/** Checks changed settings as the next start does, which they would end. @throws HttpError 400 that names the setting */
export async function checkStart({ changed, next, running, given, parts }: Start): Promise<void> {
  const same = samePort(next) ?? samePort({ ...next, ...given });
  const twice = same?.names.find((name) => changed.includes(name));
  if (same && twice !== undefined)
    throw refused(twice, `${same.names.join(" and ")} name the same port ${same.port}; give each its own.`);
  if (changed.includes("host")) await tryToListen("host", next.host, 0);
  for (const name of ports) {
    const port = next[name];
    const isFree = ports.some((one) => running[one] === port) && next.host === running.host;
    if (changed.includes(name) && !isFree && (name !== "stand_in_port" || next.stand_in))
      await tryToListen(name, name === "stand_in_port" ? loopback : next.host, port);
  }
  for (const [beginning, check] of Object.entries(parts)) {
    if (!changed.some((name) => name.startsWith(beginning))) continue;
    try {
      await check(next);
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      throw refused(/^\w+/.exec(error.message)?.[0] ?? "", `${error.message}.`);
    }
  }
}

const refused = (name: string, message: string) => badRequest("invalid_request", message, name);

async function tryToListen(name: SettingName, host: string, port: number): Promise<void> {
  try {
    const { listeners } = await listen(createServer(), { host, port });
    await Promise.all(listeners.map(closed));
  } catch (error) {
    // An Ollama at its port takes the place of the model service.
    if (error instanceof PortInUseError && name === "model_port") return;
    if (error instanceof PortInUseError)
      throw refused(name, `${name}: port ${port} is in use by another program; choose another.`);
    if (error instanceof ListenRefused)
      throw refused(name, name === "host" ? `${error.message}.` : `${name}: ${error.message}.`);
    throw error;
  }
}
