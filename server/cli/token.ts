import type { Settings } from "../contract/process/settings.ts";
import { printLine } from "../process/terminal/print-text.ts";
import { findHearths, onlyOne, stillStarting } from "./find-hearth.ts";
import { simulatedToken } from "./simulated-token.ts";

/**
 * Logs a simulated user in completely at the running Hearth and prints only the session token, for `$(hearth token)`.
 * @throws RunError
 */
export async function printToken({ data_dir }: Settings, user: string): Promise<number> {
  const { dataDir, urls } = onlyOne(await findHearths(data_dir), data_dir);
  const { app, provider } = urls ?? {};
  if (app === undefined || provider === undefined) throw stillStarting(dataDir);
  printLine(await simulatedToken(user, { app, provider }));
  return 0;
}
