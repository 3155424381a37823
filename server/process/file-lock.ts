import { closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { isDiskFull } from "../contract/process/disk-full.ts";

export interface FileLock {
  release(): void;
}

/** A process that was just killed may still exist for a moment. */
const momentMs = 2_000;
const pollIntervalMs = 50;
/** SQLite's result for a file that another connection has locked (SQLITE_BUSY). */
const busy = 5;

/**
 * Creates the file privately, because SQLite would apply only the process's umask. An existing file is not opened:
 * closing it again would release this process's locks on it.
 */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/**
 * Locks a file, creating it if it is missing. The file is never removed; the system releases the lock when its process
 * ends. Node has no file locks, so this locks an empty database that nobody reads.
 * @returns the lock, "held" if another process has it, "none" if the file system has no locks
 * @throws when the disk is full
 */
export function lockFile(path: string): FileLock | "held" | "none" {
  let file: DatabaseSync | undefined;
  try {
    makeFile(path);
    file = new DatabaseSync(path, { timeout: 0 });
    file.exec("begin exclusive");
    const held = file;
    return { release: () => void held.close() };
  } catch (error) {
    file?.close();
    if (isDiskFull(error)) throw error;
    return (error as { errcode?: unknown }).errcode === busy ? "held" : "none";
  }
}

/** Whether a process holds the file's lock. Creates and changes nothing. */
export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  const file = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  try {
    file.exec("pragma user_version");
    return false;
  } catch (error) {
    return (error as { errcode?: unknown }).errcode === busy;
  } finally {
    file.close();
  }
}

/**
 * Like `lockFile`, but waits for another process to release the file. A stall, mostly of the whole machine, counts as
 * one pause, because it also stopped the other process.
 */
export async function lockFileSoon(path: string, patienceMs = momentMs): Promise<FileLock | "held" | "none"> {
  let pauses = patienceMs / pollIntervalMs;
  for (;;) {
    const lock = lockFile(path);
    if (lock !== "held" || pauses-- <= 0) return lock;
    await wait(pollIntervalMs);
  }
}

/** Keeps references, because unreferenced files would be closed. */
const shared: DatabaseSync[] = [];

/** Prevents others from locking the file until this process ends; several may do so. Does nothing without the file. */
export function shareFile(path: string): void {
  if (!existsSync(path)) return;
  try {
    const file = new DatabaseSync(path, { readOnly: true, timeout: momentMs });
    shared.push(file);
    file.exec("begin");
    file.exec("pragma user_version");
  } catch {
    // The file system has no locks.
  }
}
