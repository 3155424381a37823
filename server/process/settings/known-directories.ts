/**
 * Lists the data directories in projects that this user's Hearth has made, or the user has named. The author of a clone
 * could prepare its data directory: with keys, admitted devices, upstreams, links. Hearth therefore leaves a random id
 * in its directories, and lists id and path next to the user's own data directory, which no clone reaches.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isWithinAnyCase } from "../../file-system/compare-paths.ts";
import { isNowhere } from "../../file-system/is-missing.ts";
import { replaceFileSync } from "../../file-system/replace-file.ts";
import { readSmallFile } from "../../file-system/small-file.ts";
import { configFileName, readConfigFile } from "./config-file.ts";
import { gitsFile, isHearthsName } from "./data-names.ts";
import { foreignRepositories, trackingProblem, type ForeignRepository } from "./tracked-files.ts";

/** @param usersDir the default data directory */
export const listOfDirectories = (usersDir: string): string => `${usersDir}-directories`;

const idFileIn = (dataDir: string) => join(dataDir, "directory-id");

/** The text of a file; undefined if it is missing. Other entries, and long files, contain no id. */
function readIfThere(file: string, longest: number): string | undefined {
  try {
    return readSmallFile(file, longest)?.toString();
  } catch {
    return undefined;
  }
}

const readId = (dataDir: string) => readIfThere(idFileIn(dataDir), 64);

/** The path as the system spells it. */
export const nativePath = (path: string) => realpathSync.native(path);

const lineOf = (id: string, dataDir: string) => JSON.stringify([id, nativePath(dataDir)]);
const lineOfRepository = ({ folder, owner }: ForeignRepository) => JSON.stringify(["repository", folder, owner]);

/** A line for each project, so no user reaches this limit. */
const longestList = 64 * 1024 * 1024;

export const isListed = (line: string, usersDir: string) =>
  (readIfThere(listOfDirectories(usersDir), longestList) ?? "").split("\n").includes(line);

export function addToList(line: string, usersDir: string): void {
  const list = listOfDirectories(usersDir);
  mkdirSync(dirname(list), { recursive: true, mode: 0o700 });
  appendFileSync(list, `${line}\n`, { mode: 0o600 });
}

function isEmpty(dataDir: string): boolean {
  try {
    return readdirSync(dataDir).every((name) => gitsFile.test(name));
  } catch (error) {
    if (isNowhere(error)) return true;
    throw error;
  }
}

/** Whether only this user's Hearth can have filled a data directory. */
export function isKnownDirectory(dataDir: string, usersDir: string): boolean {
  if (isEmpty(dataDir)) return true;
  const id = readId(dataDir);
  return id !== undefined && isListed(lineOf(id, dataDir), usersDir);
}

/**
 * Why files of a data directory may be untrusted, although this user's Hearth has made it; undefined if they are not.
 */
export const pullProblem = (dataDir: string, usersDir: string): string | undefined =>
  isEmpty(dataDir)
    ? undefined
    : trackingProblem(nativePath(dataDir), (repository) => isListed(lineOfRepository(repository), usersDir));

/**
 * Adds an existing data directory to the list. If the list cannot be written, the next start reports what the user can
 * do.
 */
export function noteDirectory(dataDir: string, usersDir: string): void {
  try {
    const known = readId(dataDir);
    if (known !== undefined && isKnownDirectory(dataDir, usersDir)) return;
    const id = known ?? randomUUID();
    addToList(lineOf(id, dataDir), usersDir);
    if (known === undefined) replaceFileSync(idFileIn(dataDir), id);
  } catch {
    // A read-only home or a full disk.
  }
}

/** Whether the file of a working directory names this data directory. Both must exist. */
function isNamedIn(cwd: string, dataDir: string): boolean {
  try {
    const { data_dir: named } = readConfigFile(join(cwd, configFileName));
    return typeof named === "string" && nativePath(resolve(cwd, named)) === nativePath(dataDir);
  } catch {
    return false; // Who reads its settings tells what is wrong with it.
  }
}

/** The only file of a project's data directory that git keeps. */
export const gitIgnore = { name: ".gitignore", text: "*\n!.gitignore\n" };

/** Makes git ignore the data directory, unless it contains other files or the project. */
function keepFromGit(cwd: string, dataDir: string): void {
  if (isWithinAnyCase(nativePath(dataDir), nativePath(cwd)) || !readdirSync(dataDir).every(isHearthsName)) return;
  try {
    writeFileSync(join(dataDir, gitIgnore.name), gitIgnore.text, { flag: "wx" });
  } catch {
    // The file exists already, or the disk is full.
  }
}

/** Lists a new data directory if the working directory's file names it, and makes git ignore it. */
export function noteIfNamed(cwd: string, dataDir: string, usersDir: string): void {
  if (!isNamedIn(cwd, dataDir)) return;
  keepFromGit(cwd, dataDir);
  noteDirectory(dataDir, usersDir);
}

/** Confirms repositories of other users around a data directory that the user has named. */
export function confirmRepositories(cwd: string, dataDir: string, usersDir: string): void {
  if (!isNamedIn(cwd, dataDir)) return;
  try {
    for (const line of foreignRepositories(nativePath(dataDir)).map(lineOfRepository))
      if (!isListed(line, usersDir)) addToList(line, usersDir);
  } catch {
    // The next start reports what the user can do.
  }
}
