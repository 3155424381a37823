/** Has the inspector do one thing in a process of its own, whose crash is an answer, too. */
import { fileURLToPath } from "node:url";
import type { Fork } from "../../supervisor/child.ts";

export type InspectorTask =
  | { readonly type: "load"; readonly module: "better-sqlite3" | "sharp" | "node-llama-cpp" }
  | { readonly type: "lock"; readonly file: string }
  | {
      readonly type: "database";
      readonly file: string;
      readonly inUse: boolean;
      /** The service with these tables. */
      readonly tables: "app" | "provider" | "none";
    }
  | {
      readonly type: "uploads";
      /** The database with the uploads. */
      readonly file: string;
      readonly inUse: boolean;
      readonly folder: string;
      readonly reads: boolean;
    };

export type FromInspector =
  | { readonly type: "progress"; readonly done: number; readonly total: number }
  | { readonly type: "done"; readonly result: unknown }
  | { readonly type: "failed"; readonly message: string };

interface Asking {
  readonly fork: Fork;
  /** Ends the process. */
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Passes the task to the inspector. */
export const taskVariable = "HEARTH_INSPECTION";

const entry = fileURLToPath(new URL("./doctor-inspector.js", import.meta.url));

/** @throws Error with the reason for a missing result; the signal's reason */
export async function askInspector<Result>(
  task: InspectorTask,
  { fork, signal, onProgress = () => undefined }: Asking,
): Promise<Result> {
  signal.throwIfAborted();
  const inherited = Object.entries(process.env).filter((one): one is [string, string] => one[1] !== undefined);
  const env = { ...Object.fromEntries(inherited), [taskVariable]: JSON.stringify(task) };
  const child = fork({ name: "inspector", entry, env });
  const stop = () => child.kill();
  signal.addEventListener("abort", stop, { once: true });
  let last: FromInspector | undefined;
  let lastLine = "";
  child.onLine((line) => (lastLine = line.trim() || lastLine));
  child.onMessage((raw) => {
    const message = raw as FromInspector;
    if (message.type === "progress") return onProgress(message.done, message.total);
    last = message;
    // Electron's processes do not end by themselves.
    stop();
  });
  try {
    const { code, signal: endedBy } = await child.exited;
    signal.throwIfAborted();
    if (last?.type === "done") return last.result as Result;
    if (last?.type === "failed") throw new Error(last.message);
    throw new Error(
      `its process was ended by ${endedBy ?? `code ${String(code)}`}${lastLine === "" ? "" : ` (${lastLine})`}`,
    );
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
