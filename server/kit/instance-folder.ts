/** The folders of running instances: a process that ends without stopping them must not leave them behind. */
import { mkdtempSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSocketFolder, removeLeftRunnerSocket } from "../supervisor/runner-socket.ts";

/** Each folder with a function that ends its processes at once. */
const folders = new Map<string, () => void>();
/** Signals that end a process without its event `exit`, unless it listens for them. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function removeFolders(): void {
  for (const [folder, kill] of folders) {
    // A service that still starts would create it again.
    kill();
    removeLeftRunnerSocket(dataDirIn(folder));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Ends the process by the signal, unless another listener handles it. */
function endBySignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  removeFolders();
  process.off(signal, endBySignal);
  process.kill(process.pid, signal);
}

export const dataDirIn = (folder: string) => join(folder, "data");

/** All that an instance leaves behind if it is not removed. */
export const temporaryFoldersOf = (folder: string) => [folder, findSocketFolder(dataDirIn(folder)).folder];

export function makeFolder(): string {
  // In one turn, so that no signal comes between creating the folder and registering its removal.
  const folder = mkdtempSync(join(tmpdir(), "hearthkit-"));
  if (folders.size === 0) {
    process.once("exit", removeFolders);
    // Prepended, because a `once` listener is not counted any more when it runs.
    for (const signal of signals) process.prependListener(signal, endBySignal);
  }
  folders.set(folder, () => undefined);
  return folder;
}

/** @param kill ends the processes that use the folder, before it returns */
export const killBeforeRemoval = (folder: string, kill: () => void) => void folders.set(folder, kill);

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  folders.delete(folder);
  if (folders.size > 0) return;
  process.off("exit", removeFolders);
  for (const signal of signals) process.off(signal, endBySignal);
}
