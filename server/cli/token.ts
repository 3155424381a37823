import { simulatedLogin } from "../app/console/simulated-login.ts";
import type { Settings } from "../contract/process/settings.ts";
import { printError, printLine } from "../process/terminal/print-text.ts";
import { findRunning } from "../supervisor/instance-lock.ts";

/** Logs a simulated user in completely at the running Hearth and prints the session token alone, for `$(hearth token)`. */
export async function printToken(settings: Settings, user: string): Promise<number> {
  const running = await findRunning(settings.data_dir);
  const { app, provider } = running?.urls ?? {};
  if (app === undefined || provider === undefined) {
    printError(`no Hearth runs on the data directory ${settings.data_dir}; start it, or name another with --data-dir`);
    return 1;
  }
  const { access_token } = await simulatedLogin(user, { app, provider });
  printLine(access_token);
  return 0;
}
