/**
 * Keeps the data directory private to its owner: it holds session keys, phone numbers and private keys. New files are
 * created private; this module closes a directory that its owner has made.
 */
import { closeSync, constants, fchmodSync, fstatSync, openSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { isNowhere } from "../../file-system/is-missing.ts";
import { isHearthsName } from "../../process/settings/data-names.ts";

/** Files that only Hearth's commands leave in a data directory: a start, keys, the authority, a watch. */
const marks = [
  /^(lock[.]db|written-by[.]json|directory-id|keys[.]lock)$/,
  /^certificate-authority[/](authority-key[.]pem|hearth-authority[.]crt)$/,
  /^watch[/][0-9a-f]{16}[.]jsonl$/,
];

/** The names in a folder of the data directory; none if it is not a folder. */
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

/** Removes other users' permissions for the data directory, unless it also holds files that are not Hearth's. */
export function makePrivate(dataDir: string): void {
  if (!readdirSync(dataDir).every(isHearthsName)) return;
  let descriptor: number;
  try {
    descriptor = openSync(dataDir, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch {
    return; // A link.
  }
  try {
    const { mode, uid } = fstatSync(descriptor);
    if (uid === process.getuid?.()) fchmodSync(descriptor, mode & 0o700);
  } catch {
    // A file system without modes.
  } finally {
    closeSync(descriptor);
  }
}
