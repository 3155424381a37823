import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { backupsFolder, readUpdateBackupName } from "../../contract/process/backup-names.ts";
import { isCopyBeforeMigration } from "./copy-before-migration.ts";
import { isBeforeRestore } from "./restored-data.ts";
import { ifMissing } from "../../file-system/is-missing.ts";

/** Deletes Hearth's own files from the folder of backups, and keeps a person's. Returns their number. */
export async function removeBackups(dataDir: string): Promise<number> {
  const folder = join(dataDir, backupsFolder);
  const names = await readdir(folder).catch(ifMissing([]));
  const own = names.filter(
    (name) => isCopyBeforeMigration(name) || isBeforeRestore(name) || readUpdateBackupName(name) !== undefined,
  );
  for (const name of own) await rm(join(folder, name), { recursive: true, force: true });
  return own.length;
}
