/** Separates the program's own arguments from those of Chromium. */

import { commandFirst } from "../../server/process/command-line/command-first.ts";
import { minimisedFlag } from "../desktop/login-item.ts";
import { withoutOpened } from "../desktop/opened.ts";

/** Switches of Chromium and Electron. */
const foreignSwitch =
  /^(--(no-sandbox|no-zygote|inspect|remote-debugging|disable-|enable-|ozone-|js-flags|use-|force-|lang\b|user-data-dir|password-store)|-psn_)/;

/** Flags of one start only. The installer of an update on Windows starts the new version with the second. */
const flagsOfOneStart: readonly string[] = [minimisedFlag, "--updated"];

/** Keeps the arguments after `--`, which belong to the command that `hearth exec` runs. */
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

/** The settings among the arguments: all but the command `start`, links and files. */
export function windowFlags(args: readonly string[]): string[] {
  return withoutOpened(args[0] === "start" ? args.slice(1) : args);
}

/** Chosen for a start whose backup before an update has failed. */
export const withoutBackupFlag = "--no-update-backup";

/** The arguments with which a person repeats a start that failed, in the foreground. */
export const argumentsOfNextTry = (args: readonly string[], more: readonly string[]): string[] => [
  ...args.filter((arg) => !flagsOfOneStart.includes(arg)),
  ...more,
];

/** The arguments after a start that succeeded, without those that were meant for that start only. */
export const argumentsAgain = (args: readonly string[]): string[] =>
  withoutOpened(argumentsOfNextTry(args, [])).filter((arg) => arg !== withoutBackupFlag);

/** Whether the first argument is one of the `hearth` commands, and no flag, file or link. `start` opens the window. */
export const isCommand = (arg = ""): boolean => /^[a-z][a-z-]*$/.test(arg) && arg !== "start";

/** Whether a command comes after flags. */
export const namesCommand = (flags: readonly string[]): boolean => isCommand(commandFirst(flags)[0]);
