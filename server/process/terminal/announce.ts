import { commandLine, type OwnCommand } from "../../contract/console/console.ts";
import { portOf } from "../../contract/own-url.ts";
import { defaultConsolePort } from "../../contract/process/port-settings.ts";
import type { Settings } from "../../contract/process/settings.ts";
import { projectAddresses } from "../settings/project-addresses.ts";
import type { SettingOrigins } from "../settings/read-settings.ts";
import { onEnter } from "./on-enter.ts";
import { printLine } from "./print-text.ts";

export interface Announcement {
  /** The console's address, which asks for a login. */
  readonly console: string;
  readonly settings: Pick<Settings, "app_port" | "console_port">;
  /** Creates an address for one login. */
  readonly login: () => Promise<string>;
  readonly command: OwnCommand;
}

/** Reports that another program uses the console's default port; empty if none does. */
function movedFrom({ app_port, console_port }: Announcement["settings"], console: string): string {
  if (console_port !== undefined || app_port === 0 || portOf(console) === defaultConsolePort) return "";
  return `port ${String(defaultConsolePort)} is in use; `;
}

/**
 * Announces on stdout that Hearth is ready. A terminal gets an address to log in with, and another on each Enter. Any
 * other output may be stored, so it only gets the command for such an address.
 */
export async function announce({ console, settings, login, command }: Announcement): Promise<void> {
  const moved = movedFrom(settings, console);
  const open = commandLine(command, "open --print");
  if (!process.stdout.isTTY) {
    printLine(`Hearth is ready: ${console} (${moved}to log in: ${open})`);
    return;
  }
  const show = async (what: string, hint: string) => printLine(`${what}: ${await login().catch(() => console)}${hint}`);
  if (process.stdin.isTTY) {
    await show("Hearth is ready", ` (${moved}press Enter for a new one)`);
    onEnter(() => void show("The console", " (press Enter for a new one)"));
  } else await show("Hearth is ready", ` (${moved}for a new one: ${open})`);
}

/**
 * Prints the addresses that the working directory's file sets, on stderr and `others`. It is not a line of the log,
 * because the file may silence that.
 */
export function announceAddresses(
  settings: Settings,
  from: SettingOrigins,
  ...others: Parameters<typeof printLine>[1][]
): void {
  const line = projectAddresses(settings, from);
  if (line !== undefined) for (const out of [process.stderr, ...others]) printLine(`hearth: ${line}`, out);
}
