/**
 * The place where the runner listens: a private folder with a short path, because a socket's path is limited to about
 * 100 bytes.
 */
import { createHash, randomBytes } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { isDiskFull } from "../contract/process/disk-full.ts";

export interface RunnerSocket {
  readonly path: string;
  /**
   * Creates the folder again if it was deleted.
   * @throws Error when another user owns a folder of that name, or the disk is full
   */
  ensureFolder(): void;
  remove(): void;
}

/** The longest path that every system accepts (macOS: 104 bytes with the terminating zero). */
const maxPathBytes = 103;
const socketName = "runner.sock";

const isOurs = (folder: string): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found !== undefined && found.isDirectory() && found.uid === process.getuid?.();
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

/** The user's own folder for sockets, which nobody else can write to, where the system provides one. */
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

/** The name is the same at each start, so that leftovers of killed runs are taken over and do not accumulate. */
function folderFor(dataDir: string, env: NodeJS.ProcessEnv): string {
  const name = `hearth-${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}`;
  const places = [runtimeDir(env), tmpdir()].filter((place) => place !== undefined);
  const fitting = places.find((place) => Buffer.byteLength(join(place, name, socketName)) <= maxPathBytes);
  return join(fitting ?? "/tmp", name);
}

/**
 * One socket per data directory. The caller holds its instance lock, so nobody else uses the folder.
 * @throws when the disk is full
 */
export function createRunnerSocket(dataDir: string, env = process.env): RunnerSocket {
  if (process.platform === "win32") {
    const path = `\\\\.\\pipe\\hearth-runner-${randomBytes(16).toString("hex")}`;
    return { path, ensureFolder: () => undefined, remove: () => undefined };
  }
  const wanted = folderFor(dataDir, env);
  const folder = makePrivateFolder(wanted) ? wanted : mkdtempSync(join(dirname(wanted), "hearth-"));
  const path = join(folder, socketName);
  return {
    path,
    ensureFolder() {
      if (!makePrivateFolder(folder))
        throw new Error(`the runner's folder ${folder} has been taken by another program`);
      rmSync(path, { force: true });
    },
    remove: () => removeOwnFolder(folder),
  };
}

/** Removes what a killed run left behind. The caller holds the instance lock. */
export function removeLeftRunnerSocket(dataDir: string, env = process.env): void {
  if (process.platform !== "win32") removeOwnFolder(folderFor(dataDir, env));
}
