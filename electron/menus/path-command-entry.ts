import { app, dialog, type BrowserWindow, type MenuItemConstructorOptions } from "electron";
import { findPathCommand, isKnownAsHearth } from "../../server/process/installation/path-command.ts";
import { pathCommandSystem, programPath } from "../startup/command-line.ts";
import type { ShellText } from "../texts/shell-text.ts";
import { pathCommandItem } from "./path-command-item.ts";

/** The entry of the running program; none in a checkout, nor if the package has installed the command. */
export function pathCommandEntry(
  text: ShellText,
  window: BrowserWindow,
  onChange: () => void,
): MenuItemConstructorOptions | undefined {
  const [program, system] = [programPath(), pathCommandSystem()];
  const comesWithPackage = findPathCommand(system) === undefined && isKnownAsHearth(program, system);
  if (!app.isPackaged || comesWithPackage) return undefined;
  const show = (message: string, detail: string) => void dialog.showMessageBox(window, { message, detail });
  return pathCommandItem({ system, program, text, show, onChange });
}
