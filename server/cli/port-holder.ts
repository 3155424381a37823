import { commandLine } from "../contract/console/console.ts";
import type { Settings } from "../contract/process/settings.ts";
import { portsOf } from "../process/settings/same-port.ts";
import { ownCommand } from "../process/terminal/own-command.ts";
import { portsOfInstance } from "../supervisor/data-directory/instance-lock.ts";
import { allHearths } from "./find-hearth.ts";

/** One line about the Hearth of this user that listens at a port, and what to do; undefined if none does. */
export async function describePortHolder(
  port: number | undefined,
  settings: Settings,
  command: string,
): Promise<string | undefined> {
  if (port === undefined) return undefined;
  const holder = (await allHearths().catch(() => [])).find((one) => portsOfInstance(one).includes(port));
  if (holder === undefined) return undefined;
  const ports = portsOfInstance(holder);
  const flags = portsOf(settings)
    .filter((name) => ports.includes(Number(settings[name])))
    .map((name) => `--${name.replaceAll("_", "-")} 0`);
  const open = commandLine(ownCommand(command, holder.dataDir), "open");
  return `port ${String(port)} is used by Hearth (pid ${String(holder.pid)}, data directory ${holder.dataDir}, ports \
${ports.join(", ")}). Open it with "${open}", stop it, or start this one with ${flags.join(" ")}`;
}
