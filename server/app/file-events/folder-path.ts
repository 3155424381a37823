import { stat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { badRequest } from "../../http/http-error.ts";
import type { FolderWatcher } from "./folder-watcher.ts";

/**
 * Normalizes the path of a folder.
 * @throws HttpError 400 naming `path` when it is not absolute, missing, no folder, or on a file system that says nothing
 */
export async function requireFolder(path: string, ask: FolderWatcher["ask"]): Promise<string> {
  const refuse = (why: string) => badRequest("bad_path", `"${path}" ${why}.`, "path");
  if (path.includes("\0")) throw refuse("holds a NUL character, which no path does");
  if (!isAbsolute(path)) throw refuse("is not an absolute path: begin at the root of the file system");
  await ask(path).catch(() => {
    throw refuse("cannot be looked at while a file system does not answer");
  });
  const found = await stat(path).catch((error: unknown) => {
    const { code = "" } = error as NodeJS.ErrnoException;
    const known = { ENOENT: "does not exist", ENOTDIR: "does not exist", EACCES: "is not for this user to read" };
    throw refuse((known as Record<string, string>)[code] ?? `cannot be looked at (${code})`);
  });
  if (!found.isDirectory()) throw refuse("is not a folder; name the folder that holds it");
  return resolve(path);
}
