/**
 * The command `hearth` of the desktop program: a small script in a folder of the user's path. A line in it says that it is
 * Hearth's, so that nothing else is ever overwritten or removed.
 */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { comparablePath, isWithinAnyCase } from "../../file-system/compare-paths.ts";
import type { UserPath } from "./user-path.ts";
import { isMissing } from "../../file-system/is-missing.ts";
import { posixWord } from "../../contract/shell-words.ts";

export interface PathCommandSystem {
  readonly platform: NodeJS.Platform;
  /** The user's home directory. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** The user's path in the registry of Windows. */
  readonly userPath: UserPath;
  /** The folder for commands of all users of macOS. */
  readonly sharedBin?: string;
}

/** A file of that name is there that Hearth has not made. */
export class ForeignCommandError extends Error {
  override readonly name = "ForeignCommandError";
  constructor(file: string) {
    super(`${file} is there already and was not made by Hearth: it stays as it is`);
  }
}

const mark = "Made by Hearth, whose menu and whose command uninstall remove it.";

const unixScript = (program: string) => `#!/bin/sh\n# ${mark}\nexec ${posixWord(program)} "$@"\n`;

/**
 * In a script of Windows a percent sign is written twice; its names hold no quotes. It is read by the console's code page,
 * which may lack letters of the user's name: the user's folder is a variable.
 */
function windowsScript(program: string, { LOCALAPPDATA: folder = "" }: NodeJS.ProcessEnv): string {
  const isBelow = folder !== "" && isWithinAnyCase(folder, program, "win32");
  const escaped = (isBelow ? program.slice(folder.length) : program).replaceAll("%", "%%");
  return ["@echo off", `rem ${mark}`, `"${isBelow ? "%LOCALAPPDATA%" : ""}${escaped}" %*`, ""].join("\r\n");
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where the command may lie, the best place first. */
function placesOn({ platform, home, env, sharedBin = "/usr/local/bin" }: PathCommandSystem): string[] {
  if (platform === "win32")
    return [join(env["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), "Hearth", "bin", "hearth.cmd")];
  const own = join(home, ".local", "bin", "hearth");
  return platform === "darwin" ? [join(sharedBin, "hearth"), own] : [own];
}

/** What is in the file; undefined where there is none. */
function ownerOf(file: string): "hearth" | "other" | undefined {
  try {
    return readFileSync(file, "utf8").includes(mark) ? "hearth" : "other";
  } catch (error) {
    return isMissing(error) ? undefined : "other";
  }
}

/** The command that Hearth has made; undefined where there is none. */
export const findPathCommand = (system: PathCommandSystem): string | undefined =>
  placesOn(system).find((file) => ownerOf(file) === "hearth");

const pathOf = ({ platform, env }: PathCommandSystem): string[] =>
  (env["PATH"] ?? env["Path"] ?? "").split(platform === "win32" ? ";" : ":").filter((folder) => folder !== "");

const isOnPath = (folder: string, system: PathCommandSystem): boolean =>
  pathOf(system).some((one) => comparablePath(one, system.platform) === comparablePath(folder, system.platform));

const scriptFor = (program: string, { platform, env }: PathCommandSystem): string =>
  platform === "win32" ? windowsScript(program, env) : unixScript(program);

/** Whether `hearth` in a terminal starts this program: by the command made here, or by a link that a package brought. */
export function isKnownAsHearth(program: string, system: PathCommandSystem): boolean {
  const name = system.platform === "win32" ? "hearth.cmd" : "hearth";
  const leadsHere = (file: string) => {
    try {
      return realpathSync(file) === realpathSync(program) || readFileSync(file, "utf8") === scriptFor(program, system);
    } catch {
      return false;
    }
  };
  return pathOf(system).some((folder) => leadsHere(join(folder, name)));
}

/**
 * Makes the command, or makes it anew for a program that has moved.
 * @param program the program's own path
 * @returns where it lies, and whether a new terminal finds it there
 * @throws ForeignCommandError, or the system's error where the folder cannot be written
 */
export function installPathCommand(program: string, system: PathCommandSystem): { file: string; onPath: boolean } {
  const places = placesOn(system);
  const file = findPathCommand(system) ?? places.find((one) => isWritable(dirname(one))) ?? places.at(-1) ?? "";
  if (ownerOf(file) === "other") throw new ForeignCommandError(file);
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
  const isWindows = system.platform === "win32";
  writeFileSync(file, scriptFor(program, system));
  if (isWindows) system.userPath.add(folder);
  else chmodSync(file, 0o755);
  return { file, onPath: isWindows || isOnPath(folder, system) };
}

/** The program that a script made here starts. */
function programOf(script: string, { platform, env }: PathCommandSystem): string | undefined {
  if (platform !== "win32") return /^exec '(.*)' "\$@"$/m.exec(script)?.[1]?.replaceAll("'\\''", "'");
  const [, variable, rest] = /^"(%LOCALAPPDATA%)?(.*)" %\*\r?$/m.exec(script) ?? [];
  return rest && (variable ? (env["LOCALAPPDATA"] ?? "") : "") + rest.replaceAll("%%", "%");
}

/** Has the command, if there is one, start this program where the one that it starts is gone: an update may rename it. */
export function followPathCommand(program: string, system: PathCommandSystem): void {
  const file = findPathCommand(system);
  const before = file && programOf(readFileSync(file, "utf8"), system);
  if (file && before && !existsSync(before)) writeFileSync(file, scriptFor(program, system));
}

/** Removes the command, and what it has in the user's path. @returns its files; none where there was none */
export function removePathCommand(system: PathCommandSystem): string[] {
  const files = placesOn(system).filter((file) => ownerOf(file) === "hearth");
  for (const file of files) {
    rmSync(file);
    if (system.platform === "win32") system.userPath.remove(dirname(file));
  }
  return files;
}
