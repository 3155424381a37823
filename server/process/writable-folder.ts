/** Makes folders writable, and describes their errors. */
import { accessSync, constants, mkdirSync } from "node:fs";
import { isDiskFull } from "../contract/process/disk-full.ts";

/**
 * Makes a folder, private to its owner, unless it exists. @throws the system's error if it cannot be made or written
 */
export function makeWritable(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  accessSync(folder, constants.W_OK);
}

/**
 * Why a folder or file cannot be written, in one line.
 * @param flag the option that sets another place
 */
export function unwritable(what: string, error: unknown, flag: string): string {
  if (isDiskFull(error))
    return `${what} cannot be written: its disk is full; free some space, or choose another with ${flag}`;
  const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
  return `${what} cannot be written (${code}); choose another with ${flag}`;
}
