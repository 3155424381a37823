/**
 * Which data directories in a project this user's Hearth has made, or the user has named. One that came with a clone holds
 * what its author has chosen: keys, devices that are let in, upstreams, links. So Hearth leaves a random id in a directory,
 * and notes id and path where no clone reaches: in a list beside the user's own data directory.
 */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { isMissing, isNowhere } from "../../file-system/is-missing.ts";
import { replaceFileSync } from "../../file-system/replace-file.ts";
import { configFileName, readConfigFile } from "./config-file.ts";

/** @param usersDir the data directory that is used unless another is named */
export const listOfDirectories = (usersDir: string): string => `${usersDir}-directories`;

const idFileIn = (dataDir: string) => join(dataDir, "directory-id");

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    // What is no file has no id in it.
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === "EISDIR") return undefined;
    throw error;
  }
}

/** As the system spells it. */
const realPath = (path: string) => realpathSync.native(path);

const lineOf = (id: string, dataDir: string) => JSON.stringify([id, realPath(dataDir)]);

/** With these, git keeps a folder that is otherwise empty. */
const gitsOwn = new Set([".gitignore", ".gitkeep"]);

function isEmpty(dataDir: string): boolean {
  try {
    return readdirSync(dataDir).every((name) => gitsOwn.has(name));
  } catch (error) {
    if (isNowhere(error)) return true;
    throw error;
  }
}

/** Whether nobody else can have filled a data directory. */
export function isKnown(dataDir: string, usersDir: string): boolean {
  if (isEmpty(dataDir)) return true;
  const id = readIfThere(idFileIn(dataDir));
  return id !== undefined && (readIfThere(listOfDirectories(usersDir)) ?? "").split("\n").includes(lineOf(id, dataDir));
}

/** What a project's own file may say or name anyway. */
const projectsOwn = /^(?:hearth\.config\.json|routes\.json|collections\/[^/]+\.json)$/;

/**
 * A file in a data directory that a git repository around it holds: a pull brings and changes such files, so they are
 * anybody's, also where Hearth has made the directory. Nothing is run that the repository names.
 */
export function trackedIn(dataDir: string): string | undefined {
  if (isEmpty(dataDir)) return undefined;
  const real = realPath(dataDir);
  const asked = ["-C", dirname(real), "-c", "core.fsmonitor=false", "--literal-pathspecs", "ls-files", "-z", "--"];
  // Of a hook of git they would name another repository.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  // Windows looks for a program in the working directory first.
  const { stdout } = spawnSync("git", [...asked, basename(real)], {
    cwd: homedir(),
    env,
    encoding: "utf8",
    windowsHide: true,
  });
  // Without git nobody pulls.
  return ((stdout as string | null) ?? "")
    .split("\0")
    .filter((file) => file !== "")
    .find((file) => {
      const inside = file.slice(basename(real).length + 1);
      return !gitsOwn.has(inside) && !projectsOwn.test(inside);
    });
}

/** Makes a data directory known, which is there. Where that cannot be written, the next start says what the user can do. */
export function noteDirectory(dataDir: string, usersDir: string): void {
  try {
    const given = readIfThere(idFileIn(dataDir));
    if (given !== undefined && isKnown(dataDir, usersDir)) return;
    const id = given ?? randomUUID();
    const list = listOfDirectories(usersDir);
    mkdirSync(dirname(list), { recursive: true, mode: 0o700 });
    appendFileSync(list, `${lineOf(id, dataDir)}\n`, { mode: 0o600 });
    if (given === undefined) replaceFileSync(idFileIn(dataDir), id);
  } catch {
    // A read-only home or a full disk.
  }
}

/** Whether the file of a working directory names this data directory. Both are there. */
export function isNamedIn(cwd: string, dataDir: string): boolean {
  try {
    const { data_dir: named } = readConfigFile(join(cwd, configFileName));
    return typeof named === "string" && realPath(resolve(cwd, named)) === realPath(dataDir);
  } catch {
    return false; // Who reads its settings tells what is wrong with it.
  }
}
