/** `hearth open`: a way into the console of the Hearth that runs. */
import { hasDisplay } from "../process/terminal/has-display.ts";
import { printError, printLine } from "../process/terminal/print-text.ts";
import type { Settings } from "../contract/process/settings.ts";
import { findRunning } from "../supervisor/instance-lock.ts";
import { newLoginCode } from "../supervisor/login-code.ts";
import { readReadyFile, runFileIn } from "../supervisor/ready-file.ts";
import { openBrowser } from "./open-browser.ts";

/** The address with the token, which only the run's own user can read. @throws Error in words for a person */
async function findConsole(dataDir: string): Promise<string> {
  const running = await findRunning(dataDir);
  if (running === undefined)
    throw new Error(`no Hearth runs on the data directory ${dataDir}; start it, or name another with --data-dir`);
  try {
    const { pid, console } = readReadyFile(runFileIn(dataDir));
    // A run that was killed has left its file.
    if (pid === running.pid) return console;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      throw new Error(`${runFileIn(dataDir)} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  throw new Error(`the Hearth on the data directory ${dataDir} is still starting; try again in a moment`);
}

/** Opens the console in the default browser; prints the address where there is none, or by `onlyPrint`. */
export async function openConsole({ data_dir }: Settings, onlyPrint: boolean): Promise<number> {
  let address: string;
  try {
    ({ address } = await newLoginCode(await findConsole(data_dir)));
  } catch (error) {
    printError((error as Error).message);
    return 1;
  }
  if (!onlyPrint && hasDisplay() && (await openBrowser(address)))
    printLine(`The console opens in the browser: ${new URL("/console/", address).href}`);
  else printLine(address);
  return 0;
}
