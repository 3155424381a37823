import { closeSync, existsSync, openSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { isDiskFull } from "../contract/process/disk-full.ts";

export interface FileLock {
  release(): void;
}

/** A process that was killed a moment ago may not be gone yet. */
const patienceMs = 2_000;
const pollIntervalMs = 50;

/**
 * SQLite would ask the process's umask alone. What is there is not opened: to close it again would take back the locks that this
 * process has on it.
 */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/**
 * Locks a file, which is made where it is missing and never removed: the system takes the lock back with its process. Node has
 * no lock of its own, so an empty database's is taken, which nobody reads.
 * @returns the lock, "held" where another process has it, "none" where the file system has no locks
 * @throws when the disk is full
 */
export function lockFile(path: string): FileLock | "held" | "none" {
  let file: Sqlite.Database | undefined;
  try {
    makeFile(path);
    file = new Sqlite(path, { timeout: 0 });
    file.exec("begin exclusive");
    const held = file;
    return { release: () => void held.close() };
  } catch (error) {
    file?.close();
    if (isDiskFull(error)) throw error;
    return (error as { code?: unknown }).code === "SQLITE_BUSY" ? "held" : "none";
  }
}

/** Whether a process has the file locked; nothing is made or changed to learn that. */
export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  const file = new Sqlite(path, { readonly: true, timeout: 0 });
  try {
    file.pragma("user_version");
    return false;
  } catch (error) {
    return (error as { code?: unknown }).code === "SQLITE_BUSY";
  } finally {
    file.close();
  }
}

/** Like `lockFile`, but waits a little for one who has the file. */
export async function lockFileSoon(path: string): Promise<FileLock | "held" | "none"> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const lock = lockFile(path);
    if (lock !== "held" || performance.now() >= until) return lock;
    await wait(pollIntervalMs);
  }
}
