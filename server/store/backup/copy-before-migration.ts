/**
 * Copies a database before its migration, which cannot be undone, so that the older Hearth can continue with the copy.
 */
import { readdirSync, rmSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { backupsFolder, timeInName } from "../../contract/process/backup-names.ts";
import { renameFile } from "../../file-system/rename-file.ts";
import { copyDatabase } from "./copy-database.ts";
import { DatabaseProblem, ranMigrations } from "../database-problem.ts";
import { syncFolder } from "../sync-folder.ts";
import type { Sqlite } from "../native-sqlite.ts";

/** The number of kept copies of each database, the newest ones. */
const keptCopies = 5;

/** `hearth-at-0023_name-20261121T155920Z.db`: the copy's newest migration, and its time. */
const copyName = /^([a-z]{1,20})-at-\w{1,100}-(\d{8}T\d{6}Z)\.db(\.part)?$/;

/** Whether a file in the folder of backups is such a copy, complete or not. */
export const isCopyBeforeMigration = (name: string): boolean => copyName.test(name);

/** Removes all but the newest copies of a database, and incomplete ones. */
function removeOld(folder: string, database: string): void {
  const copies = readdirSync(folder).flatMap((name) => {
    const [, of, time = "", part] = copyName.exec(name) ?? [];
    return of === database ? [{ name, time: part === undefined ? time : "" }] : [];
  });
  copies.sort((a, b) => b.time.localeCompare(a.time));
  for (const [index, { name, time }] of copies.entries())
    if (index >= keptCopies || time === "") rmSync(join(folder, name), { force: true });
}

async function syncFile(path: string): Promise<void> {
  await using file = await open(path, "r+");
  await file.sync();
}

/**
 * Copies a database with missing migrations into the folder `backups` beside it.
 * @returns the copy's path; undefined when there is nothing to migrate
 * @throws DatabaseProblem `database_not_copied`; nothing was changed then
 */
export async function copyBeforeMigration(sqlite: Sqlite, known: readonly string[]): Promise<string | undefined> {
  const ran = ranMigrations(sqlite);
  const last = ran.at(-1);
  if (last === undefined || known.every((name) => ran.includes(name))) return undefined;
  const folder = join(dirname(sqlite.name), backupsFolder);
  const database = basename(sqlite.name, ".db");
  const copy = join(folder, `${database}-at-${last}-${timeInName(new Date())}.db`);
  const part = `${copy}.part`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await rm(part, { force: true });
    await copyDatabase(sqlite, part);
    await syncFile(part);
    await renameFile(part, copy);
    await syncFolder(folder);
    removeOld(folder, database);
    return copy;
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw new DatabaseProblem(
      "database_not_copied",
      `${sqlite.name} must be brought up to date, and the copy that is made of it before cannot be written to ${folder} (${(error as Error).message}): make room there and start again; the database was not changed`,
      { cause: error },
    );
  }
}
