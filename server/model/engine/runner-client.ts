/** HTTP over the runner's socket: one connection per request, so that closing it cancels exactly that request. */
import { request, type IncomingMessage } from "node:http";
import type { z } from "zod";
import { runnerErrorSchema, runnerHelloSchema, type RunnerError } from "../../contract/model/runner.ts";
import { readLines } from "../../contract/read-lines.ts";
import { traceHeaders } from "../../trace/span.ts";
import { EngineError } from "./engine.ts";

/** Nobody listens on the socket: the request has not begun, and all models are gone. */
const unreachable = (cause: Error) => new EngineError("not_loaded", cause.message, cause);

/** The connection ended before the reply did. */
const lostError = (cause: unknown) => new EngineError("lost", "the runner ended while it worked on the request", cause);

function connect(socketPath: string, method: string, path: string, body: unknown, signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let connected = false;
  const sent = request({ socketPath, method, path, agent: false, signal, headers: { ...traceHeaders() } }, resolve);
  sent.on("socket", (socket) => socket.once("connect", () => (connected = true)));
  sent.on("error", (error) => {
    if (signal.aborted) reject(signal.reason as Error);
    else reject(connected ? lostError(error) : unreachable(error));
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}

/** The engine's error for the runner's error line. */
function engineErrorOf(raw: unknown): EngineError | undefined {
  // Nearly every line is a token, and a failed parse would cost more than all other work on it.
  if ((raw as { type?: unknown } | null)?.type !== "error") return undefined;
  const { code, message } = runnerErrorSchema.parse(raw);
  return new EngineError(code, message);
}

/** Method, path and body of a request. */
export type RunnerRoute = readonly [method: string, path: string, body?: unknown];

/**
 * Sends a request and yields the lines of the reply; the runner's error line is thrown.
 * @throws EngineError, not_loaded where there is no runner; the signal's reason when aborted.
 */
export async function* askRunner<Schema extends z.ZodType>(
  socketPath: string,
  [method, path, body]: RunnerRoute,
  schema: Schema,
  signal: AbortSignal,
): AsyncGenerator<Exclude<z.output<Schema>, RunnerError>, void> {
  const reply = await connect(socketPath, method, path, body, signal);
  try {
    for await (const line of readLines(reply)) {
      // Buffered lines are dropped, too.
      signal.throwIfAborted();
      const value: unknown = JSON.parse(line);
      const failure = engineErrorOf(value);
      if (failure) throw failure;
      yield schema.parse(value) as Exclude<z.output<Schema>, RunnerError>;
    }
  } catch (error) {
    if (error instanceof EngineError) throw error;
    signal.throwIfAborted();
    throw lostError(error);
  } finally {
    reply.destroy();
  }
}

export interface Presence {
  /** Resolves with a signal that aborts when the runner ends. @throws when `signal` aborts. */
  alive(signal: AbortSignal): Promise<AbortSignal>;
  close(): void;
}

const retryMs = 100;

/** Keeps a connection to the runner open, whose end signals the runner's death, also between requests. */
export function watchPresence(socketPath: string): Presence {
  const closing = new AbortController();
  let life: AbortController | undefined;
  let arrival = Promise.withResolvers<AbortSignal>();

  async function holdOnce(): Promise<void> {
    const hellos = askRunner(socketPath, ["GET", "/presence"], runnerHelloSchema, closing.signal);
    while ((await hellos.next()).done !== true) {
      life = new AbortController();
      arrival.resolve(life.signal);
    }
  }

  async function hold(): Promise<void> {
    while (!closing.signal.aborted) {
      // Any end of it means that the runner is gone.
      await holdOnce().catch(() => undefined);
      if (life !== undefined) arrival = Promise.withResolvers();
      life?.abort();
      life = undefined;
      await new Promise((resolve) => setTimeout(resolve, retryMs).unref());
    }
  }
  void hold();

  return {
    async alive(signal) {
      signal.throwIfAborted();
      const { promise, reject } = Promise.withResolvers<never>();
      const stop = () => reject(signal.reason as Error);
      signal.addEventListener("abort", stop, { once: true });
      try {
        return await Promise.race([arrival.promise, promise]);
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    close: () => closing.abort(),
  };
}
