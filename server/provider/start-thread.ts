import { Worker } from "node:worker_threads";
import { byConsoleHeader } from "../contract/console/by-console.ts";
import { simAlipayCredentialsSchema, simCredentialsSchema } from "../contract/provider/provider-keys.ts";
import type { Exchange } from "../http/recording/request-recorder.ts";
import { PortInUseError } from "../http/connection/listen.ts";
import type { AdjustableClock } from "../time/adjustable-clock.ts";
import type { MerchantCredentials } from "./open-provider.ts";
import type { ProviderOptions, RunningProvider } from "./running-provider.ts";
import { addFaultHit } from "../trace/fault-hits.ts";
import { runInSpan } from "../trace/span.ts";
import type { FromThread, Introduction, ThreadStart, ToThread } from "./thread-messages.ts";

interface Options extends Omit<ProviderOptions, "clock"> {
  /** The thread's entry file. */
  readonly entry: URL;
  readonly clock: Pick<AdjustableClock, "offsetMs" | "onMove">;
}

const asBuffers = (exchange: Exchange): Exchange => {
  for (const { chunks } of [exchange.requestBody, exchange.responseBody])
    for (const [at, chunk] of chunks.entries())
      if (typeof chunk !== "string") chunks[at] = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return exchange;
};

const readFrom = async (url: string): Promise<unknown> =>
  (await fetch(url, { headers: { [byConsoleHeader]: "1" } })).json();

/** As much as the main thread has: half of it costs an order about 5 % more CPU time, twice as much saves nothing. */
const resourceLimits = { maxYoungGenerationSizeMb: 48 };

/**
 * Opens the simulator on its own thread: it and the application server wait for each other's answers, so they must not
 * share an event loop. An unexpected error there ends this process, like one of its own.
 */
export function startProviderThread({ entry, clock, take, publish, ...options }: Options): RunningProvider {
  const start: ThreadStart = { ...options, offsetMs: clock.offsetMs };
  const worker = new Worker(entry, { name: "provider", workerData: start, resourceLimits });
  const send = (message: ToThread) => worker.postMessage(message);
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  const stopFollowing = clock.onMove((offsetMs) => send({ type: "clock", offsetMs }));
  const { promise: introduced, resolve, reject } = Promise.withResolvers<Introduction>();
  let credentials: MerchantCredentials | undefined;
  let isOpen = false;
  let answer: (problem: string | undefined) => void = () => undefined;
  worker.on("message", (message: FromThread) => {
    if (message.type === "call") take(asBuffers(message.exchange));
    else if (message.type === "pong") answer(message.problem);
    else if (message.type === "event") runInSpan(message.span, () => publish(message.event));
    else if (message.type === "fault") addFaultHit(message.mark, message.span);
    else if (message.type === "ready") {
      isOpen = true;
      credentials = message.introduction.payments.credentials;
      resolve(message.introduction);
    } else if (message.type === "credentials") {
      if (credentials) Object.assign(credentials, message.credentials);
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
      keysV3: async () => simCredentialsSchema.parse(await readFrom(`${introduction.url}/sim/credentials`)),
      keysAlipay: async () =>
        simAlipayCredentialsSchema.parse(await readFrom(`${introduction.url}/sim/alipay/credentials`)),
    },
  }));
  // Callers that await it get the error; without one it must not count as unhandled.
  opened.catch(() => undefined);
  return {
    opened,
    findProblem() {
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      answer = resolve;
      send({ type: "ping" });
      return promise;
    },
    leadBuyersTo: (url) => send({ type: "buyers", url }),
    drain: () => send({ type: "drain" }),
    async close(graceMs) {
      stopFollowing();
      send({ type: "stop", graceMs });
      await ended;
    },
  };
}
