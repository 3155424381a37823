/** What is sure about a git repository without running git, which obeys what a repository says. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync, type Stats } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isNowhere } from "../../file-system/is-missing.ts";
import { GitIndexError, pathsInIndex } from "./git-index.ts";

/** Git's own limit is one megabyte; a path needs no more. */
const longestLinkFile = 8192;
/** More than a million files. */
const longestIndex = 128 * 1024 * 1024;

/** The folders around a path, and itself, that have a repository in them, or seem to. */
export function* repositoriesAround(path: string): Generator<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    if (isThere(join(folder, ".git"))) yield folder;
    if (dirname(folder) === folder) return;
  }
}

/** Also where it is a broken link, or nobody can say. */
function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    return !isNowhere(error);
  }
}

function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (isNowhere(error)) return undefined;
    throw error;
  }
}

/** The content of a regular file; undefined where there is none. Pipes and devices are not even opened. */
function readBounded(path: string, longest: number): Buffer | undefined {
  const stats = statIfThere(path);
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw new GitIndexError(`${path} is no file`);
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const { size } = fstatSync(file);
    if (size > longest) throw new GitIndexError(`${path} is too large`);
    const bytes = Buffer.alloc(size);
    let read = 0;
    for (let more = 1; more > 0 && read < size; read += more) more = readSync(file, bytes, read, size - read, read);
    return bytes.subarray(0, read);
  } finally {
    closeSync(file);
  }
}

/** The folder that git keeps its files in. A `.git` that is a file names it: of a worktree or a submodule. */
function gitFolderOf(repository: string): string {
  const place = join(repository, ".git");
  if (statSync(place).isDirectory()) return place;
  const [, named] = /^gitdir: ([^\0\r\n]+)[\r\n]*$/.exec(readBounded(place, longestLinkFile)?.toString() ?? "") ?? [];
  if (named === undefined) throw new GitIndexError(`${place} names no folder`);
  const folder = resolve(repository, named);
  if (statIfThere(folder)?.isDirectory() !== true)
    throw new GitIndexError(`${place} names ${folder}, which is no folder`);
  return folder;
}

/**
 * The files that git keeps of a repository, relative to it.
 * @throws Error also after some files, where it is not sure that they are all
 */
export function* filesIn(repository: string): Generator<string> {
  const index = readBounded(join(gitFolderOf(repository), "index"), longestIndex);
  if (index !== undefined) yield* pathsInIndex(index);
}

/** The owner of a repository who is not this process's user; undefined where there is none, and on Windows. */
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
      // The reader of the index says what is wrong there.
    }
  return undefined;
}
