/** Ends a start that cannot go on, in words. */
import { app, dialog } from "electron";
import { isDiskFull } from "../../server/contract/process/disk-full.ts";
import { fullDiskText } from "../../server/process/disk-room.ts";
import { SettingsError } from "../../server/process/settings/read-settings.ts";
import { printError } from "../../server/process/terminal/print-text.ts";
import { RunError } from "../../server/supervisor/run.ts";

function refuse(message: string, code: number): never {
  printError(message);
  // A program started by a click has no terminal.
  if (app.isPackaged && process.platform !== "linux") dialog.showErrorBox("Hearth", message);
  app.exit(code);
  process.exit(code);
}

/** @throws the error itself, if it is none that a start explains */
export function refuseStart(error: unknown): never {
  if (error instanceof SettingsError) refuse(error.message, 2);
  if (error instanceof RunError) refuse(error.message, 1);
  if (isDiskFull(error)) refuse(fullDiskText(error), 1);
  throw error;
}
