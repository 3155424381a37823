/**
 * Reads the message of the Hearth process that has started this one. It comes over a channel, because every program of
 * the user can read an environment, also by a link to /proc/self/environ.
 */
import { startMessageSchema } from "../../contract/process/process-messages.ts";
import type { Settings } from "../../contract/process/settings.ts";
import { rememberOrigins, resolveRun, type SettingOrigins } from "../settings/read-settings.ts";
import { firstMessage } from "./parent-channel.ts";

export interface Start {
  readonly settings: Settings;
  readonly token?: string | undefined;
  readonly appUrl?: string | undefined;
  readonly runnerSocket?: string | undefined;
}

/** Reads the parent's message, or flags and environment of a process that was started by hand. */
export async function readStart(argv: readonly string[] = process.argv.slice(2)): Promise<Start> {
  const first = await firstMessage();
  if (first !== undefined) {
    const { variables, origins, ...start } = startMessageSchema.parse(first);
    // Packages read them here. The system shows only the environment of the start.
    Object.assign(process.env, variables);
    rememberOrigins(origins as unknown as SettingOrigins);
    return start;
  }
  // Only a process that was started by hand has flags.
  const { parseSettings } = await import("../command-line/parse-input.ts");
  const settings = resolveRun(parseSettings(argv));
  const { HEARTH_CONSOLE_TOKEN: token, HEARTH_APP_URL: appUrl, HEARTH_RUNNER_SOCKET: runnerSocket } = process.env;
  return { settings, token, appUrl, runnerSocket };
}
