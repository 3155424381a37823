/** The facts of one path: the results of `lstat` that distinguish the changes. */
import type { Stats } from "node:fs";
import { plainFs } from "../../file-system/plain-fs.ts";
import { unlessBelowFile } from "../../file-system/is-missing.ts";

/** The part that is kept for every file of a watched tree. */
export interface KnownFacts {
  readonly kind: "file" | "directory" | "other";
  /** Bigint where a number is too small (some network and Windows file systems). */
  readonly inode: number | bigint;
  /** Times in milliseconds since 1970. Equal times of the file system stay equal. `born` is 0 where it is not kept. */
  readonly born: number;
  readonly modified: number;
  readonly changed: number;
  readonly size: number;
  readonly mode: number;
  readonly owner: number;
  readonly group: number;
  /** How many names it has; 0 where it is not known. */
  readonly links: number;
}

export interface FileFacts extends KnownFacts {
  readonly accessed: number;
}

/** The result of reading a path: its facts; undefined if it does not exist. */
export type Reading = FileFacts | "unreadable" | undefined;

export const hasFacts = (reading: Reading): reading is FileFacts => typeof reading === "object";

const kindOf = (stats: Stats): FileFacts["kind"] =>
  stats.isFile() ? "file" : stats.isDirectory() ? "directory" : "other";

const exactInode = (path: string) =>
  unlessBelowFile(() => plainFs.lstatSync(path, { bigint: true, throwIfNoEntry: false }))?.ino;

/** @throws the system's error when the path cannot be read (permissions). */
function factsOf(path: string): FileFacts | undefined {
  const stats = unlessBelowFile(() => plainFs.lstatSync(path, { throwIfNoEntry: false }));
  if (!stats) return undefined;
  return {
    kind: kindOf(stats),
    inode: Number.isSafeInteger(stats.ino) ? stats.ino : (exactInode(path) ?? stats.ino),
    born: stats.birthtimeMs,
    modified: stats.mtimeMs,
    changed: stats.ctimeMs,
    accessed: stats.atimeMs,
    size: stats.size,
    mode: stats.mode,
    owner: stats.uid,
    group: stats.gid,
    links: stats.nlink,
  };
}

/**
 * Reads the facts of `path`. Synchronous on purpose: a batch of reads is one consistent snapshot, and on a local disk a call
 * takes microseconds.
 */
export function readFacts(path: string): Reading {
  try {
    return factsOf(path);
  } catch {
    return "unreadable";
  }
}

/** The part of the facts that is kept. */
export const toKnown = ({ accessed: _, ...known }: FileFacts): KnownFacts => known;

/**
 * Identifies one file across all its renames. The birth time is part of it because file systems reuse the inode of a
 * deleted file for the next new one.
 */
export const identityOf = (facts: KnownFacts) => `${facts.inode}:${facts.born}`;

export const sameIdentity = (a: KnownFacts, b: KnownFacts) =>
  a.inode === b.inode && a.born === b.born && a.kind === b.kind;
