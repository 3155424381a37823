/**
 * A service process's side of the link to its supervisor: Node's fork channel or Electron's parentPort, whichever
 * exists. A process that was started by hand has none.
 */
import { rmSync } from "node:fs";
import { afterRunning } from "../../time/after-running.ts";
import type { Drain } from "./drain.ts";
import { electronPort, hasParent, isForked, onParentMessage } from "./parent-channel.ts";
import { toServiceSchema, type FromService, type ToService } from "../../contract/process/process-messages.ts";

export interface ParentLink {
  /** A supervisor listens, and reports to the user. */
  readonly hasParent: boolean;
  /** Whether the supervisor still exists. */
  isConnected(): boolean;
  /** Sends a message to the supervisor; does nothing without one. */
  send(message: FromService): void;
  onMessage(listen: (message: ToService) => void): void;
}

/** A JSON list of the folders that go with a parent which ends without removing them. */
export const temporaryVariable = "HEARTH_TEMPORARY_FOLDERS";

/** At this process's own end: the last of the parent's processes finds what the others still wrote. */
function removeWithParent(folders: readonly string[]): void {
  process.once("exit", () => {
    if (process.connected) return;
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
}

/** Nobody waits any longer for a process that is still starting. */
const endAtOnce = () => process.exit(1);

/** From now on this process ends with its parent, even if the parent has already ended. */
export function connectParent(): ParentLink {
  if (isForked) {
    removeWithParent(JSON.parse(process.env[temporaryVariable] ?? "[]") as string[]);
    if (!process.connected) endAtOnce();
    process.once("disconnect", endAtOnce);
    // A listener keeps the channel open, and would keep a process alive that could not start.
    process.channel?.unref();
  }
  return {
    hasParent,
    isConnected: () => electronPort !== undefined || process.connected,
    send(message) {
      if (electronPort) electronPort.postMessage(message);
      else if (process.connected) process.send?.(message);
    },
    onMessage(listen) {
      onParentMessage((raw) => {
        const message = toServiceSchema.safeParse(raw);
        if (message.success) listen(message.data);
      });
    },
  };
}

/**
 * Answers the supervisor's health checks. `findProblem` returns what is wrong although the event loop runs, such as a
 * closed listener. The answer waits for it.
 */
export function answerPings(
  link: ParentLink,
  findProblem: () => Promise<string | undefined> | string | undefined,
): void {
  link.onMessage((message) => {
    if (message.type === "ping")
      void Promise.resolve(findProblem()).then((problem) => link.send({ type: "pong", problem }));
  });
}

/** The time of a service's end, beside what it waits for clients. */
const graceMs = 4_000;

/**
 * Calls `stop` once, then exits: on SIGTERM, on the supervisor's "stop" and when the supervisor ends. SIGINT and SIGHUP
 * count only without a supervisor, which stops its processes in order: a Ctrl-C in a terminal, and its end, reach all of
 * them at once.
 * A service with clients passes its `drain`, whose delay comes before. After the time for all this the process exits anyway:
 * none may outlive its run.
 */
export function stopWithParent(link: ParentLink, stop: () => Promise<void>, drain?: Drain): void {
  let stopping = false;
  const stopOnce = () => {
    if (stopping) return;
    stopping = true;
    afterRunning(graceMs + (drain?.mostMs ?? 0), () => process.exit(1)).unref();
    Promise.resolve(drain?.finishDelay())
      .then(stop)
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  for (const signal of ["SIGINT", "SIGHUP"] as const)
    process.on(signal, () => {
      if (!process.connected) stopOnce();
    });
  process.on("SIGTERM", stopOnce);
  process.off("disconnect", endAtOnce).on("disconnect", stopOnce);
  link.onMessage((message) => {
    if (message.type === "stop") stopOnce();
    else if (message.type === "drain") drain?.begin();
  });
}
