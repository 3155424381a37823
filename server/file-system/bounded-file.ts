/**
 * Reads files of a folder from anybody, such as a clone: a link in it may lead to any file, and reading a pipe or a device
 * would never end.
 */
import { constants } from "node:fs";
import { open, realpath, stat, type FileHandle } from "node:fs/promises";
import { isExactlyWithin } from "./compare-paths.ts";

/** Folders, each inside the one before it: a file must lie in all of them, wherever links lead. Undefined: anywhere. */
export type Bounds = readonly string[] | undefined;

/** The message names the file, and contains nothing of it. */
export class OutOfBounds extends Error {
  override readonly name = "OutOfBounds";
}

/** @returns the real path @throws OutOfBounds; the system's error where there is no such file */
async function realInside(path: string, [folder, ...inner]: readonly string[]): Promise<string> {
  if (folder === undefined) return realpath(path);
  const next = inner[0] ?? path;
  const [outer, real] = await Promise.all([realpath(folder), realpath(next)]);
  if (!isExactlyWithin(outer, real))
    throw new OutOfBounds(
      `${next} leads out of ${folder}: what the file of a working directory names must lie there itself`,
    );
  return inner.length === 0 ? real : realInside(path, inner);
}

/** @throws OutOfBounds for a path that leads out of the bounds; the system's error for one that does not exist */
export async function checkFolder(path: string, bounds: Bounds): Promise<void> {
  if (bounds) await realInside(path, bounds);
}

/**
 * @throws OutOfBounds for a path that leads out of the bounds or to no regular file; the system's error for one that does
 * not exist
 */
export async function checkFile(path: string, bounds: Bounds): Promise<void> {
  if (bounds && !(await stat(await realInside(path, bounds))).isFile()) throw notRegular(path);
}

const notRegular = (path: string) => new OutOfBounds(`${path} is no regular file`);

/**
 * Opens a regular file, the same one that was checked. Never waits for the other end of a pipe.
 * @throws OutOfBounds; the system's error
 */
export async function openFile(path: string, bounds?: Bounds): Promise<FileHandle> {
  const real = bounds ? await realInside(path, bounds) : path;
  // Windows has neither flag.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (bounds ? (constants.O_NOFOLLOW ?? 0) : 0);
  const file = await open(real, flags);
  try {
    const opened = await file.stat();
    if (!opened.isFile()) throw notRegular(path);
    const now = bounds ? await stat(await realInside(path, bounds)) : opened;
    if (now.dev !== opened.dev || now.ino !== opened.ino) throw new OutOfBounds(`${path} has been replaced meanwhile`);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** @throws OutOfBounds; the system's error */
export async function readBounded(path: string, bounds: Bounds): Promise<Buffer> {
  await using file = await openFile(path, bounds);
  return await file.readFile();
}
