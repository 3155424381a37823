/**
 * Makes the running `hearth watch` processes of a data directory known to the console. Each has a file beside its queue. The
 * file counts while the queue is locked, so that a killed process is not listed.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { watchProcessSchema, type WatchProcess } from "../contract/console/data/watch-processes.ts";
import { isMissing } from "../file-system/is-missing.ts";
import { replaceFileSync } from "../file-system/replace-file.ts";
import { readSmallFile } from "../file-system/small-file.ts";
import { isLocked } from "../process/file-lock.ts";
import { lockOf } from "./journal/queue-file.ts";

const ending = ".process.json";
const maxBytes = 1 << 20;

/** @returns a function that removes the file */
export function announceWatch(queueFile: string, watch: WatchProcess): () => void {
  const file = queueFile + ending;
  replaceFileSync(file, JSON.stringify(watch));
  return () => rmSync(file, { force: true });
}

export function runningWatches(dataDir: string): WatchProcess[] {
  const folder = join(dataDir, "watch");
  return namesIn(folder).flatMap((name) => {
    const queueFile = join(folder, name.slice(0, -ending.length));
    const found = name.endsWith(ending) && isLocked(lockOf(queueFile)) ? parseFile(join(folder, name)) : undefined;
    return found ? [found] : [];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function parseFile(file: string): WatchProcess | undefined {
  const content = readSmallFile(file, maxBytes);
  try {
    return watchProcessSchema.safeParse(JSON.parse(String(content))).data;
  } catch {
    return undefined;
  }
}
