/**
 * The kept prompts in the data directory: a folder for each file of weights, and the key that authenticates what is in them.
 * The runner alone reads and writes states; other processes measure and delete them.
 */
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileNamesIn } from "../file-system/file-names.ts";
import { statIfThere } from "../file-system/small-file.ts";

export const promptCacheRoot = (dataDir: string): string => join(dataDir, "prompt-cache");

/** The end of a state's name. */
export const stateEnd = ".state";

/** @param weights identifies the content of the file */
export const keptPromptsFolder = (root: string, weights: string): string =>
  join(root, createHash("sha256").update(weights).digest("hex").slice(0, 32));

const removal = { recursive: true, force: true, maxRetries: 5 } as const;

/** Deletes the states of a model. A runner that has it loaded keeps nothing of it when it unloads it. */
export const removeKeptPrompts = (dataDir: string, weights: string): Promise<void> =>
  rm(keptPromptsFolder(promptCacheRoot(dataDir), weights), removal);

export interface KeptFile {
  readonly path: string;
  readonly bytes: number;
  /** When the state was used last, in milliseconds since 1970. */
  readonly usedAt: number;
}

/** The states in a model's folder, the least recently used first. Files that vanish meanwhile are left out. */
export function keptFilesIn(folder: string): KeptFile[] {
  const names = fileNamesIn(folder).filter((name) => name.endsWith(stateEnd));
  const files = names.flatMap((name) => {
    const path = join(folder, name);
    const stats = statIfThere(path);
    return stats === undefined ? [] : [{ path, bytes: stats.size, usedAt: stats.mtimeMs }];
  });
  return files.sort((a, b) => a.usedAt - b.usedAt);
}

/** The states of all models. */
export const listKeptFiles = (root: string): KeptFile[] =>
  fileNamesIn(root).flatMap((name) => keptFilesIn(join(root, name)));

/** The bytes of the states of all models. */
export const keptBytes = (dataDir: string): number =>
  listKeptFiles(promptCacheRoot(dataDir)).reduce((sum, { bytes }) => sum + bytes, 0);

/** Deletes the states of all models with their key, and returns how many states there were. */
export function removePromptCache(dataDir: string): number {
  const root = promptCacheRoot(dataDir);
  const { length } = listKeptFiles(root);
  rmSync(root, removal);
  return length;
}
