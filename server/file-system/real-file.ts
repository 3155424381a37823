import { existsSync, lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { unlessBelowFile } from "./is-missing.ts";

/** The file to which a path leads: a rename to the path itself would replace the link. */
export const realFile = (file: string): string => (existsSync(file) ? realpathSync(file) : file);

/**
 * A path as the system spells it, with its links resolved, though its last parts may not exist yet; undefined for a broken
 * link.
 */
export function realPath(path: string): string | undefined {
  if (unlessBelowFile(() => lstatSync(path, { throwIfNoEntry: false })) === undefined) {
    const parent = dirname(path) === path ? undefined : realPath(dirname(path));
    return parent && join(parent, basename(path));
  }
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
