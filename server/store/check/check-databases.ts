import { Worker } from "node:worker_threads";
import type { Damage } from "../../contract/process/damage.ts";

/** The thread's file, as source or as a bundle. */
const entry = new URL(import.meta.url.endsWith(".ts") ? "./check-thread.ts" : "./check-databases.js", import.meta.url);

interface Listeners {
  readonly onDamage: (damage: Damage) => void;
  /** Called with the error when the check itself failed. */
  readonly onError: (error: unknown) => void;
}

/** Checks databases in the background, and reports damaged ones. Returns a function that ends it. */
export function checkDatabases(files: readonly string[], { onDamage, onError }: Listeners): () => Promise<unknown> {
  const worker = new Worker(entry, { name: "check-databases", workerData: files });
  worker.on("message", onDamage);
  worker.on("error", onError);
  worker.unref();
  return () => worker.terminate();
}
