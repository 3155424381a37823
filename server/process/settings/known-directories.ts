/**
 * Which data directories in a project this user's Hearth has made, or the user has named. One that came with a clone holds
 * what its author has chosen: keys, devices that are let in, upstreams, links. So Hearth leaves a random id in a directory,
 * and notes id and path where no clone reaches: in a list beside the user's own data directory.
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

/** @param usersDir the data directory that is used unless another is named */
export const listOfDirectories = (usersDir: string): string => `${usersDir}-directories`;

const idFileIn = (dataDir: string) => join(dataDir, "directory-id");

/** Undefined where there is none. What is no file, or is too long, has no id in it. */
function readIfThere(file: string, longest: number): string | undefined {
  try {
    return readSmallFile(file, longest)?.toString();
  } catch {
    return undefined;
  }
}

const readId = (dataDir: string) => readIfThere(idFileIn(dataDir), 64);

/** As the system spells it. */
const realPath = (path: string) => realpathSync.native(path);

const lineOf = (id: string, dataDir: string) => JSON.stringify([id, realPath(dataDir)]);
const lineOfRepository = ({ folder, owner }: ForeignRepository) => JSON.stringify(["repository", folder, owner]);

/** A line for each project, so that no user comes near it. */
const longestList = 64 * 1024 * 1024;

const isListed = (line: string, usersDir: string) =>
  (readIfThere(listOfDirectories(usersDir), longestList) ?? "").split("\n").includes(line);

function addToList(line: string, usersDir: string): void {
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

/** Whether nobody else can have filled a data directory. */
export function isKnownDirectory(dataDir: string, usersDir: string): boolean {
  if (isEmpty(dataDir)) return true;
  const id = readId(dataDir);
  return id !== undefined && isListed(lineOf(id, dataDir), usersDir);
}

/** Why files of a data directory may be anybody's, though this user's Hearth has made it; undefined where they cannot. */
export const pullProblem = (dataDir: string, usersDir: string): string | undefined =>
  isEmpty(dataDir)
    ? undefined
    : trackingProblem(realPath(dataDir), (repository) => isListed(lineOfRepository(repository), usersDir));

/** Makes a data directory known, which is there. Where that cannot be written, the next start says what the user can do. */
export function noteDirectory(dataDir: string, usersDir: string): void {
  try {
    const given = readId(dataDir);
    if (given !== undefined && isKnownDirectory(dataDir, usersDir)) return;
    const id = given ?? randomUUID();
    addToList(lineOf(id, dataDir), usersDir);
    if (given === undefined) replaceFileSync(idFileIn(dataDir), id);
  } catch {
    // A read-only home or a full disk.
  }
}

/** Whether the file of a working directory names this data directory. Both are there. */
function isNamedIn(cwd: string, dataDir: string): boolean {
  try {
    const { data_dir: named } = readConfigFile(join(cwd, configFileName));
    return typeof named === "string" && realPath(resolve(cwd, named)) === realPath(dataDir);
  } catch {
    return false; // Who reads its settings tells what is wrong with it.
  }
}

/** Of a data directory in a project, git keeps this file, which goes with each clone, and nothing else. */
export const gitIgnore = { name: ".gitignore", text: "*\n!.gitignore\n" };

/** Unless it has other files in it as well, or the project. */
function keepFromGit(cwd: string, dataDir: string): void {
  if (isWithinAnyCase(realPath(dataDir), realPath(cwd)) || !readdirSync(dataDir).every(isHearthsName)) return;
  try {
    writeFileSync(join(dataDir, gitIgnore.name), gitIgnore.text, { flag: "wx" });
  } catch {
    // It is there already, or the disk is full.
  }
}

/** For whoever has made a data directory: the next run in the working directory, whose file may name it, knows it, and git leaves it. */
export function noteIfNamed(cwd: string, dataDir: string, usersDir: string): void {
  if (!isNamedIn(cwd, dataDir)) return;
  keepFromGit(cwd, dataDir);
  noteDirectory(dataDir, usersDir);
}

/** For a data directory that the user has named in this working directory: repositories of other users around it do not matter. */
export function confirmRepositories(cwd: string, dataDir: string, usersDir: string): void {
  if (!isNamedIn(cwd, dataDir)) return;
  try {
    for (const line of foreignRepositories(realPath(dataDir)).map(lineOfRepository))
      if (!isListed(line, usersDir)) addToList(line, usersDir);
  } catch {
    // As above: the next start says what the user can do.
  }
}
