/**
 * A service process's side of the link to its supervisor: Node's fork channel or Electron's parentPort, whichever
 * exists. A process that was started by hand has none.
 */
import { rmSync } from "node:fs";
import { afterRunning } from "../../time/after-running.ts";
import type { Drain } from "./drain.ts";
import { temporaryVariable } from "./temporary-folders.ts";
import { electronPort, hasParent, isForked, onParentMessage } from "./parent-channel.ts";
import { toServiceSchema, type FromService, type ToService } from "../../contract/process/process-messages.ts";

/** Removes the folders at this process's own end, because other processes of the parent may still write until then. */
function removeWithParent(folders: readonly string[]): void {
  process.once("exit", () => {
    if (process.connected) return;
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
}

/** A process that is still starting ends at once. */
const endAtOnce = () => process.exit(1);

/** Makes this process end with its parent, even if the parent has already ended. */
export function connectParent() {
  if (isForked()) {
    removeWithParent(JSON.parse(process.env[temporaryVariable] ?? "[]") as string[]);
    if (!process.connected) endAtOnce();
    process.once("disconnect", endAtOnce);
    // A listener keeps the channel open, which would keep a process alive that failed to start.
    process.channel?.unref();
  }
  return {
    /** A supervisor listens, and reports to the user. */
    hasParent: hasParent(),
    /** Whether the supervisor still exists. */
    isConnected: () => electronPort !== undefined || process.connected,
    /** Sends a message to the supervisor; does nothing without one. */
    send(message: FromService): void {
      if (electronPort) electronPort.postMessage(message);
      else if (process.connected) process.send?.(message);
    },
    onMessage(listen: (message: ToService) => void): void {
      onParentMessage((raw) => {
        const message = toServiceSchema.safeParse(raw);
        if (message.success) listen(message.data);
      });
    },
  };
}
export type ParentLink = ReturnType<typeof connectParent>;

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

/** The time for a service's end, in addition to the wait for clients. */
const graceMs = 4_000;

/**
 * Calls `stop` once, then exits: on SIGTERM, on the supervisor's "stop" and when the supervisor ends. SIGINT and SIGHUP
 * count only without a supervisor, which stops its processes in order: a terminal sends them to all processes at once.
 * A service with clients passes its `drain`, whose delay comes first. The process exits after the time for all this in
 * any case.
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
