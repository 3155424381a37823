/**
 * A process of its own that backs up the data of an older Hearth before this one changes them, or restores them. Its
 * parent holds the data directory's lock. If the parent is killed, no other Hearth uses the data before this process
 * ends.
 */
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { backupsFolder, readUpdateBackupName, updateBackupName } from "../../contract/process/backup-names.ts";
import { neededRoom, roomIn } from "../../process/disk-room.ts";
import { holdData } from "../../process/lifetime/services-lock.ts";
import { byteText } from "../../process/terminal/byte-text.ts";
import { endPlacing } from "../../store/backup/restored-data.ts";
import { damageIn, ranMigrations } from "../../store/database-problem.ts";
import { answerTask } from "../../process/lifetime/answer-task.ts";
import { keptUpdateBackups, type UpdateBackupTask } from "../../supervisor/data-directory/update-backup.ts";
import { databases, wholeFolders } from "./backup-format.ts";
import { knownMigrations } from "./check-copies.ts";
import { makeBackup } from "./make-backup.ts";
import { restoreBackup } from "./restore-backup.ts";
import { Sqlite } from "../../store/native-sqlite.ts";

type OnProgress = (status: string, done: number, total: number) => void;

// The parent has ended.
process.once("disconnect", () => process.exit());
// Backups hold secrets.
process.umask(0o077);
const { signal } = new AbortController();

/** Whether this Hearth would change the tables. It would not change those of a newer one, or missing ones. */
function isMigrationDue(file: string, known: readonly string[]): boolean {
  if (!existsSync(file)) return false;
  try {
    const sqlite = new Sqlite(file, { readOnly: true });
    try {
      const ran = ranMigrations(sqlite);
      return ran.length > 0 && ran.every((name) => known.includes(name)) && ran.length < known.length;
    } finally {
      sqlite.close();
    }
  } catch (error) {
    throw damageIn(file, error) ?? error;
  }
}

function bytesBelow(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.size ?? 0;
  return readdirSync(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), 0);
}

/** The databases are copied before they are archived, and again, each, before its migration. */
const databaseCopies = 3;

function checkRoom(dataDir: string): void {
  const ofDatabases = databases.flatMap((name) => [name, `${name}-wal`]).map((name) => bytesBelow(join(dataDir, name)));
  const others = ["uploads", "watch", ...wholeFolders].map((name) => bytesBelow(join(dataDir, name)));
  const sum = (sizes: readonly number[]) => sizes.reduce((all, one) => all + one, 0);
  const needed = databaseCopies * sum(ofDatabases) + sum(others) + neededRoom.bytes;
  const { bytes: free } = roomIn(dataDir);
  if (free >= needed) return;
  throw new Error(`the disk does not have enough space: ${byteText(needed)} required, ${byteText(free)} free`);
}

/** Removes all but the newest backups, and incomplete ones. */
function removeOld(folder: string, kept: number): void {
  const found = readdirSync(folder).flatMap((name) => {
    const read = readUpdateBackupName(name);
    return read ? [{ name, ...read }] : [];
  });
  const whole = found.filter(({ isWhole }) => isWhole).sort((a, b) => b.time.getTime() - a.time.getTime());
  for (const { name } of [...whole.slice(kept), ...found.filter(({ isWhole }) => !isWhole)])
    rmSync(join(folder, name), { recursive: true, force: true });
}

/** @returns the backup's path; undefined if this Hearth changes nothing */
async function backUp(dataDir: string, version: string, onProgress: OnProgress): Promise<string | undefined> {
  await endPlacing(dataDir);
  if (databases.every((name) => !isMigrationDue(join(dataDir, name), knownMigrations[name]))) return undefined;
  const folder = join(dataDir, backupsFolder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  removeOld(folder, keptUpdateBackups);
  checkRoom(dataDir);
  const to = join(folder, updateBackupName(version, new Date()));
  await makeBackup({ dataDir, to, version, signal, onProgress });
  removeOld(folder, keptUpdateBackups);
  return to;
}

/** @returns the folder with the replaced data */
async function restore(
  { dataDir, version, file: path }: UpdateBackupTask & { type: "restore" },
  onProgress: OnProgress,
): Promise<string | undefined> {
  await using file = await open(path, "r");
  // Trusted, because Hearth made it in this data directory.
  const { before } = await restoreBackup({ file, dataDir, version, trustsSettings: true, signal, onProgress });
  return before;
}

await answerTask((task: UpdateBackupTask, report) => {
  holdData(task.dataDir);
  const onProgress: OnProgress = (status, done, total) => report({ type: "progress", status, done, total });
  return task.type === "back-up" ? backUp(task.dataDir, task.version, onProgress) : restore(task, onProgress);
});
