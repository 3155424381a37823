/** The supervisor's Child on Electron's utilityProcess. */
import { utilityProcess } from "electron";
import type { Readable } from "node:stream";
import type { Child, Exit, ForkRequest } from "../../server/supervisor/child.ts";
import { splitLines } from "../../server/supervisor/split-lines.ts";

export function forkUtilityProcess({ name, entry, env }: ForkRequest): Child {
  const child = utilityProcess.fork(entry, [], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    serviceName: `Hearth ${name}`,
  });
  // A fatal error of V8: the process ends next, which reports enough.
  child.on("error", () => undefined);
  let ended = false;
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code) => {
      ended = true;
      resolve({ code });
    });
  });
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
      // Its own kill() sends SIGTERM, which a hanging process ignores.
      if (ended || child.pid === undefined) return;
      try {
        process.kill(child.pid, "SIGKILL");
      } catch {
        child.kill();
      }
    },
    exited,
  };
}
