/** `hearth token --console`: prints the console's token of the running Hearth. */
import { SettingsError } from "../process/settings/read-settings.ts";
import { printLine } from "../process/terminal/print-text.ts";
import { consoleAccess } from "../supervisor/console-access.ts";
import { settingsBy, type CommandContext } from "./command.ts";
import { findHearths, onlyOne } from "./find-hearth.ts";
import { consoleOf } from "./open-console.ts";

interface TokenInput {
  readonly user?: string | undefined;
  readonly console?: boolean | undefined;
  readonly data_dir?: unknown;
}

/** Prints only the token, for `$(hearth token --console)`. @throws SettingsError, RunError */
export async function printToken(
  { user, console: printsConsole, ...flags }: TokenInput,
  context: Pick<CommandContext, "env" | "cwd">,
): Promise<number> {
  if (user !== undefined || printsConsole !== true)
    throw new SettingsError(
      `"hearth token --console" prints the console's token; a user's session token is printed by "hearth login ${user ?? "USER"}"`,
    );
  const { data_dir } = settingsBy(flags, ["data_dir"], context);
  printLine(consoleAccess(consoleOf(onlyOne(await findHearths(data_dir), data_dir))).token);
  return 0;
}
