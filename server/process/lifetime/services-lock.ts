/** Services may outlive a supervisor that was killed. Until they end, no other Hearth may use their data or ports. */
import { join } from "node:path";
import { lockFile, lockFileSoon, shareFile } from "../file-lock.ts";

const patienceMs = 15_000;
const lockIn = (dataDir: string) => join(dataDir, "services.lock");

/** Called by a service before it touches the data; holds until its process ends. */
export const holdData = (dataDir: string): void => shareFile(lockIn(dataDir));

/**
 * Waits some time for the services of a run that has ended. `onWait` is called if there are any. False: they still run.
 */
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
