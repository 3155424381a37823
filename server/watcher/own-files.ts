import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { comparablePath, isWithin } from "../file-system/compare-paths.ts";

interface OwnFiles {
  /** The watched folder, as events name it. */
  readonly dir: string;
  readonly files: readonly string[];
  /** With everything below it. */
  readonly folder: string | undefined;
}

/**
 * Tells Hearth's own files among the paths of events. Reporting their changes would never end: each report changes them.
 * The system may name them in another case than the settings do.
 */
export function createOwnFiles(
  { dir, files, folder }: OwnFiles,
  platform = process.platform,
): (path: string) => boolean {
  const own = new Set(files.map((file) => comparablePath(file, platform)));
  const below = folder === undefined ? undefined : pathWithin(dir, folder, platform);
  return (path) => own.has(comparablePath(path, platform)) || (below !== undefined && isWithin(below, path, platform));
}

/** A folder's path as events of `dir` name it, with symbolic links resolved; undefined if it lies elsewhere. */
function pathWithin(dir: string, folder: string, platform: NodeJS.Platform): string | undefined {
  const real = (path: string) => comparablePath(existsSync(path) ? realpathSync.native(path) : path, platform);
  const way = relative(real(dir), real(folder));
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : join(dir, way);
}
