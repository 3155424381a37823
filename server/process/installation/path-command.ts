/**
 * The command `hearth` of the desktop program: a small script in a folder of the user's path. A line in it marks it as
 * Hearth's, so that no other file is overwritten or removed.
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

/** A file of that name exists that Hearth has not made. */
export class ForeignCommandError extends Error {
  override readonly name = "ForeignCommandError";
  constructor(file: string) {
    super(`${file} already exists and does not belong to Hearth: it was not changed`);
  }
}

const mark = "Made by Hearth. Its menu and the command uninstall remove this file.";

const unixScript = (program: string) => `#!/bin/sh\n# ${mark}\nexec ${posixWord(program)} "$@"\n`;

/**
 * A script of Windows doubles percent signs; file names contain no quotes. It is read in the console's code page, which
 * may lack letters of the user's name, so the user's folder is a variable.
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

/** The possible places of the command, the best first. */
function placesOn({ platform, home, env, sharedBin = "/usr/local/bin" }: PathCommandSystem): string[] {
  if (platform === "win32")
    return [join(env["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), "Hearth", "bin", "hearth.cmd")];
  const own = join(home, ".local", "bin", "hearth");
  return platform === "darwin" ? [join(sharedBin, "hearth"), own] : [own];
}

/** The file's text; undefined without the file. */
function ownerOf(file: string): "hearth" | "other" | undefined {
  try {
    return readFileSync(file, "utf8").includes(mark) ? "hearth" : "other";
  } catch (error) {
    return isMissing(error) ? undefined : "other";
  }
}

/** The command that Hearth has made; undefined if there is none. */
export const findPathCommand = (system: PathCommandSystem): string | undefined =>
  placesOn(system).find((file) => ownerOf(file) === "hearth");

const pathOf = ({ platform, env }: PathCommandSystem): string[] =>
  (env["PATH"] ?? env["Path"] ?? "").split(platform === "win32" ? ";" : ":").filter((folder) => folder !== "");

const isOnPath = (folder: string, system: PathCommandSystem): boolean =>
  pathOf(system).some((one) => comparablePath(one, system.platform) === comparablePath(folder, system.platform));

const scriptFor = (program: string, { platform, env }: PathCommandSystem): string =>
  platform === "win32" ? windowsScript(program, env) : unixScript(program);

/** Whether `hearth` in a terminal starts this program: by the command made here, or by a package's link. */
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
 * Makes the command, or updates it for a program that has moved.
 * @param program the program's own path
 * @returns its file, and whether a new terminal finds it there
 * @throws ForeignCommandError, or the system's error if the folder cannot be written
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

/** The program that a script of Hearth starts. */
function programOf(script: string, { platform, env }: PathCommandSystem): string | undefined {
  if (platform !== "win32") return /^exec '(.*)' "\$@"$/m.exec(script)?.[1]?.replaceAll("'\\''", "'");
  const [, variable, rest] = /^"(%LOCALAPPDATA%)?(.*)" %\*\r?$/m.exec(script) ?? [];
  return rest && (variable ? (env["LOCALAPPDATA"] ?? "") : "") + rest.replaceAll("%%", "%");
}

/** Makes an existing command start this program if its own is gone: an update may rename it. */
export function followPathCommand(program: string, system: PathCommandSystem): void {
  const file = findPathCommand(system);
  const before = file && programOf(readFileSync(file, "utf8"), system);
  if (file && before && !existsSync(before)) writeFileSync(file, scriptFor(program, system));
}

/** Removes the command, and its folder from the user's path. @returns its files; none if there was none */
export function removePathCommand(system: PathCommandSystem): string[] {
  const files = placesOn(system).filter((file) => ownerOf(file) === "hearth");
  for (const file of files) {
    rmSync(file);
    if (system.platform === "win32") system.userPath.remove(dirname(file));
  }
  return files;
}
