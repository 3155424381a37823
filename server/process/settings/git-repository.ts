/** Facts about a git repository, without running git, which obeys the repository's own configuration. */
import { lstatSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isNowhere } from "../../file-system/is-missing.ts";
import { readSmallFile, statIfThere } from "../../file-system/small-file.ts";
import { GitIndexError, pathsInIndex } from "./git-index.ts";

/** Git's own limit is one megabyte; a path needs no more. */
const longestLinkFile = 8192;
/** More than a million files. */
const longestIndex = 128 * 1024 * 1024;

/** The path and the folders above it that contain a repository, or seem to. */
export function* repositoriesAround(path: string): Generator<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    if (isThere(join(folder, ".git"))) yield folder;
    if (dirname(folder) === folder) return;
  }
}

/** Counts broken links and unreadable paths as present. */
function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    return !isNowhere(error);
  }
}

/** The folder with git's files. The `.git` of a worktree or a submodule is a file that names it. */
function gitFolderOf(repository: string): string {
  const place = join(repository, ".git");
  if (statSync(place).isDirectory()) return place;
  const [, named] = /^gitdir: ([^\0\r\n]+)[\r\n]*$/.exec(readSmallFile(place, longestLinkFile)?.toString() ?? "") ?? [];
  if (named === undefined) throw new GitIndexError(`${place} names no folder`);
  const folder = resolve(repository, named);
  if (statIfThere(folder)?.isDirectory() !== true)
    throw new GitIndexError(`${place} names ${folder}, which is not a folder`);
  return folder;
}

/** The tracked files of a repository, relative to it. @throws Error possibly after some files, if there may be more */
export function* filesIn(repository: string): Generator<string> {
  const index = readSmallFile(join(gitFolderOf(repository), "index"), longestIndex);
  if (index !== undefined) yield* pathsInIndex(index);
}

/** The owner of a repository, if that is not this process's user; undefined on Windows. */
export function foreignOwner(repository: string, user = process.getuid?.()): number | undefined {
  const place = join(repository, ".git");
  const ownersOf: (() => number | undefined)[] = [
    () => lstatSync(place).uid,
    () => statSync(place).uid,
    () => statSync(gitFolderOf(repository)).uid,
    () => statIfThere(join(gitFolderOf(repository), "index"))?.uid,
  ];
  for (const ownerOf of user === undefined ? [] : ownersOf)
    try {
      const owner = ownerOf() ?? user;
      if (owner !== user) return owner;
    } catch {
      // The reader of the index reports the problem.
    }
  return undefined;
}
