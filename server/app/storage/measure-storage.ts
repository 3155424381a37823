/** What the parts of a folder take, counted beside all else, and only when somebody asks. */
import { Worker } from "node:worker_threads";

/** The files and folders that make a part, but those in `without`. Absolute. */
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

/** The files that have been counted until now; with the result, the count is over. */
export interface FromMeasuring {
  readonly files: number;
  readonly measured?: readonly Measured[];
}

export interface Measuring {
  /** What is known now. Begins a count where that is old. */
  latest(): { counting: boolean; files: number; measuredAt?: number; measured: readonly Measured[] };
  /** Something has changed: the next look begins a count. */
  forget(): void;
  close(): Promise<unknown>;
}

/** The file of the thread, as source or as a bundle. */
const entry = new URL(
  import.meta.url.endsWith(".ts") ? "./measure-thread.ts" : "./measure-storage.js",
  import.meta.url,
);

const goodForMs = 10_000;

/** `onError`: a count has failed, and what was known before stays. */
export function createMeasuring(parts: readonly PartPaths[], onError: (error: unknown) => void): Measuring {
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
    latest() {
      if (!worker && (isOld || Date.now() - (measuredAt ?? 0) > goodForMs)) begin();
      return { counting: worker !== undefined, files, ...(measuredAt !== undefined && { measuredAt }), measured };
    },
    forget: () => void (isOld = true),
    close: async () => worker?.terminate(),
  };
}
