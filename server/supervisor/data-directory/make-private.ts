/**
 * Keeps the data directory private to its owner: it holds session keys, phone numbers and private keys. New files are
 * created private; this module corrects what an earlier version created.
 */
import { closeSync, constants, fchmodSync, fstatSync, openSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { isNowhere } from "../../file-system/is-missing.ts";
import { isHearthsName, ownFiles, ownFolder, sharedFolder } from "../../process/settings/data-names.ts";

/** What commands leave that make a data directory, and nobody else has: a start, keys, the authority, a watch. */
const marks = [
  /^(lock[.]db|written-by[.]json|directory-id|keys[.]lock)$/,
  /^certificate-authority[/](authority-key[.]pem|hearth-authority[.]crt)$/,
  /^watch[/][0-9a-f]{16}[.]jsonl$/,
];

/** Time limit per start. Folders are closed first, so nothing stays open if the time runs out. */
const withinMs = 1_000;

const openToOthers = 0o077;

/** Removes the permissions of all other users, whatever the path is. Does not follow links. */
function close(path: string): "folder" | "other" | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined; // A link, a socket, missing, or owned by somebody else.
  }
  try {
    const found = fstatSync(descriptor);
    const isOurs = found.uid === process.getuid?.();
    if (!isOurs || (found.mode & openToOthers) === 0) return undefined;
    fchmodSync(descriptor, found.mode & 0o700);
    return found.isDirectory() ? "folder" : "other";
  } catch {
    return undefined; // A file system without modes.
  } finally {
    closeSync(descriptor);
  }
}

/** Closes everything in a folder that was open until now. A closed folder is not searched again at each start. */
function closeAll(folder: string, deadline: number): void {
  if (close(folder) !== "folder") return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (performance.now() > deadline) return;
    if (entry.isDirectory()) closeAll(join(folder, entry.name), deadline);
    else if (entry.isFile()) close(join(folder, entry.name));
  }
}

/** The names in a folder of the data directory, none where it is no folder. */
function namesIn(dataDir: string, folder: string): string[] {
  try {
    return readdirSync(join(dataDir, folder)).map((name) => posix.join(folder, name));
  } catch (error) {
    if (isNowhere(error)) return [];
    throw error;
  }
}

/** Whether a Hearth has made or used a folder as its data directory. */
export const isDataDir = (dataDir: string): boolean =>
  ["", "certificate-authority", "watch"].some((folder) =>
    namesIn(dataDir, folder).some((name) => marks.some((mark) => mark.test(name))),
  );

/** Makes Hearth's files in the data directory private, and the directory itself unless it also holds other files. */
export function makePrivate(dataDir: string): void {
  if (process.platform === "win32") return;
  const names = readdirSync(dataDir);
  if (names.every(isHearthsName)) close(dataDir);
  const deadline = performance.now() + withinMs;
  for (const name of names) if ([...ownFiles, sharedFolder].some((one) => one.test(name))) close(join(dataDir, name));
  for (const name of names) if (ownFolder.test(name)) closeAll(join(dataDir, name), deadline);
}
