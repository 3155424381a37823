/** The entry point of the watcher's own process. */
import { printLine } from "../process/terminal/print-text.ts";
import { SettingsError } from "../process/settings/read-settings.ts";
import { watchCommand } from "./watch-command.ts";

try {
  await watchCommand(process.argv.slice(2));
} catch (error) {
  printLine(`hearth watch: ${(error as Error).message}`, process.stderr);
  process.exit(error instanceof SettingsError ? 2 : 1);
}
