/** Keeps two processes off one queue file: a file beside it holds the id of the process that uses it. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";

function isOtherProcess(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Takes the lock; one left by a process that is gone is taken over. Returns the holder's id when there is one. */
export function takeQueueLock(queueFile: string): { release(): void } | { holder: number; file: string } {
  const file = `${queueFile}.lock`;
  try {
    writeFileSync(file, String(process.pid), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const holder = Number(readFileSync(file, "utf8"));
    if (isOtherProcess(holder)) return { holder, file };
    writeFileSync(file, String(process.pid), { mode: 0o600 });
  }
  return { release: () => rmSync(file, { force: true }) };
}
