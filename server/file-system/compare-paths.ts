/** Compares paths: macOS and Windows accept a path in any case, and macOS in any Unicode form. */
import { isAbsolute, posix, relative, sep, win32 } from "node:path";
import { realPath } from "./real-file.ts";

/**
 * The form in which two absolute paths are equal if they may lead to the same file. A volume of macOS may distinguish
 * cases, which the path does not show: there, two files may have one form.
 */
export function comparablePath(path: string, platform = process.platform): string {
  return platform === "win32" || platform === "darwin" ? path.normalize("NFC").toLowerCase() : path;
}

/** The beginning of every path below a folder. The root of a file system already ends with a separator. */
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
 * The relative path from a folder to an entry in it, or to itself, whatever links name them; undefined if the path lies
 * elsewhere.
 */
export function wayWithin(folder: string, path: string, platform = process.platform): string | undefined {
  const [outer, inner] = [folder, path].map((one) => comparablePath(realPath(one) ?? one, platform)) as [
    string,
    string,
  ];
  return isExactlyWithin(outer, inner) ? relative(outer, inner) : undefined;
}
