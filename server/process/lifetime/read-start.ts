/**
 * What a process gets from the Hearth process that has started it. It comes over their channel, because every program of the
 * user can read an environment, and so can a link to /proc/self/environ.
 */
import { startMessageSchema } from "../../contract/process/process-messages.ts";
import type { Settings } from "../../contract/process/settings.ts";
import { rememberOrigins, resolveRun, type SettingOrigins } from "../settings/read-settings.ts";
import { firstMessage } from "./parent-channel.ts";

export interface Start {
  readonly settings: Settings;
  readonly token?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly appUrl?: string | undefined;
  readonly runnerSocket?: string | undefined;
}

/** What a parent has, and what a process reads from its flags and environment where somebody starts it by hand. */
export async function readStart(argv: readonly string[] = process.argv.slice(2)): Promise<Start> {
  const first = await firstMessage();
  if (first !== undefined) {
    const { variables, origins, ...start } = startMessageSchema.parse(first);
    // Packages read them here. The system shows the environment of the start only.
    Object.assign(process.env, variables);
    rememberOrigins(origins as unknown as SettingOrigins);
    return start;
  }
  // Only a process that somebody starts by hand has flags.
  const { parseSettings } = await import("../command-line/parse-input.ts");
  const settings = resolveRun(parseSettings(argv));
  const { HEARTH_CONSOLE_TOKEN: token, HEARTH_APP_URL: appUrl, HEARTH_RUNNER_SOCKET: runnerSocket } = process.env;
  return { settings, token, appUrl, runnerSocket };
}
