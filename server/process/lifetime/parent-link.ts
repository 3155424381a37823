/**
 * A service process's side of the link to its supervisor: Node's fork channel or Electron's parentPort, whichever there
 * is, or none when the process was started by hand.
 */
import { toServiceSchema, type FromService, type ToService } from "../../contract/process/process-messages.ts";

interface ElectronParentPort {
  on(event: "message", listen: (message: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

export interface ParentLink {
  /** Somebody listens, and tells the user what matters. */
  readonly hasParent: boolean;
  /** It is still there. */
  isConnected(): boolean;
  /** Tells the supervisor; does nothing without one. */
  send(message: FromService): void;
  onMessage(listen: (message: ToService) => void): void;
}

/** Nobody waits any more for what has only begun to start. */
const endAtOnce = () => process.exit(1);

/** From here on this process does not outlive its parent, not even one that is gone already. */
export function connectParent(): ParentLink {
  const port = (process as { parentPort?: ElectronParentPort }).parentPort;
  // Electron ends its processes by itself.
  const isForked = port === undefined && process.send !== undefined;
  if (isForked) {
    if (!process.connected) endAtOnce();
    process.once("disconnect", endAtOnce);
    // Listening keeps the channel open, and with it a process that could not start.
    process.channel?.unref();
  }
  return {
    hasParent: port !== undefined || isForked,
    isConnected: () => port !== undefined || process.connected,
    send(message) {
      if (port) port.postMessage(message);
      else if (process.connected) process.send?.(message);
    },
    onMessage(listen) {
      const receive = (raw: unknown) => {
        const message = toServiceSchema.safeParse(raw);
        if (message.success) listen(message.data);
      };
      if (port) port.on("message", ({ data }) => receive(data));
      else process.on("message", receive);
    },
  };
}

/**
 * Answers the supervisor when it asks whether this process works. `findProblem`: what is wrong although its event loop turns,
 * such as a listener that is gone; until it settles the process has not answered.
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

/**
 * Calls `stop` once, on SIGTERM, the supervisor's "stop" or its death, and exits when it is done; on SIGINT only without a
 * supervisor that stops its processes in their order: a Ctrl-C in a terminal reaches all at once. A stop that takes longer
 * than `graceMs` is cut off: no process may outlive its run.
 */
export function stopWithParent(link: ParentLink, stop: () => Promise<void>, graceMs = 4_000): void {
  let stopping = false;
  const stopOnce = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), graceMs).unref();
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGINT", () => {
    if (!process.connected) stopOnce();
  });
  process.on("SIGTERM", stopOnce);
  process.off("disconnect", endAtOnce).on("disconnect", stopOnce);
  link.onMessage((message) => {
    if (message.type === "stop") stopOnce();
  });
}
