import { copyFileSync, rmSync } from "node:fs";

const parts = ["", "-wal", "-shm"];

/** Copies a closed database over another one, whose journal goes. */
export function copyDisk(from: string, to: string): void {
  for (const part of parts) rmSync(`${to}${part}`, { force: true });
  copyFileSync(from, to);
}
