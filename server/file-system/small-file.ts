/** Reads small files from anybody, synchronously: a pipe or a device would never end, and a large file would take all memory. */
import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from "node:fs";
import { isNowhere } from "./is-missing.ts";

export function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (isNowhere(error)) return undefined;
    throw error;
  }
}

/**
 * The content of a regular file; undefined where there is none. Pipes and devices are not even opened.
 * @throws Error that names the file, or the system's error
 */
export function readSmallFile(path: string, longest: number): Buffer | undefined {
  const stats = statIfThere(path);
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw new Error(`${path} is no file`);
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const now = fstatSync(file);
    if (!now.isFile()) throw new Error(`${path} is no file`);
    if (now.size > longest) throw new Error(`${path} is too large`);
    const bytes = Buffer.alloc(now.size);
    let read = 0;
    for (let more = 1; more > 0 && read < now.size; read += more)
      more = readSync(file, bytes, read, now.size - read, read);
    return bytes.subarray(0, read);
  } finally {
    closeSync(file);
  }
}
