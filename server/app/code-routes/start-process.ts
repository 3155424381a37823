/** Starts the process that runs the code of routes. */
import { fork, type ChildProcess } from "node:child_process";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";

const isSource = import.meta.url.endsWith(".ts");
const beside = (source: string, bundle: string) => new URL(isSource ? source : bundle, import.meta.url);
const entry = beside("./child/code-child.ts", "./code-child.js");
/** The module that `hearthkit/routes` stands for. */
export const kit = beside("../../kit/routes.ts", "./kit-routes.js").href;

export type CodeChild = ChildProcess;

/** The limit of its heap. The process itself watches all of its memory. */
export const heapMb = 128;

/** Nothing of this process is the code's: no secret of its environment, no input or output. */
export function startProcess(cwd: string): CodeChild {
  const child = fork(fileURLToPath(entry), [], {
    cwd,
    env: variables(),
    execArgv: [`--max-old-space-size=${String(heapMb)}`],
    serialization: "advanced",
    // The last is a pipe that ends with this process.
    stdio: ["ignore", "pipe", "pipe", "ipc", "pipe"],
  });
  giveWay(child.pid);
  child.unref();
  child.channel?.unref();
  return child;
}

/** Code that loops takes only the time that nothing else needs. */
function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system forbids it.
  }
}

/** The variables that the program itself needs. The code does not see them. */
const variables = (): Record<string, string> => ({
  ...(process.platform === "win32" && { SystemRoot: process.env["SystemRoot"] ?? "" }),
  ...(process.versions["electron"] !== undefined && { ELECTRON_RUN_AS_NODE: "1" }),
});
