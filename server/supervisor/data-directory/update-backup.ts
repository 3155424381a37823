/**
 * Backs up the data of an older Hearth before a newer one changes them, and restores them. A process of its own does
 * the work, whose entry is a parameter.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../../contract/process/settings.ts";
import { backupsFolder, readUpdateBackupName } from "../../contract/process/backup-names.ts";
import { askWorker, type Asking } from "../processes/ask-worker.ts";
import { otherVersion, versionOfData } from "./data-version.ts";
import { RunError, type UpdateBackup } from "../run-error.ts";

/** Each holds all uploads. */
export const keptUpdateBackups = 2;

export type UpdateBackupTask =
  | { readonly type: "back-up"; readonly dataDir: string; readonly version: string }
  | { readonly type: "restore"; readonly dataDir: string; readonly version: string; readonly file: string };

/** The settings that locate the data. */
export type DataSettings = Pick<Settings, "data_dir" | "database_url">;

/** The backups of the data, the newest first. */
export function updateBackups({ data_dir: dataDir, database_url: url }: DataSettings): UpdateBackup[] {
  if (url !== undefined) return []; // what is in the folder is of files that PostgreSQL has replaced
  const folder = join(dataDir, backupsFolder);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const found = names.flatMap((name) => {
    const read = readUpdateBackupName(name);
    return read?.isWhole === true ? [{ file: join(folder, name), version: read.version, time: read.time }] : [];
  });
  return found.sort((a, b) => b.time.getTime() - a.time.getTime());
}

/** The newest backup of an older Hearth's data. */
export const olderBackup = (settings: DataSettings, own: string): UpdateBackup | undefined =>
  updateBackups(settings).find(({ version }) => version !== own && versionOfData(version, own) === version);

interface Work extends Asking {
  /** Path of the process's bundled entry. */
  readonly entry: string;
}

/**
 * Backs up the data if the setting allows it, an older Hearth made them, and this one would change their tables. The
 * caller holds the data directory's lock.
 * @param version of this Hearth
 * @returns the new backup, if one was made
 * @throws RunError with the reason for a missing backup; the signal's reason
 */
export async function backUpBeforeUpdate(
  settings: DataSettings & Pick<Settings, "update_backup">,
  version: string,
  { entry, ...asking }: Work,
): Promise<UpdateBackup | undefined> {
  const { data_dir: dataDir, database_url: url, update_backup: isWanted } = settings;
  if (!isWanted || url !== undefined) return undefined; // PostgreSQL has backups of its own
  const older = otherVersion(dataDir, version);
  if (older === undefined) return undefined;
  const task: UpdateBackupTask = { type: "back-up", dataDir, version: older };
  const file = await askWorker<string | undefined>({ name: "backup", entry }, task, asking).catch((error: Error) => {
    asking.signal.throwIfAborted();
    throw new RunError(
      `the data of Hearth ${older} in ${dataDir} cannot be backed up before the update to ${version} (${error.message}): fix the problem, or start with --no-update-backup, which copies only the databases and allows no return`,
      { type: "no-backup" },
    );
  });
  return updateBackups(settings).find((backup) => backup.file === file);
}

/**
 * Replaces the data by those of a backup, for the Hearth of its version. The caller holds the data directory's lock.
 * @returns the folder that keeps the replaced data
 * @throws Error with the reason; nothing was changed then
 */
export async function restoreUpdateBackup(
  dataDir: string,
  { file, version }: UpdateBackup,
  { entry, ...asking }: Work,
): Promise<string | undefined> {
  const task: UpdateBackupTask = { type: "restore", dataDir, version, file };
  return askWorker<string | undefined>({ name: "backup", entry }, task, asking);
}
