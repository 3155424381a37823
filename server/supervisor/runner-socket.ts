/** The place where the runner listens: a private folder with a short path, since a socket's path has about 100 bytes. */
import { createHash, randomBytes } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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

/**
 * One socket per data directory, with the same name at each start: what a run leaves whose processes were all killed at
 * one blow is taken over by the next and does not pile up. The instance lock makes sure that there is only one user.
 */
export function createRunnerSocket(dataDir: string): RunnerSocket {
  if (process.platform === "win32") {
    const path = `\\\\.\\pipe\\hearth-runner-${randomBytes(16).toString("hex")}`;
    return { path, ensureFolder: () => undefined, remove: () => undefined };
  }
  const key = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  const base = Buffer.byteLength(join(tmpdir(), `hearth-${key}`, socketName)) <= maxPathBytes ? tmpdir() : "/tmp";
  const wanted = join(base, `hearth-${key}`);
  const folder = makePrivateFolder(wanted) ? wanted : mkdtempSync(join(base, "hearth-"));
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
