import { Worker } from "node:worker_threads";
import type { Damage } from "../../contract/console/events.ts";

/** The file of the thread, as source or as a bundle. */
const entry = new URL(import.meta.url.endsWith(".ts") ? "./check-thread.ts" : "./check-databases.js", import.meta.url);

interface Listeners {
  readonly onDamage: (damage: Damage) => void;
  /** Hears why they could not be read through. */
  readonly onError: (error: unknown) => void;
}

/** Reads databases through beside all else, and tells of each that is damaged. Returns what ends that. */
export function checkDatabases(files: readonly string[], { onDamage, onError }: Listeners): () => Promise<unknown> {
  const worker = new Worker(entry, { name: "check-databases", workerData: files });
  worker.on("message", onDamage);
  worker.on("error", onError);
  worker.unref();
  return () => worker.terminate();
}
