/** The place where the runner listens: a private folder with a short path, since a socket's path has about 100 bytes. */
import { createHash, randomBytes } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface RunnerSocket {
  path: string;
  /** Makes the folder again: a runner takes it away with itself, so that none is left when the supervisor is killed. */
  ensureFolder(): void;
  remove(): void;
}

/** The longest path that every system takes (macOS: 104 bytes with the terminating zero). */
const maxPathBytes = 103;
const socketName = "runner.sock";

/** Makes the folder, or takes over the one that a killed run has left, if it is really ours. */
function makePrivateFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found === undefined || !found.isDirectory() || found.uid !== process.getuid?.()) return false;
    chmodSync(folder, 0o700);
    return true;
  }
}

/** The same at each start, so that what a killed run has left is taken over and does not pile up. */
function folderFor(dataDir: string): string {
  const name = `hearth-${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}`;
  const fits = Buffer.byteLength(join(tmpdir(), name, socketName)) <= maxPathBytes;
  return join(fits ? tmpdir() : "/tmp", name);
}

/** One socket per data directory, whose instance lock the caller holds: there is only one user of the folder. */
export function createRunnerSocket(dataDir: string): RunnerSocket {
  if (process.platform === "win32") {
    const path = `\\\\.\\pipe\\hearth-runner-${randomBytes(16).toString("hex")}`;
    return { path, ensureFolder: () => undefined, remove: () => undefined };
  }
  const wanted = folderFor(dataDir);
  const folder = makePrivateFolder(wanted) ? wanted : mkdtempSync(join(dirname(wanted), "hearth-"));
  const path = join(folder, socketName);
  return {
    path,
    ensureFolder() {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      rmSync(path, { force: true });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Removes what a run has left that was killed at one blow. The caller holds the instance lock. */
export function removeLeftRunnerSocket(dataDir: string): void {
  if (process.platform !== "win32") rmSync(folderFor(dataDir), { recursive: true, force: true });
}
