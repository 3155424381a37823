import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { backupsFolder, migrationCopies, readUpdateBackupName } from "../../contract/process/backup-names.ts";
import { isCopyBeforeMigration } from "./copy-before-migration.ts";
import { isBeforeRestore, isOfRestore } from "./restored-data.ts";
import { ifMissing } from "../../file-system/is-missing.ts";

const isBackup = (name: string) =>
  isCopyBeforeMigration(name) ||
  isBeforeRestore(name) ||
  readUpdateBackupName(name) !== undefined ||
  name.startsWith(`${migrationCopies}.part-`);

/** Deletes Hearth's own files from the folder of backups, and keeps a person's. Returns their number. */
export async function removeBackups(dataDir: string, isOwn: (name: string) => boolean = isBackup): Promise<number> {
  const folder = join(dataDir, backupsFolder);
  const names = await readdir(folder).catch(ifMissing([]));
  const own = names.filter(isOwn);
  for (const name of own) await rm(join(folder, name), { recursive: true, force: true });
  return own.length;
}

/** Deletes the folder of backups, where no Hearth runs, but a person's files in it. Returns their names. */
export async function removeBackupsFolder(dataDir: string): Promise<string[]> {
  await removeBackups(dataDir, (name) => isBackup(name) || isOfRestore(name));
  const folder = join(dataDir, backupsFolder);
  const left = await readdir(folder).catch(ifMissing(undefined));
  if (left?.length === 0) await rmdir(folder);
  return left ?? [];
}
