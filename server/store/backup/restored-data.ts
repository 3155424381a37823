/**
 * Restored data takes the place of what is in a data directory. What is there goes aside, nothing is deleted, and a process
 * that is killed in between leaves what the next one ends. The steps, in `backups/restore-begun`: `new` is whole; all that it
 * replaces goes to `old`; `new` becomes `placing`; what is in it goes to its place; `old` becomes `backups/before-restore-…`.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { renameFileSync } from "../../file-system/rename-file.ts";
import { backupsFolder, timeInName } from "./copy-before-migration.ts";
import { syncFolder } from "../sync-folder.ts";

/** The settings come last aside and first back: a start that comes in between has read them already. */
const replacedNames = [
  ...["hearth.db", "provider.db"].flatMap((name) => [`${name}-wal`, `${name}-shm`, name]),
  ...["uploads", "collections", "fixtures", "routes.json", "platform-certificate.pem", "hearth.config.json"],
];
const journalName = /^folder-\d+\.jsonl$/;

/** What was there before a restore. */
export const isBeforeRestore = (name: string): boolean => name.startsWith("before-restore-");

const begunIn = (dataDir: string) => join(dataDir, backupsFolder, "restore-begun");
/** Where what has been read waits for a moment. */
const preparedIn = (dataDir: string) => join(dataDir, backupsFolder, "restore-prepared");
/** What a restore reads into; nothing is done with it unless that has ended. */
export const incomingIn = (dataDir: string): string => join(dataDir, backupsFolder, "restore-incoming");

/** What of a folder a restore replaces, as paths below it. */
function replacedIn(folder: string): string[] {
  const watch = join(folder, "watch");
  const journals = existsSync(watch) ? readdirSync(watch).filter((name) => journalName.test(name)) : [];
  return [...journals.map((name) => join("watch", name)), ...replacedNames].filter((path) =>
    existsSync(join(folder, path)),
  );
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

/** From here on the restore is done, even if this process is killed. The folder `incomingIn` holds all that is to be there. */
export async function beginPlacing(dataDir: string): Promise<void> {
  const begun = begunIn(dataDir);
  const prepared = preparedIn(dataDir);
  mkdirSync(prepared, { mode: 0o700 });
  renameFileSync(incomingIn(dataDir), join(prepared, "new"));
  await syncAll(prepared);
  renameFileSync(prepared, begun);
  await syncAll(dirname(begun));
}

/** The free name for what was there. */
function asideIn(backups: string): string {
  const name = `before-restore-${timeInName(new Date())}`;
  for (let index = 1; ; index++) {
    const path = join(backups, index === 1 ? name : `${name}-${String(index)}`);
    if (!existsSync(path)) return path;
  }
}

/**
 * Ends a restore that has begun to put its data in place, and removes what one has left that has not. The caller has the data directory to itself.
 * @returns where the data is that was there; undefined where no restore had begun, or nothing was there
 * @throws Error when what is there cannot be moved; it is where it was then
 */
export async function endPlacing(dataDir: string): Promise<{ before: string | undefined } | undefined> {
  for (const left of [incomingIn(dataDir), preparedIn(dataDir)]) await rm(left, { recursive: true, force: true });
  const begun = begunIn(dataDir);
  if (!existsSync(begun)) return undefined;
  const [fresh, placing, old] = [join(begun, "new"), join(begun, "placing"), join(begun, "old")];
  if (existsSync(fresh)) {
    mkdirSync(old, { recursive: true, mode: 0o700 });
    try {
      moveAll(dataDir, old, replacedIn(dataDir));
    } catch (error) {
      moveAll(old, dataDir, replacedIn(old).toReversed());
      rmSync(begun, { recursive: true, force: true });
      throw new Error(
        `what is in ${dataDir} cannot be moved aside, so nothing was restored: ${(error as Error).message}`,
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
