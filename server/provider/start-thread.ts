import { Worker } from "node:worker_threads";
import { byConsoleHeader } from "../contract/console/console.ts";
import { simCredentialsSchema } from "../contract/provider/provider-keys.ts";
import type { Exchange } from "../http/recording/request-recorder.ts";
import { PortInUseError } from "../http/connection/listen.ts";
import type { AdjustableClock } from "../process/adjustable-clock.ts";
import type { OpenProvider } from "./open-provider.ts";
import type { FromThread, Introduction, ThreadStart, ToThread } from "./thread-messages.ts";

interface Options extends Pick<ThreadStart, "settings" | "consoleToken"> {
  /** The file of the thread. */
  readonly entry: URL;
  readonly clock: Pick<AdjustableClock, "offsetMs" | "onMove">;
  /** Gets each call that is to be recorded, once it has ended. */
  readonly take: (exchange: Exchange) => void;
}

const asBuffers = (exchange: Exchange): Exchange => {
  for (const { chunks } of [exchange.requestBody, exchange.responseBody])
    for (const [at, chunk] of chunks.entries())
      if (typeof chunk !== "string") chunks[at] = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return exchange;
};

/** What a call leaves behind is garbage soon: room for more of it costs memory and time, and brings nothing. */
const resourceLimits = { maxYoungGenerationSizeMb: 24 };

export interface ProviderThread {
  /** @throws PortInUseError, or the system's error */
  readonly opened: Promise<Omit<OpenProvider, "server" | "close" | "findProblem">>;
  /** Asks the thread what is wrong; undefined when nothing is. Settles when its event loop turns. */
  readonly findProblem: () => Promise<string | undefined>;
  /** Ends the thread, whether it has been opened yet or not; all recorded calls have been handed over by then. */
  close(): Promise<void>;
}

/**
 * Opens the simulator on a thread of its own, so that it and the application server, which wait for one another's answers,
 * share no event loop. An error that nobody has foreseen there ends this process, as one of its own would.
 */
export function startProviderThread({ entry, settings, consoleToken, clock, take }: Options): ProviderThread {
  const start: ThreadStart = { settings, consoleToken, offsetMs: clock.offsetMs };
  const worker = new Worker(entry, { name: "provider", workerData: start, resourceLimits });
  const send = (message: ToThread) => worker.postMessage(message);
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  const stopFollowing = clock.onMove((offsetMs) => send({ type: "clock", offsetMs }));
  const { promise: introduced, resolve, reject } = Promise.withResolvers<Introduction>();
  let isOpen = false;
  let answer: (problem: string | undefined) => void = () => undefined;
  worker.on("message", (message: FromThread) => {
    if (message.type === "call") take(asBuffers(message.exchange));
    else if (message.type === "pong") answer(message.problem);
    else if (message.type === "ready") {
      isOpen = true;
      resolve(message.introduction);
    } else if (message.type === "port in use") reject(new PortInUseError(message.port));
    else reject(Object.assign(message.error, { code: message.code }));
  });
  worker.on("error", (error) => {
    if (isOpen) throw error;
    reject(error);
  });
  const opened = introduced.then((introduction) => ({
    ...introduction,
    payments: {
      ...introduction.payments,
      async keysV3() {
        const answer = await fetch(`${introduction.url}/sim/credentials`, { headers: { [byConsoleHeader]: "1" } });
        return simCredentialsSchema.parse(await answer.json());
      },
    },
  }));
  // Whoever waits for it is told; others may have come to an end before they do.
  opened.catch(() => undefined);
  return {
    opened,
    findProblem() {
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      answer = resolve;
      send({ type: "ping" });
      return promise;
    },
    async close() {
      stopFollowing();
      send({ type: "stop" });
      await ended;
    },
  };
}
