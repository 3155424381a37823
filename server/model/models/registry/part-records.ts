/** The received ranges of an unfinished blob: a record per part beside the file, in Ollama's own format. */
import { randomUUID } from "node:crypto";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { renameFile } from "../../../file-system/rename-file.ts";

export interface DownloadPart {
  readonly n: number;
  /** Offset in the blob. */
  readonly offset: number;
  readonly size: number;
  /** Its bytes in the file. */
  completed: number;
}

const count = z.number().int().min(0);
const recordSchema = z.object({ N: count, Offset: count, Size: count, Completed: count });

const recordFile = (partial: string, n: number) => `${partial}-${String(n)}`;

/** Names of record files, with any number. */
async function recordFiles(partial: string): Promise<string[]> {
  const prefix = `${basename(partial)}-`;
  const files = await readdir(dirname(partial)).catch(() => []);
  return files
    .filter((file) => file.startsWith(prefix) && /^\d+$/.test(file.slice(prefix.length)))
    .map((file) => join(dirname(partial), file));
}

export async function removeRecords(partial: string): Promise<void> {
  for (const file of await recordFiles(partial)) await rm(file, { force: true });
}

/** Written atomically, because a truncated record would cost the part. */
export async function writeRecord(partial: string, { n, offset, size, completed }: DownloadPart): Promise<void> {
  const draft = join(dirname(partial), `.hearth-${randomUUID()}`);
  try {
    await writeFile(draft, JSON.stringify({ N: n, Offset: offset, Size: size, Completed: completed }));
    await renameFile(draft, recordFile(partial, n));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Parts of at least `least` and at most `most` bytes, sixteen if possible. */
export function planParts(size: number, least: number, most: number): DownloadPart[] {
  const each = Math.max(1, Math.min(Math.max(Math.ceil(size / 16), least), most));
  return Array.from({ length: Math.ceil(size / each) }, (_, n) => ({
    n,
    offset: n * each,
    size: Math.min(each, size - n * each),
    completed: 0,
  }));
}

/** Whether the parts cover the blob without gap or overlap. Only then can the download be resumed. */
const fits = (parts: readonly DownloadPart[], size: number) => {
  let end = 0;
  for (const [index, part] of parts.entries()) {
    if (part.n !== index || part.offset !== end || part.completed > part.size) return false;
    end += part.size;
  }
  return end === size;
};

/** The parts of an unfinished download; undefined when none can be resumed. */
export async function readRecords(partial: string, size: number): Promise<DownloadPart[] | undefined> {
  try {
    if ((await stat(partial)).size !== size) return undefined;
    const records = await Promise.all(
      (await recordFiles(partial)).map(async (file) => recordSchema.parse(JSON.parse(await readFile(file, "utf8")))),
    );
    const parts = records
      .map(({ N: n, Offset: offset, Size: bytes, Completed: completed }) => ({ n, offset, size: bytes, completed }))
      .sort((a, b) => a.n - b.n);
    return fits(parts, size) ? parts : undefined;
  } catch {
    return undefined;
  }
}
