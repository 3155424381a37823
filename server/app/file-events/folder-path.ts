import { stat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { homePath } from "../../file-system/home-path.ts";
import { refuse } from "../../http/http-error.ts";
import type { FolderWatcher } from "./folder-watcher.ts";

/**
 * Normalizes the path of a folder; `~` is the home of the user who runs Hearth.
 * @throws HttpError 400 naming `path` when it is relative, missing, no folder, or on a file system that does not answer
 */
export async function requireFolder(typed: string, ask: FolderWatcher["ask"]): Promise<string> {
  const path = homePath(typed);
  const field = { field: "path" };
  if (path.includes("\0")) throw refuse("folder.nul", { path }, field);
  if (!isAbsolute(path)) throw refuse("folder.relative", { path }, field);
  await ask(path).catch(() => {
    throw refuse("folder.silent", { path }, field);
  });
  const found = await stat(path).catch((error: unknown) => {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") throw refuse("folder.none", { path }, field);
    if (code === "EACCES") throw refuse("folder.forbidden", { path }, field);
    throw refuse("folder.other", { path, code }, field);
  });
  if (!found.isDirectory()) throw refuse("folder.file", { path }, field);
  return resolve(path);
}
