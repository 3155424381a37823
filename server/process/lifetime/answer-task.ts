/** The side of a process that runs one task for its parent, because the task may crash it, or would block its caller. */
import type { TaskMessage } from "../../contract/process/process-messages.ts";
import { electronPort, firstMessage } from "./parent-channel.ts";

/** Messages from the process to its parent. */
export type FromWorker =
  | { readonly type: "progress"; readonly status?: string; readonly done: number; readonly total: number }
  | { readonly type: "done"; readonly result: unknown }
  | { readonly type: "failed"; readonly message: string };

/** Does the parent's task, reports the result, and ends the process if the parent is Node. */
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
