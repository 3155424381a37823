/**
 * The code of routes in a working directory. Its author could be anybody who wrote the repository, so it runs only in a folder
 * where the user has named its file once. That folder is then listed beside the user's data directory, which no clone
 * reaches: with its identity, so that another one in its place does not count.
 */
import { lstatSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { addToList, isListed, nativePath } from "./known-directories.ts";

export const codeFileName = "hearth.routes.ts";

function lineOf(folder: string): string {
  const { ino, birthtimeMs } = lstatSync(nativePath(folder), { bigint: true });
  return JSON.stringify(["code", nativePath(folder), String(ino), String(birthtimeMs)]);
}

/** The file in a working directory, and whether the user has confirmed its folder. Undefined if there is none. */
export function findOwnCode(
  cwd: string,
  usersDir: string,
): { readonly file: string; readonly isConfirmed: boolean } | undefined {
  const file = join(cwd, codeFileName);
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    return { file, isConfirmed: isListed(lineOf(cwd), usersDir) };
  } catch {
    return undefined;
  }
}

/** Confirms the folder of a file that the user has named. If the list cannot be written, the user names it again. */
export function confirmCode(file: string, usersDir: string): void {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return;
    const line = lineOf(dirname(file));
    if (!isListed(line, usersDir)) addToList(line, usersDir);
  } catch {
    // A read-only home or a full disk.
  }
}
