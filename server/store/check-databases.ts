import { Worker } from "node:worker_threads";

/** The file of the thread, as source or as a bundle. */
const entry = new URL(import.meta.url.endsWith(".ts") ? "./check-thread.ts" : "./check-databases.js", import.meta.url);

/** Reads databases through beside all else, and tells of each that is damaged. Returns what ends that. */
export function checkDatabases(files: readonly string[], tell: (problem: string) => void): () => Promise<unknown> {
  const worker = new Worker(entry, { name: "check-databases", workerData: files });
  worker.on("message", tell);
  worker.on("error", (error) => tell((error as Error).message));
  worker.unref();
  return () => worker.terminate();
}
