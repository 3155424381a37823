/** Free space on disks: what a start needs, and the messages for a full disk. */
import { statfsSync } from "node:fs";
import { byteText } from "./terminal/byte-text.ts";

export interface DiskRoom {
  readonly bytes: number;
  /** The number of files that can still be created; infinite if the file system does not count them. */
  readonly files: number;
}

/** With less space, uploads, models and recorded requests soon fail. */
export const enoughBytes = 1_000_000_000;

/** A first start writes 0.6 MB in 14 files; later ones write less, unless they change the tables. */
export const neededRoom: DiskRoom = { bytes: 4_000_000, files: 32 };

/** The space left in a folder. @throws the system's error */
export function roomIn(folder: string): DiskRoom {
  const { bavail, bsize, files, ffree } = statfsSync(folder);
  return { bytes: bavail * bsize, files: files === 0 ? Infinity : ffree };
}

/** Why the data directory lacks the space that a start needs, with advice; undefined if it has enough. */
export function roomProblem(dataDir: string): string | undefined {
  let room: DiskRoom;
  try {
    room = roomIn(dataDir);
  } catch {
    return undefined; // The file system does not report it.
  }
  const wayOn = "free some space, or choose another folder with --data-dir";
  if (room.bytes < neededRoom.bytes)
    return `the disk of the data directory ${dataDir} is full: ${byteText(room.bytes)} are free, and a start needs ${byteText(neededRoom.bytes)}; ${wayOn}`;
  if (room.files < neededRoom.files)
    return `the disk of the data directory ${dataDir} cannot store more files: ${String(room.files)} are left, and a start needs ${String(neededRoom.files)}; ${wayOn}`;
  return undefined;
}

/** One line about a failure that a full disk caused, wherever it occurred. */
export function fullDiskText(error: unknown): string {
  const { path, cause } = error as { path?: unknown; cause?: unknown };
  if (typeof path !== "string" && cause !== undefined) return fullDiskText(cause);
  const disk = typeof path === "string" ? `the disk that holds ${path}` : "the disk that is written to";
  return `${disk} is full: free some space, then try again`;
}
