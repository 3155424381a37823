/**
 * Services may outlive a supervisor that was killed, while they end. As long as one does, no other Hearth may use their
 * data, nor their ports.
 */
import { join } from "node:path";
import { lockFile, lockFileSoon, shareFile } from "../file-lock.ts";

const patienceMs = 15_000;
const lockIn = (dataDir: string) => join(dataDir, "services.lock");

/** Called by a service before it touches the data; holds until its process ends. */
export const holdData = (dataDir: string): void => shareFile(lockIn(dataDir));

/** Waits some time for the services of a run that is gone. `onWait` is called if there are any. False: they have not ended. */
export async function servicesEnd(dataDir: string, onWait: () => void): Promise<boolean> {
  const path = lockIn(dataDir);
  let lock = lockFile(path);
  if (lock === "held") {
    onWait();
    lock = await lockFileSoon(path, patienceMs);
  }
  if (lock === "held") return false;
  if (lock !== "none") lock.release();
  return true;
}
