/**
 * The place where the runner listens: a private folder with a short path, since a socket's path has about 100 bytes. It
 * exists as long as the run, and names the run's data directory, so that the user's commands find the run.
 */
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { isDiskFull } from "../contract/process/disk-full.ts";
import { dataDirNote } from "../contract/process/runner-folder.ts";

/** The longest path that every system accepts (macOS: 104 bytes with the terminating zero). */
const maxPathBytes = 103;
const socketName = "runner.sock";

const isOurs = (folder: string): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.();
};

/** Creates the folder, or takes over this user's own from a killed run. @throws when the disk is full */
function makePrivateFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (isDiskFull(error)) throw error;
    if (!isOurs(folder)) return false;
    chmodSync(folder, 0o700);
  }
  return true;
}

function removeOwnFolder(folder: string): void {
  if (isOurs(folder)) rmSync(folder, { recursive: true, force: true });
}

/** The user's own folder for sockets, if the system provides one that nobody else can write to. */
function runtimeDir(env: NodeJS.ProcessEnv): string | undefined {
  const folder = env["XDG_RUNTIME_DIR"];
  if (folder === undefined || !isAbsolute(folder) || !isOurs(folder)) return undefined;
  return (lstatSync(folder).mode & 0o077) === 0 ? folder : undefined;
}

/** Where the folder for sockets is or would be created, and whether another user holds its name. */
export function findSocketFolder(dataDir: string, env = process.env): { folder: string; isTaken: boolean } {
  const folder = folderFor(dataDir, env);
  return { folder, isTaken: existsSync(folder) && !isOurs(folder) };
}

const placesFor = (env: NodeJS.ProcessEnv) => [runtimeDir(env), tmpdir()].filter((place) => place !== undefined);

/** The same folder at each start, so that remains of killed runs are reused and do not accumulate. */
function folderFor(dataDir: string, env: NodeJS.ProcessEnv): string {
  const name = `hearth-${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}`;
  const fitting = placesFor(env).find((place) => Buffer.byteLength(join(place, name, socketName)) <= maxPathBytes);
  return join(fitting ?? "/tmp", name);
}

/**
 * One socket per data directory. The caller holds its instance lock, so nobody else uses the folder.
 * @throws when the disk is full
 */
export function createRunnerSocket(dataDir: string, env = process.env) {
  const wanted = folderFor(dataDir, env);
  const folder = makePrivateFolder(wanted) ? wanted : mkdtempSync(join(dirname(wanted), "hearth-"));
  const path = join(folder, socketName);
  return {
    path,
    /**
     * Creates the folder again if it was deleted.
     * @throws Error when another user owns a folder of that name, or the disk is full
     */
    ensureFolder(): void {
      if (!makePrivateFolder(folder)) throw new Error(`the runner's folder ${folder} belongs to another program`);
      rmSync(path, { force: true });
      writeFileSync(join(folder, dataDirNote), dataDir);
    },
    remove: () => removeOwnFolder(folder),
  };
}

/** Removes what a killed run left behind. The caller holds the instance lock. */
export function removeLeftRunnerSocket(dataDir: string, env = process.env): void {
  removeOwnFolder(folderFor(dataDir, env));
}

/** The data directory that a folder names; none if the folder is not ours, or is just being removed. */
function notedIn(folder: string): string[] {
  try {
    return isOurs(folder) ? [readFileSync(join(folder, dataDirNote), "utf8")] : [];
  } catch {
    return [];
  }
}

/** The data directories of this user's runs, perhaps of killed ones, too. */
export const notedDataDirs = (env = process.env): string[] =>
  placesFor(env).flatMap((place) =>
    readdirSync(place)
      .filter((name) => /^hearth-[0-9a-f]{16}$/.test(name))
      .flatMap((name) => notedIn(join(place, name))),
  );
