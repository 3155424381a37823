import { app, dialog, type BrowserWindow, type MenuItemConstructorOptions } from "electron";
import { findPathCommand, isKnownAsHearth } from "../../server/process/installation/path-command.ts";
import { pathCommandSystem, programPath } from "../startup/command-line.ts";
import type { ShellLanguage } from "./shell-texts.ts";
import { pathCommandItem } from "./path-command-item.ts";

/** The entry of the program that runs; none in a checkout, nor where a package has brought the command along. */
export function pathCommandEntry(
  language: ShellLanguage,
  window: BrowserWindow,
  onChange: () => void,
): MenuItemConstructorOptions | undefined {
  const [program, system] = [programPath(), pathCommandSystem()];
  const isBroughtAlong = findPathCommand(system) === undefined && isKnownAsHearth(program, system);
  if (!app.isPackaged || isBroughtAlong) return undefined;
  const tell = (message: string, detail: string) => void dialog.showMessageBox(window, { message, detail });
  return pathCommandItem({ system, program, language, tell, onChange });
}
