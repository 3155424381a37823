/**
 * What lies in the data directory is for its owner alone: session keys, phone numbers, private keys. What is made there is
 * made so; here what an earlier version has made is put right.
 */
import { closeSync, constants, fchmodSync, fstatSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Databases and what they keep beside them, and files of Hearth alone. */
const ownFiles = [
  /^(hearth|provider|requests|lock)[.]db([-.].*)?$/,
  /^hearth[.]config[.]json(.*[.]part)?$/,
  /^(platform-certificate[.]pem|engine-test)$/,
];
/** Folders with nothing but what Hearth has put there. */
const ownFolder = /^(uploads|fixtures|watch|window|backups)$/;
/** What users put there keeps its mode; nobody else gets to it. */
const sharedFolder = /^(models|collections)$/;
const usersFile = /^routes[.]json$/;

/** For all that is done at one start: the folders are closed first, so nothing is open that comes too late. */
const withinMs = 1_000;

const openToOthers = 0o077;

/** Takes from others what they may do with a file or folder, whatever it is that lies there; links are not followed. */
function close(path: string): "folder" | "other" | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined; // A link, a socket, gone, or not ours.
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

/** Everything in a folder that was open until now; one that was not is not looked into at every start. */
function closeAll(folder: string, deadline: number): void {
  if (close(folder) !== "folder") return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (performance.now() > deadline) return;
    if (entry.isDirectory()) closeAll(join(folder, entry.name), deadline);
    else if (entry.isFile()) close(join(folder, entry.name));
  }
}

/** Makes private what Hearth has in the data directory, and the directory itself unless others' files are in it, too. */
export function makePrivate(dataDir: string): void {
  if (process.platform === "win32") return;
  const names = readdirSync(dataDir);
  const known = [...ownFiles, ownFolder, sharedFolder, usersFile];
  if (names.every((name) => known.some((pattern) => pattern.test(name)))) close(dataDir);
  const deadline = performance.now() + withinMs;
  for (const name of names) if ([...ownFiles, sharedFolder].some((one) => one.test(name))) close(join(dataDir, name));
  for (const name of names) if (ownFolder.test(name)) closeAll(join(dataDir, name), deadline);
}
