import { createServer } from "node:http";
import { loopback } from "../../contract/own-url.ts";
import type { SettingName, Settings } from "../../contract/process/settings.ts";
import { closed, listen, ListenRefused, PortInUseError } from "../../http/connection/listen.ts";
import { refuse } from "../../http/http-error.ts";
import { SettingsError } from "../../process/settings/read-settings.ts";
import { portsOf, samePort } from "../../process/settings/same-port.ts";

/** The features' checks of a start, by the beginning of their settings' names. They throw a SettingsError naming the setting. */
export type PartsOfStart = Readonly<Record<string, (settings: Settings) => unknown>>;

interface Start {
  readonly changed: readonly string[];
  /** All settings of a start with no flags and variables. */
  readonly next: Settings;
  /** Those of this run, whose ports are free then. */
  readonly running: Settings;
  /** The settings of this run that came by flags and variables. */
  readonly passed: Partial<Settings>;
  readonly parts: PartsOfStart;
}

/** Checks changed settings as the next start does, which they would end. @throws HttpError 400 that names the setting */
export async function checkStart({ changed, next, running, passed, parts }: Start): Promise<void> {
  // The port of a stand-in that is turned on has not been checked before.
  const names = changed.includes("stand_in") ? [...changed, "stand_in_port"] : changed;
  for (const start of [next, { ...next, ...passed }]) {
    const same = samePort(start);
    const twice = same?.names.find((name) => names.includes(name));
    if (same && twice !== undefined)
      throw refuse("setting.samePort", { names: same.names.join(" and "), port: same.port }, { field: twice });
  }
  if (changed.includes("host")) await tryToListen("host", next.host, 0);
  for (const name of portsOf(next).filter((one) => names.includes(one))) {
    const port = changed.includes(name) ? next[name] : (passed[name] ?? next[name]);
    if (port !== undefined && !isOwn(name, port, next.host, running))
      await tryToListen(name, name === "stand_in_port" ? loopback : next.host, port);
  }
  for (const [beginning, check] of Object.entries(parts)) {
    if (!changed.some((name) => name.startsWith(beginning))) continue;
    try {
      await check(next);
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      throw refuse("start.refused", { problem: error.text }, { field: /^\w+/.exec(error.message)?.[0] });
    }
  }
}

/** Whether this run has the port that the next start needs. A restart gives the stand-in its port while the others keep theirs. */
function isOwn(name: SettingName, port: number, host: string, running: Settings): boolean {
  const names = portsOf(running);
  if (name === "stand_in_port") return names.includes(name) && running[name] === port;
  return host === running.host && names.some((one) => running[one] === port);
}

async function tryToListen(name: SettingName, host: string, port: number): Promise<void> {
  try {
    const { listeners } = await listen(createServer(), { host, port });
    await Promise.all(listeners.map(closed));
  } catch (error) {
    // An Ollama at its port takes the place of the model service.
    if (error instanceof PortInUseError && name === "model_port") return;
    if (error instanceof PortInUseError) throw refuse("setting.portInUse", { name, port }, { field: name });
    if (error instanceof ListenRefused)
      throw (error.cause as NodeJS.ErrnoException).code === "EACCES"
        ? refuse("setting.portForbidden", { name, port }, { field: name })
        : refuse("setting.address", { host }, { field: name });
    throw error;
  }
}
