/** Has a process of its own do one thing: what may crash, or would block its caller. */
import type { Fork, ForkRequest } from "./child.ts";

/** What the process reports to its parent. */
export type FromWorker =
  | { readonly type: "progress"; readonly status?: string; readonly done: number; readonly total: number }
  | { readonly type: "done"; readonly result: unknown }
  | { readonly type: "failed"; readonly message: string };

/** Passes the task, as JSON. */
const taskVariable = "HEARTH_TASK";

/** In the process: what is to be done. The caller knows who has started it. */
export const givenTask = <Task>(): Task => JSON.parse(process.env[taskVariable] ?? "") as Task;

/** In the process: reports what came of it, and ends the process if its parent is a Node. */
export async function answerTask(work: (report: (message: FromWorker) => void) => Promise<unknown>): Promise<void> {
  const { parentPort } = process as { parentPort?: { postMessage: (message: FromWorker) => void } };
  const report = (message: FromWorker) => {
    if (parentPort) parentPort.postMessage(message);
    else process.send?.(message);
  };
  try {
    report({ type: "done", result: await work(report) });
  } catch (error) {
    report({ type: "failed", message: (error as Error).message });
  }
  if (process.connected) process.disconnect();
}

export interface Asking {
  readonly fork: Fork;
  /** Ends the process. */
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number, status: string) => void;
}

/** @throws Error with the reason for a missing result; the signal's reason */
export async function askWorker<Result>(
  { name, entry }: Pick<ForkRequest, "name" | "entry">,
  task: unknown,
  { fork, signal, onProgress = () => undefined }: Asking,
): Promise<Result> {
  signal.throwIfAborted();
  const inherited = Object.entries(process.env).filter((one): one is [string, string] => one[1] !== undefined);
  const env = { ...Object.fromEntries(inherited), [taskVariable]: JSON.stringify(task) };
  const child = fork({ name, entry, env });
  const stop = () => child.kill();
  signal.addEventListener("abort", stop, { once: true });
  let last: FromWorker | undefined;
  let lastLine = "";
  child.onLine((line) => (lastLine = line.trim() || lastLine));
  child.onMessage((raw) => {
    const message = raw as FromWorker;
    if (message.type === "progress") return onProgress(message.done, message.total, message.status ?? "");
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
