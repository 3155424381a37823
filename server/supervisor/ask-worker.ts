/** Runs one task in a process of its own, because it may crash, or would block its caller. */
import type { TaskMessage } from "../contract/process/process-messages.ts";
import { electronPort, firstMessage } from "../process/lifetime/parent-channel.ts";
import type { Fork, ForkRequest } from "./child.ts";
import { inheritedEnvironment } from "./process-environment.ts";

/** Messages from the process to its parent. */
export type FromWorker =
  | { readonly type: "progress"; readonly status?: string; readonly done: number; readonly total: number }
  | { readonly type: "done"; readonly result: unknown }
  | { readonly type: "failed"; readonly message: string };

/** Runs in the process: does the parent's task, reports the result, and ends the process if the parent is Node. */
export async function answerTask<Task>(
  work: (task: Task, report: (message: FromWorker) => void) => Promise<unknown>,
): Promise<void> {
  const report = (message: FromWorker) => {
    if (electronPort) electronPort.postMessage(message);
    else process.send?.(message);
  };
  try {
    const { task, variables } = (await firstMessage()) as TaskMessage;
    Object.assign(process.env, variables);
    report({ type: "done", result: await work(task as Task, report) });
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
  { name, entry, variables = {} }: Pick<ForkRequest, "name" | "entry"> & Partial<Pick<TaskMessage, "variables">>,
  task: unknown,
  { fork, signal, onProgress = () => undefined }: Asking,
): Promise<Result> {
  signal.throwIfAborted();
  const child = fork({ name, entry, env: inheritedEnvironment(name, process.env) });
  child.send({ type: "task", task, variables });
  const stop = () => child.kill();
  signal.addEventListener("abort", stop, { once: true });
  let last: FromWorker | undefined;
  let lastLine = "";
  child.onLine((line) => (lastLine = line.trim() || lastLine));
  child.onMessage((raw) => {
    const message = raw as FromWorker;
    if (message.type === "progress") return onProgress(message.done, message.total, message.status ?? "");
    last = message;
    // Electron's processes do not end on their own.
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
