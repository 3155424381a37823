import { defaultConsolePort } from "../../contract/process/port-settings.ts";
import type { Settings } from "../../contract/process/settings.ts";
import { PortInUseError } from "../../http/connection/listen.ts";
import { portsOf } from "../../process/settings/same-port.ts";

/** How many ports are tried from the default one on. */
const tries = 20;

/** The ports to try in turn: the one that is set, or the free ones from the default on. */
function portsToTry(settings: Settings): number[] {
  if (settings.console_port !== undefined) return [settings.console_port];
  if (settings.app_port === 0) return [0];
  const others = new Set<number | undefined>(portsOf(settings).map((name) => settings[name]));
  return [...Array.from({ length: tries }, (_, at) => defaultConsolePort + at).filter((port) => !others.has(port)), 0];
}

/** Listens at the console's port. @throws PortInUseError where one is set and taken */
export async function listenForConsole<Listener>(
  settings: Settings,
  listen: (port: number) => Promise<Listener>,
): Promise<Listener> {
  let taken: unknown;
  for (const port of portsToTry(settings))
    try {
      return await listen(port);
    } catch (error) {
      if (!(error instanceof PortInUseError)) throw error;
      taken = error;
    }
  throw taken;
}
