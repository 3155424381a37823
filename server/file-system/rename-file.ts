/**
 * Renames, for all of Hearth. On Windows a virus scanner, an indexer or a reader holds a file for a moment, and the rename
 * of it, or over it, is refused meanwhile; it is tried again for about 1.6 s. Elsewhere a refusal is final.
 */
import { renameSync } from "node:fs";
import { rename } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { isInUse } from "./is-in-use.ts";

const pausesMs = [10, 20, 50, 100, 200, 400, 800];

interface RenameSystem<Result> {
  readonly platform: NodeJS.Platform;
  readonly rename: (from: string, to: string) => Result;
  readonly pause: (ms: number) => Result;
}

/** Renames a file or folder, over a file that is there. @throws the system's last error */
export async function renameFile(
  from: string,
  to: string,
  system: RenameSystem<Promise<void>> = { platform: process.platform, rename, pause: wait },
): Promise<void> {
  for (const ms of pausesMs)
    try {
      return await system.rename(from, to);
    } catch (error) {
      if (!isInUse(error, system.platform)) throw error;
      await system.pause(ms);
    }
  return system.rename(from, to);
}

function pauseSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** As `renameFile`, for code that cannot wait: on Windows the thread may stand still meanwhile. */
export function renameFileSync(
  from: string,
  to: string,
  system: RenameSystem<void> = { platform: process.platform, rename: renameSync, pause: pauseSync },
): void {
  for (const ms of pausesMs)
    try {
      return system.rename(from, to);
    } catch (error) {
      if (!isInUse(error, system.platform)) throw error;
      system.pause(ms);
    }
  return system.rename(from, to);
}
