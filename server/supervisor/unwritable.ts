import { isDiskFull } from "../contract/process/disk-full.ts";
import { ForeignFileError } from "./ready-file.ts";

/**
 * Why a folder or file cannot be written, in one line.
 * @param flag the option that sets another place
 */
export function unwritable(what: string, error: unknown, flag: string): string {
  if (error instanceof ForeignFileError) return `ready file ${error.message}; choose another with ${flag}`;
  if (isDiskFull(error))
    return `${what} cannot be written: its disk is full; make room on it, or choose another with ${flag}`;
  const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
  return `${what} cannot be written (${code}); choose another with ${flag}`;
}
