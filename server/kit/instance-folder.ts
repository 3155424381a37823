/** The folders of running instances: a process that ends without stopping them must not leave them behind. */
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeLeftRunnerSocket } from "../supervisor/runner-socket.ts";

const folders = new Set<string>();
/** What ends a process that does not listen for it, without its `exit`. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function removeFolders(): void {
  for (const folder of folders) {
    removeLeftRunnerSocket(dataDirIn(folder));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Ends the process as the signal would have, unless somebody else listens for it and decides. */
function endBySignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  removeFolders();
  process.off(signal, endBySignal);
  process.kill(process.pid, signal);
}

export const dataDirIn = (folder: string) => join(folder, "data");

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "hearthkit-"));
  if (folders.size === 0) {
    process.once("exit", removeFolders);
    for (const signal of signals) process.on(signal, endBySignal);
  }
  folders.add(folder);
  return folder;
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  folders.delete(folder);
  if (folders.size > 0) return;
  process.off("exit", removeFolders);
  for (const signal of signals) process.off(signal, endBySignal);
}
