import { consolePerson } from "../contract/provider/internal-people.ts";
import { resolveRun } from "../process/settings/read-settings.ts";
import { printLine } from "../process/terminal/print-text.ts";
import type { CommandContext } from "./command.ts";
import { consoleAccess } from "../supervisor/console-access.ts";
import { RunError } from "../supervisor/run-error.ts";
import { findHearths, onlyOne, stillStarting } from "./find-hearth.ts";
import { consoleOf } from "./open-console.ts";
import { simulatedToken } from "./simulated-token.ts";

interface TokenInput {
  readonly user?: string | undefined;
  readonly console?: boolean | undefined;
}

/**
 * Logs a simulated user in completely at the running Hearth and prints only the session token, for `$(hearth token)`.
 * With `console`, prints the run's console token instead.
 * @throws RunError
 */
export async function printToken(
  { user, console: printsConsole, ...flags }: TokenInput,
  { cwd }: Pick<CommandContext, "cwd">,
): Promise<number> {
  const { data_dir } = resolveRun(flags, cwd);
  const running = onlyOne(await findHearths(data_dir), data_dir);
  if (printsConsole) {
    if (user !== undefined) throw new RunError("--console prints the console's token: name no user with it");
    printLine(consoleAccess(consoleOf(running)).token);
    return 0;
  }
  const { dataDir, urls } = running;
  const { app, provider } = urls ?? {};
  if (app === undefined || provider === undefined) throw stillStarting(dataDir);
  printLine(await simulatedToken(user ?? consolePerson, { app, provider }));
  return 0;
}
