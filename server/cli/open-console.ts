/** `hearth open`: opens the console of the running Hearth. */
import { hasDisplay } from "../process/terminal/has-display.ts";
import { printLine } from "../process/terminal/print-text.ts";
import { resolveRun } from "../process/settings/read-settings.ts";
import { newLoginCode } from "../supervisor/login-code.ts";
import { readReadyFile, runFileIn, type ReadyFileContent } from "../supervisor/ready-file.ts";
import { RunError } from "../supervisor/run-error.ts";
import type { CommandContext } from "./command.ts";
import { findHearths, onlyOne, stillStarting, type RunningHearth } from "./find-hearth.ts";
import { openBrowser } from "./open-browser.ts";
import { isMissing } from "../file-system/is-missing.ts";

/** The addresses of a run, which only its own user can read. @throws RunError */
export function addressesOf({ dataDir, pid }: RunningHearth): ReadyFileContent {
  const file = runFileIn(dataDir);
  try {
    const ready = readReadyFile(file);
    // A killed run leaves its file.
    if (ready.pid === pid) return ready;
  } catch (error) {
    if (!isMissing(error)) throw new RunError(`${file} cannot be read: ${(error as Error).message}`);
  }
  throw stillStarting(dataDir);
}

/** The console's address, with the run's token. @throws RunError */
export const consoleOf = (running: RunningHearth): string => addressesOf(running).console;

/** Opens the console in the default browser; without one, or with `print`, prints the address. @throws RunError */
export async function openConsole(
  { print: onlyPrints = false, ...flags }: { readonly print?: boolean | undefined },
  { cwd }: Pick<CommandContext, "cwd">,
): Promise<number> {
  const { data_dir } = resolveRun(flags, cwd);
  const console = consoleOf(onlyOne(await findHearths(data_dir), data_dir));
  const { address } = await newLoginCode(console).catch((error: unknown) => {
    throw new RunError((error as Error).message);
  });
  if (!onlyPrints && hasDisplay() && (await openBrowser(address)))
    printLine(`Opening the console in the browser: ${new URL("/console/", address).href}`);
  else printLine(address);
  return 0;
}
