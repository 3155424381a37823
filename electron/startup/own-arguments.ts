/** Tells the program's own arguments from those of Chromium, which come among them. */

import { commandFirst } from "../../server/process/command-line/command-first.ts";
import { minimisedFlag } from "../desktop/login-item.ts";
import { withoutOpened } from "../desktop/opened.ts";

/** Switches of Chromium and Electron. */
const foreignSwitch =
  /^(--(no-sandbox|no-zygote|inspect|remote-debugging|disable-|enable-|ozone-|js-flags|use-|force-|lang\b|user-data-dir|password-store)|-psn_)/;

/** Flags of one start only: the second is what the installer of an update on Windows starts the new version with. */
const flagsOfOneStart: readonly string[] = [minimisedFlag, "--updated"];

/** What follows `--` belongs to the command that `hearth exec` runs. */
export function withoutForeignSwitches(args: readonly string[]): string[] {
  const at = args.indexOf("--");
  const own = (at < 0 ? args : args.slice(0, at)).filter(
    (arg) => !flagsOfOneStart.includes(arg) && !foreignSwitch.test(arg),
  );
  return [...own, ...(at < 0 ? [] : args.slice(at))];
}

/** The arguments behind the program that Electron runs from a checkout: its first argument that is no switch. */
export const behindProgram = (args: readonly string[]): string[] =>
  args.slice(args.findIndex((arg) => !arg.startsWith("-")) + 1);

/** The settings that the program is started with: its arguments without a command to open its window, links and files. */
export function windowFlags(args: readonly string[]): string[] {
  return withoutOpened(args[0] === "start" ? args.slice(1) : args);
}

/** Chosen for the start that an update's backup has failed at. */
export const withoutBackupFlag = "--no-update-backup";

/** What somebody who looks at it tries a start again with that has not come through. */
export const argumentsOfNextTry = (args: readonly string[], more: readonly string[]): string[] => [
  ...args.filter((arg) => !flagsOfOneStart.includes(arg)),
  ...more,
];

/** What the program is called with after a start that has come through: what was meant for that one alone is done. */
export const argumentsAgain = (args: readonly string[]): string[] =>
  withoutOpened(argumentsOfNextTry(args, [])).filter((arg) => arg !== withoutBackupFlag);

/** Whether the first argument is one of the `hearth` commands, and no flag, file or link. `start` opens the window. */
export const isCommand = (arg = ""): boolean => /^[a-z][a-z-]*$/.test(arg) && arg !== "start";

/** Whether one of them comes after flags. */
export const namesCommand = (flags: readonly string[]): boolean => isCommand(commandFirst(flags)[0]);
