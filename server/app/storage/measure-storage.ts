/** Measures the parts of a folder on demand, in a thread. */
import { Worker } from "node:worker_threads";

/** The files and folders of a part, except those in `without`. Absolute. */
export interface PartPaths {
  readonly name: string;
  readonly paths: readonly string[];
  readonly without: readonly string[];
}

export interface Measured {
  readonly name: string;
  readonly files: number;
  readonly bytes: number;
}

/** The files counted so far; with `measured`, the count is finished. */
export interface FromMeasuring {
  readonly files: number;
  readonly measured?: readonly Measured[];
}

export type Measuring = ReturnType<typeof createMeasuring>;

/** The thread's file, as source or as a bundle. */
const entry = new URL(
  import.meta.url.endsWith(".ts") ? "./measure-thread.ts" : "./measure-storage.js",
  import.meta.url,
);

const goodForMs = 10_000;

/** `onError`: called when a count failed; the last result stays. */
export function createMeasuring(parts: readonly PartPaths[], onError: (error: unknown) => void) {
  let worker: Worker | undefined;
  let files = 0;
  let measured: readonly Measured[] = [];
  let measuredAt: number | undefined;
  let isOld = true;

  function begin(): void {
    isOld = false;
    files = 0;
    const counting = new Worker(entry, { name: "measure-storage", workerData: { parts } });
    counting.unref();
    counting.on("message", (message: FromMeasuring) => {
      files = message.files;
      if (!message.measured) return;
      measured = message.measured;
      measuredAt = Date.now();
    });
    counting.on("error", onError);
    counting.once("exit", () => (worker = undefined));
    worker = counting;
  }

  return {
    /** The last result. Starts a new count when that is old. */
    latest() {
      if (!worker && (isOld || Date.now() - (measuredAt ?? 0) > goodForMs)) begin();
      return { counting: worker !== undefined, files, measuredAt, measured };
    },
    /** Marks the result as old, after a change. */
    forget: () => void (isOld = true),
    close: async () => worker?.terminate(),
  };
}
