/** The supervisor's Child on Electron's utilityProcess. */
import { utilityProcess } from "electron";
import type { Readable } from "node:stream";
import type { Child, Exit, ForkRequest } from "../../server/supervisor/processes/child.ts";
import { splitLines } from "../../server/supervisor/processes/split-lines.ts";

export function forkUtilityProcess({ name, entry, env }: ForkRequest): Child {
  const child = utilityProcess.fork(entry, [], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    serviceName: `Hearth ${name}`,
  });
  // A fatal error of V8: the process ends next, which reports enough.
  child.on("error", () => undefined);
  let ended = false;
  const { promise: exited, resolve } = Promise.withResolvers<Exit>();
  function end(code: number | null): void {
    ended = true;
    resolve({ code });
  }
  child.once("exit", end);
  function killProcess(): void {
    if (child.pid === undefined) return;
    // Its own kill() sends SIGTERM, which a hanging process ignores.
    try {
      process.kill(child.pid, "SIGKILL");
    } catch {
      child.kill();
    }
  }
  return {
    get pid() {
      return child.pid;
    },
    onMessage: (listen) => void child.on("message", listen),
    onLine(listen) {
      // Typed as the bare interface, but created by Node.
      for (const stream of [child.stdout, child.stderr]) if (stream) splitLines(stream as Readable, listen);
    },
    send(message) {
      if (!ended) child.postMessage(message);
    },
    kill() {
      if (ended) return;
      if (child.pid !== undefined) return killProcess();
      // No event reports a process that could not be created, and one that is created late must not outlive the run.
      child.once("spawn", killProcess);
      end(null);
    },
    exited,
  };
}
