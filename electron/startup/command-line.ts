/** What this program was called with: flags of its own, or one of the `hearth` commands. */
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
import { linkScheme } from "../desktop/page-link.ts";
import { forkUtilityProcess } from "./fork-utility-process.ts";
import { argumentsAgain, argumentsOfNextTry, behindProgram, withoutForeignSwitches } from "./own-arguments.ts";
import { shellWord } from "../../server/contract/shell-words.ts";

/** The program's own arguments, also where somebody runs a checkout by Electron itself and not by the `hearth` command. */
export function ownArguments(): string[] {
  const given = process.argv.slice(1);
  return withoutForeignSwitches(app.isPackaged ? given : behindProgram(given));
}

/** The program's own path, by which the system can start it again: an AppImage is not where it runs. */
export const programPath = (): string => process.env["APPIMAGE"] ?? process.execPath;

/** Starts the program again once it has ended, as it was called; `program` if it has moved. */
export const relaunch = (program = programPath()): void =>
  app.relaunch({ execPath: program, args: argumentsAgain(process.argv.slice(1)) });

/** Tries a start again that has not come through, once it has ended; `flags` in addition. */
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
 * Has what starts this program by its path follow it: an update, or a person, may have moved it.
 * @throws the system's error where that cannot be written
 */
export function followProgram(): void {
  if (process.platform === "linux") followAutostart(configFolder(), programPath());
  followPathCommand(programPath(), pathCommandSystem());
}

function removeLoginItem(): boolean {
  const item = ownLoginItem();
  const wasOn = item.isOn();
  // One that the desktop has switched off is there, too.
  item.set(false);
  return wasOn;
}

/** On Linux it does nothing: the package's desktop entry goes with the package. */
const removeLinks = () => app.removeAsDefaultProtocolClient(linkScheme);

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
  if (process.platform !== "linux" || isChosen) return;
  process.execve?.(process.execPath, [process.execPath, "--ozone-platform=headless", ...process.argv.slice(1)]);
}

/** A command without a window leaves none of Chromium's files: it gets a path that nothing can be written to. */
function keepNoProfile(): void {
  const nowhere = join(process.execPath, "nowhere");
  app.setPath("userData", nowhere);
  app.setPath("crashDumps", nowhere);
}

/** Chromium takes the signals that end a program; the commands get them as under Node. */
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
  app.dock?.hide();
  keepNoProfile();
  passOnSignals();
  const run = async () => {
    // Not a literal, so that the bundler keeps it as a separate file.
    const { main } = (await import(new URL("./cli-main.js", import.meta.url).href)) as CommandModule;
    await main(argv, { fork: forkUtilityProcess, command: typedCommand(), removeLoginItem, removeLinks });
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
