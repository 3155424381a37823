/** Runs one task in a process of its own, which ends with the result. */
import type { TaskMessage } from "../../contract/process/process-messages.ts";
import type { FromWorker } from "../../process/lifetime/answer-task.ts";
import type { Fork, ForkRequest } from "./child.ts";
import { inheritedEnvironment } from "./process-environment.ts";

const failedAssertion = /_ASSERT\(|assertion .{0,500}failed/i;

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
  child.onLine((line) => {
    // The lines after a failed assertion are its stack.
    if (!failedAssertion.test(lastLine)) lastLine = line.trim() || lastLine;
  });
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
      `its process was stopped by ${endedBy ?? `code ${String(code)}`}${lastLine === "" ? "" : ` (${lastLine})`}`,
    );
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
