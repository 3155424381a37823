import { resolveRun } from "../process/settings/read-settings.ts";
import { printLine } from "../process/terminal/print-text.ts";
import type { CommandContext } from "./command.ts";
import { findHearths, onlyOne, stillStarting } from "./find-hearth.ts";
import { simulatedToken } from "./simulated-token.ts";

/**
 * Logs a simulated user in completely at the running Hearth and prints only the session token, for `$(hearth token)`.
 * @throws RunError
 */
export async function printToken(
  { user = "console", ...flags }: { readonly user?: string | undefined },
  { cwd }: Pick<CommandContext, "cwd">,
): Promise<number> {
  const { data_dir } = resolveRun(flags, cwd);
  const { dataDir, urls } = onlyOne(await findHearths(data_dir), data_dir);
  const { app, provider } = urls ?? {};
  if (app === undefined || provider === undefined) throw stillStarting(dataDir);
  printLine(await simulatedToken(user, { app, provider }));
  return 0;
}
