/**
 * Puts restored data in the place of a data directory's content. The old content is moved aside, nothing is deleted,
 * and the next process completes the steps of a killed one. The steps, in `backups/restore-begun`: `new` is complete;
 * all replaced data moves to `old`; `new` is renamed to `placing`; its content moves to its place; `old` is renamed to
 * `backups/before-restore-…`.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  backupsFolder,
  journalPattern,
  restoreBegun,
  timeInName,
  versionNote,
} from "../../contract/process/backup-names.ts";
import { renameFileSync } from "../../file-system/rename-file.ts";
import { syncFolder } from "../sync-folder.ts";

/**
 * The order in which they are moved aside; they are put in place in reverse order. The settings are last, because an
 * interrupting start has already read them. A database comes before its journal, without which it lacks commits.
 */
const replacedNames = [
  ...["hearth.db", "provider.db"].flatMap((name) => [name, `${name}-wal`, `${name}-shm`]),
  ...[
    "uploads",
    "collections",
    "fixtures",
    "routes.json",
    "platform-certificate.pem",
    versionNote,
    // Keys are in no backup: they admitted callers to the replaced data.
    "keys.json",
    "hearth.config.json",
  ],
];
const [restorePrepared, restoreIncoming] = ["restore-prepared", "restore-incoming"];

/** The content from before a restore. */
export const isBeforeRestore = (name: string): boolean => name.startsWith("before-restore-");

/** The folders of a restore that was cut off. */
export const isOfRestore = (name: string): boolean => [restoreBegun, restorePrepared, restoreIncoming].includes(name);

const begunIn = (dataDir: string) => join(dataDir, backupsFolder, restoreBegun);
/** The restored data, ready to be put in place. */
const preparedIn = (dataDir: string) => join(dataDir, backupsFolder, restorePrepared);
/** Whether a restore puts its data in place, or was killed at that. They are whole only after `endPlacing`. */
export const isPlacing = (dataDir: string): boolean => existsSync(begunIn(dataDir));
/** The folder that a restore writes to. Only a complete one is used. */
export const incomingIn = (dataDir: string): string => join(dataDir, backupsFolder, restoreIncoming);

/** A link counts as present wherever it leads: after a move with its folder, its target may be missing. */
const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** The parts of a folder that a restore replaces, as relative paths. */
function replacedIn(folder: string): string[] {
  return [...journalsIn(folder), ...replacedNames].filter((path) => isThere(join(folder, path)));
}

/** The journals of watches in a data directory, as relative paths. */
export function journalsIn(folder: string): string[] {
  const watch = join(folder, "watch");
  const names = existsSync(watch) ? readdirSync(watch).filter((name) => journalPattern.test(name)) : [];
  return names.map((name) => join("watch", name));
}

function moveAll(from: string, to: string, paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    renameFileSync(join(from, path), join(to, path));
  }
}

async function syncAll(...folders: string[]): Promise<void> {
  for (const folder of folders)
    for (const one of [folder, join(folder, "watch")]) if (existsSync(one)) await syncFolder(one);
}

/** Commits the restore, even if this process is killed later. The folder `incomingIn` contains all of it. */
export async function beginPlacing(dataDir: string): Promise<void> {
  const begun = begunIn(dataDir);
  const prepared = preparedIn(dataDir);
  mkdirSync(prepared, { mode: 0o700 });
  renameFileSync(incomingIn(dataDir), join(prepared, "new"));
  await syncAll(prepared);
  renameFileSync(prepared, begun);
  await syncAll(dirname(begun));
}

/** An unused name for the old content. */
function asideIn(backups: string): string {
  const name = `before-restore-${timeInName(new Date())}`;
  for (let index = 1; ; index++) {
    const path = join(backups, index === 1 ? name : `${name}-${String(index)}`);
    if (!existsSync(path)) return path;
  }
}

/**
 * Moves aside files that were created in the data directory after a killed process had emptied these paths. A database
 * is moved with its journal, which another database would use as its own.
 */
async function clear(dataDir: string, paths: readonly string[]): Promise<void> {
  const found = new Set(paths.filter((path) => isThere(join(dataDir, path))));
  if (found.size === 0) return;
  for (const path of replacedIn(dataDir)) if (found.has(path.replace(/-(wal|shm)$/, ""))) found.add(path);
  const aside = asideIn(join(dataDir, backupsFolder));
  moveAll(dataDir, aside, [...found]);
  await syncAll(aside, dirname(aside), dataDir);
}

/**
 * Completes an interrupted restore that was putting its data in place, and removes the remains of one that was not. The
 * caller must hold the data directory exclusively.
 * @returns the folder with the old data; undefined when no restore was interrupted, or there was no old data
 * @throws Error when the old data cannot be moved; it is at its old place then
 */
export async function endPlacing(dataDir: string): Promise<{ before: string | undefined } | undefined> {
  for (const left of [incomingIn(dataDir), preparedIn(dataDir)]) await rm(left, { recursive: true, force: true });
  const begun = begunIn(dataDir);
  if (!isPlacing(dataDir)) return undefined;
  const [fresh, placing, old] = [join(begun, "new"), join(begun, "placing"), join(begun, "old")];
  if (existsSync(fresh)) {
    mkdirSync(old, { recursive: true, mode: 0o700 });
    await clear(dataDir, replacedIn(old));
    try {
      moveAll(dataDir, old, replacedIn(dataDir));
    } catch (error) {
      moveAll(old, dataDir, replacedIn(old).toReversed());
      // This comes first, because the next process would put the remains of an interrupted removal in place.
      renameFileSync(begun, preparedIn(dataDir));
      rmSync(preparedIn(dataDir), { recursive: true, force: true });
      throw new Error(
        `nothing was restored, because the data in ${dataDir} cannot be moved aside: ${(error as Error).message}`,
        {
          cause: error,
        },
      );
    }
    await syncAll(old, dataDir);
    renameFileSync(fresh, placing);
    await syncAll(begun);
  }
  if (existsSync(placing)) {
    await clear(dataDir, replacedIn(placing));
    moveAll(placing, dataDir, replacedIn(placing).toReversed());
    await syncAll(placing, dataDir);
    rmSync(placing, { recursive: true, force: true });
  }
  const before = replacedIn(old).length > 0 ? asideIn(dirname(begun)) : undefined;
  if (before !== undefined) renameFileSync(old, before);
  rmSync(begun, { recursive: true, force: true });
  await syncAll(dirname(begun));
  return { before };
}
