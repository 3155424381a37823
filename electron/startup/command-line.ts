/** The command line of this program: flags of its own, or one of the `hearth` commands. */
import { app } from "electron";
import { homedir } from "node:os";
import { join } from "node:path";
import { baseFolder } from "../../server/process/base-folder.ts";
import { commandName } from "../../server/process/terminal/own-command.ts";
import { printError } from "../../server/process/terminal/print-text.ts";
import type { ProgramHost } from "../../server/supervisor/program-host.ts";
import {
  followPathCommand,
  isKnownAsHearth,
  type PathCommandSystem,
} from "../../server/process/installation/path-command.ts";
import { createUserPath } from "../../server/process/installation/user-path.ts";
import { bundledFile } from "../bundled-file.ts";
import { createLoginItem, followAutostart, type LoginItem } from "../desktop/login-item.ts";
import { forkUtilityProcess } from "./fork-utility-process.ts";
import { argumentsAgain, argumentsOfNextTry, behindProgram, withoutForeignSwitches } from "./own-arguments.ts";
import { shellWord } from "../../server/contract/shell-words.ts";

/** The program's own arguments, also in a checkout that is run by Electron itself instead of the `hearth` command. */
export function ownArguments(): string[] {
  const args = process.argv.slice(1);
  return withoutForeignSwitches(app.isPackaged ? args : behindProgram(args));
}

/** The path by which the system can start the program again: an AppImage runs from another place. */
export const programPath = (): string => process.env["APPIMAGE"] ?? process.execPath;

/** Starts the program again with its arguments once it has ended. */
export const relaunch = (program = programPath()): void =>
  app.relaunch({ execPath: program, args: argumentsAgain(process.argv.slice(1)) });

/** Repeats a start that failed once it has ended, with more flags. */
export const tryAgain = (flags: readonly string[]): void =>
  app.relaunch({ execPath: programPath(), args: argumentsOfNextTry(process.argv.slice(1), flags) });

export const pathCommandSystem = (): PathCommandSystem => ({
  platform: process.platform,
  home: homedir(),
  env: process.env,
  userPath: createUserPath(),
});

/** The command with which a user starts this program; a package's is its own path where it has no shorter one. */
export function typedCommand(): string {
  if (!app.isPackaged) return commandName(bundledFile("cli.js"));
  return isKnownAsHearth(programPath(), pathCommandSystem()) ? "hearth" : shellWord(programPath(), process.platform);
}

const configFolder = () => baseFolder("XDG_CONFIG_HOME", join(app.getPath("home"), ".config"));

export const ownLoginItem = (): LoginItem =>
  createLoginItem({ platform: process.platform, app, configFolder: configFolder(), program: programPath() });

/**
 * Updates the files that start this program by its path, which an update or a person may have changed.
 * @throws the system's error if a file cannot be written
 */
export function followProgram(): void {
  followAutostart(configFolder(), programPath());
  followPathCommand(programPath(), pathCommandSystem());
}

function removeLoginItem(): boolean {
  const item = ownLoginItem();
  const wasOn = item.isOn();
  // A file that the desktop has switched off exists, too.
  item.set(false);
  return wasOn;
}

interface CommandModule {
  main: (argv: readonly string[], host: ProgramHost) => Promise<void>;
}

/**
 * Electron cannot start without a display that answers, unless it draws nowhere. The platform is chosen before any of our
 * code runs, so the process becomes one that has chosen another.
 */
function drawNowhere(): void {
  app.disableHardwareAcceleration();
  const isChosen = app.commandLine.getSwitchValue("ozone-platform") === "headless";
  if (isChosen) return;
  process.execve?.(process.execPath, [process.execPath, "--ozone-platform=headless", ...process.argv.slice(1)]);
}

/** Gives a command without a window a path that cannot be written to, so that Chromium leaves no files. */
function keepNoProfile(): void {
  const nowhere = join(process.execPath, "nowhere");
  app.setPath("userData", nowhere);
  app.setPath("crashDumps", nowhere);
}

/** Chromium handles the signals that end a program; this passes them to the commands, as Node does. */
function passOnSignals(): void {
  app.on("before-quit", (event) => {
    if (process.listenerCount("SIGTERM") === 0) return;
    event.preventDefault();
    process.emit("SIGTERM", "SIGTERM");
  });
}

/** Runs a `hearth` command, without a window, in place of the desktop program. */
export function runCommand(argv: readonly string[]): void {
  drawNowhere();
  keepNoProfile();
  passOnSignals();
  const run = async () => {
    // Not a literal, so that the bundler keeps it as a separate file.
    const { main } = (await import(new URL("./cli-main.js", import.meta.url).href)) as CommandModule;
    await main(argv, { fork: forkUtilityProcess, command: typedCommand(), removeLoginItem });
    app.exit(Number(process.exitCode ?? 0));
  };
  // For any command, because it may start processes. Not awaited: Electron is ready only after its main module has run.
  app
    .whenReady()
    .then(run)
    .catch((error: unknown) => {
      printError(String(error));
      app.exit(1);
    });
}
