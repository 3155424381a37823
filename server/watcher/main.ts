/** The entry point of the watcher's own process. */
import { parseAlone } from "../process/command-line/parse-input.ts";
import { SettingsError } from "../process/settings/read-settings.ts";
import { workingDirectory } from "../process/settings/working-directory.ts";
import { printLine } from "../process/terminal/print-text.ts";
import { watchCommand } from "./watch-command.ts";
import { watchInput } from "./watch-input.ts";

try {
  const { env } = process;
  await watchCommand(parseAlone(process.argv.slice(2), watchInput), { env, cwd: workingDirectory(env) });
} catch (error) {
  printLine(`hearth watch: ${(error as Error).message}`, process.stderr);
  process.exit(error instanceof SettingsError ? 2 : 1);
}
