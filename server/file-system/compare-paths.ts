/** How names compare: macOS and Windows take a path in any case, and macOS in any Unicode form. */
import { isAbsolute, posix, relative, sep, win32 } from "node:path";
import { realPath } from "./real-file.ts";

/**
 * The form in which two absolute paths are equal that may lead to the same file. A volume of macOS may tell cases apart,
 * which the path does not show: there, two files may have one form.
 */
export function comparablePath(path: string, platform = process.platform): string {
  return platform === "win32" || platform === "darwin" ? path.normalize("NFC").toLowerCase() : path;
}

/** What the paths of all that lies below a folder begin with. The root of a file system ends with a separator by itself. */
export const prefixBelow = (folder: string, separator: string = sep): string =>
  folder.endsWith(separator) ? folder : folder + separator;

/**
 * Whether a path is the folder, or lies below it, by the exact names: the one to use for bounds. Both are absolute, and
 * real where links must not lead out.
 */
export function isExactlyWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way.split(sep)[0] !== "..";
}

/**
 * Whether a path is the folder, or lies below it, where the platform's file systems ignore case. Both are absolute, and
 * without `..`.
 */
export function isWithinAnyCase(folder: string, path: string, platform = process.platform): boolean {
  const { sep } = platform === "win32" ? win32 : posix;
  const [outer, inner] = [comparablePath(folder, platform), comparablePath(path, platform)];
  return inner === outer || inner.startsWith(prefixBelow(outer, sep));
}

/**
 * The way from a folder to what is in it or is the folder itself, by whatever links they are named; undefined if it lies
 * elsewhere.
 */
export function wayWithin(folder: string, path: string, platform = process.platform): string | undefined {
  const [outer, inner] = [folder, path].map((one) => comparablePath(realPath(one) ?? one, platform)) as [
    string,
    string,
  ];
  return isExactlyWithin(outer, inner) ? relative(outer, inner) : undefined;
}
