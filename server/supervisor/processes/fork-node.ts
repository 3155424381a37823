/** The supervisor's Child on Node's own fork. */
import { fork } from "node:child_process";
import type { Child, Exit, ForkRequest } from "./child.ts";
import { splitLines } from "./split-lines.ts";

const outputGraceMs = 200;

/** `execArgv`: options for Node itself, such as heap limits; `args`: arguments of the entry. */
export function createNodeFork(execArgv: readonly string[] = [], args: readonly string[] = []) {
  return ({ entry, env }: ForkRequest): Child => {
    const child = fork(entry, args, { env, execArgv: [...execArgv], stdio: ["ignore", "pipe", "pipe", "ipc"] });
    const exited = new Promise<Exit>((resolve) => {
      child.once("error", () => {
        if (child.pid === undefined) resolve({ code: null });
      });
      const ended = (code: number | null, signal: NodeJS.Signals | null) =>
        resolve({ code, signal: signal ?? undefined });
      // "close" follows the last line of output, but a grandchild that keeps the pipes open must not delay it.
      child.once("close", ended);
      child.once("exit", (code, signal) => {
        const late = setTimeout(ended, outputGraceMs, code, signal);
        // Otherwise it would keep this process alive.
        child.once("close", () => clearTimeout(late));
      });
    });
    return {
      get pid() {
        return child.pid;
      },
      onMessage: (listen) => void child.on("message", listen),
      onLine(listen) {
        if (child.stdout) splitLines(child.stdout, listen);
        if (child.stderr) splitLines(child.stderr, listen);
      },
      send(message) {
        if (child.connected) child.send(message, () => undefined);
      },
      kill: () => void child.kill("SIGKILL"),
      exited,
    };
  };
}
