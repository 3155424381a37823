/** Where a watch keeps its journal. */
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { noteIfNamed } from "../../process/settings/known-directories.ts";
import { defaultDataDir, SettingsError } from "../../process/settings/read-settings.ts";
import { workingDirectory } from "../../process/settings/working-directory.ts";
import { makeWritable, unwritable } from "../../process/writable-folder.ts";

/** The queue file of one folder and receiver in a data directory. */
export function queueFileIn(dataDir: string, dir: string, to: string): string {
  const name = createHash("sha256")
    .update(`${resolve(dir)}\0${to}`)
    .digest("hex")
    .slice(0, 16);
  return join(dataDir, "watch", `${name}.jsonl`);
}

/** The lock keeps two processes from using one queue. */
export const lockOf = (queueFile: string) => `${queueFile}.lock.db`;

/** Removes the queue of a watch that has ended, with its lock. */
export const forgetQueue = async (queueFile: string): Promise<void> => {
  await Promise.all([queueFile, lockOf(queueFile)].map((file) => rm(file, { force: true })));
};

/** @throws SettingsError naming the data directory when it cannot be written */
export function makeFolderOf(queueFile: string, dataDir = dirname(queueFile)): void {
  try {
    // First of all: below a folder that cannot be written, the error that Node gives has another reason.
    makeWritable(dataDir);
    makeWritable(dirname(queueFile));
    noteIfNamed(workingDirectory(process.env), dataDir, defaultDataDir());
  } catch (error) {
    throw new SettingsError(unwritable(`data directory ${dataDir}`, error, "--data-dir"));
  }
}
