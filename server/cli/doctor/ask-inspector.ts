/** Runs one task of the inspector in a separate process, whose crash is a result, too. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

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
  /** Ends the process. */
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

const entry = fileURLToPath(new URL("./doctor-inspector.js", import.meta.url));
const keptOutput = 2_000;

/** @throws Error with the reason for a missing result; the signal's reason */
export async function askInspector<Result>(
  task: InspectorTask,
  { signal, onProgress = () => undefined }: Asking,
): Promise<Result> {
  signal.throwIfAborted();
  const child = fork(entry, [JSON.stringify(task)], {
    execArgv: [],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const stop = () => void child.kill("SIGKILL");
  signal.addEventListener("abort", stop, { once: true });
  let last: FromInspector | undefined;
  let printed = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (printed = (printed + text).slice(-keptOutput)));
  child.on("message", (message: FromInspector) => {
    if (message.type === "progress") onProgress(message.done, message.total);
    else last = message;
  });
  try {
    const [code, endedBy] = (await once(child, "close")) as [number | null, string | null];
    signal.throwIfAborted();
    if (last?.type === "done") return last.result as Result;
    if (last?.type === "failed") throw new Error(last.message);
    const lastLine = printed.trim().split("\n").at(-1) ?? "";
    throw new Error(
      `its process was ended by ${endedBy ?? `code ${String(code)}`}${lastLine === "" ? "" : ` (${lastLine})`}`,
    );
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
