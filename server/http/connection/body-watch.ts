/**
 * Bodies on their way in: those whose clients send nothing any more are ended, and what waits whole in memory is bounded, of
 * all requests of a service together.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { badRequest, unavailable, type HttpError } from "../http-error.ts";
import type { ServerLimits } from "./server-limits.ts";

export interface BodyWatch {
  /** Knows of a request with a body from now on. */
  begin(req: IncomingMessage, res: ServerResponse): void;
}

/** What somebody does who reads a body. */
export interface BodyReading {
  /** Counts bytes that are kept. @throws HttpError 503 when too many are, of all bodies together */
  readonly hold: (bytes: number) => void;
  /** Nothing more is read. */
  readonly done: () => void;
}

interface Body {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly watch: Watch;
  held: number;
}

interface Reader {
  readonly body: Body;
  /** It is kept until it is whole, so it must not take for ever. */
  readonly whole: boolean;
  readonly fail: (error: HttpError) => void;
  readonly beganAt: number;
  /** What the connection had received when it was last seen to receive something. */
  received: number;
  receivedAt: number;
}

interface Watch {
  readonly readers: Set<Reader>;
  hold(body: Body, bytes: number): void;
  /** Gives back what the body holds, soon or when its request has been answered. */
  release(body: Body): void;
  check(): void;
}

/** A property rather than a WeakMap: one that grows with every request makes each collection of garbage dear. */
const bodyOf = Symbol("body");
type Watched = IncomingMessage & { [bodyOf]?: Body };
const unwatched: BodyReading = { hold: () => undefined, done: () => undefined };
/** What is more stays in memory, in another form, until the request has been answered, and is counted until then. */
const smallBytes = 64 * 1024;
/** How often it is looked for clients that send nothing. */
const pollIntervalMs = 1_000;

/**
 * To be called by whoever begins to read a body.
 * @param whole whether it is kept in memory until all of it has come
 * @param fail called once when it does not come in time; the error is for the client, after whose answer the connection ends
 */
export function readingBody(req: Watched, whole: boolean, fail: (error: HttpError) => void): BodyReading {
  const body = req[bodyOf];
  if (body === undefined) return unwatched;
  const { watch } = body;
  const now = performance.now();
  const reader: Reader = { body, whole, fail, beganAt: now, received: -1, receivedAt: now };
  watch.readers.add(reader);
  watch.check();
  return {
    hold: (bytes) => watch.hold(body, bytes),
    done() {
      watch.readers.delete(reader);
      watch.release(body);
    },
  };
}

/** Counts what a body has become, as by decompressing it, until its request has been answered. @throws HttpError 503 */
export function holdBody(req: Watched, bytes: number): void {
  const body = req[bodyOf];
  body?.watch.hold(body, bytes);
  if (body) body.watch.release(body);
}

export function createBodyWatch(limits: ServerLimits): BodyWatch {
  const { bodyIdleMs, bodyTotalMs, maxBodyMemory, onBodiesFreed } = limits;
  const readers = new Set<Reader>();
  let held = 0;
  let freed = 0;
  let timer: NodeJS.Timeout | undefined;

  function giveBack(body: Body): void {
    held -= body.held;
    freed += body.held;
    body.held = 0;
    if (held > 0 || freed < maxBodyMemory / 4) return;
    freed = 0;
    onBodiesFreed?.();
  }

  const watch: Watch = {
    readers,
    hold(body, bytes) {
      held += bytes;
      body.held += bytes;
      if (held <= maxBodyMemory) return;
      throw unavailable(
        "too_many_bodies",
        `The bodies of all requests are larger than ${String(maxBodyMemory / 1_048_576)} MB together (setting max_body_memory_mb): try again later.`,
        1,
      );
    },
    release(body) {
      if (body.held <= smallBytes || body.res.closed) giveBack(body);
      else body.res.once("close", () => giveBack(body));
    },
    check() {
      timer ??= setInterval(checkAll, Math.min(pollIntervalMs, bodyIdleMs / 4)).unref();
    },
  };

  function problemOf(reader: Reader, now: number): HttpError | undefined {
    const { req } = reader.body;
    const received = req.socket.bytesRead;
    // What has come and nobody has taken yet is our delay.
    if (received !== reader.received || req.readableLength > 0) {
      reader.received = received;
      reader.receivedAt = now;
    }
    if (now - reader.receivedAt >= bodyIdleMs)
      return badRequest(
        "body_timeout",
        `No byte of the body has come for ${String(bodyIdleMs / 1_000)} s (setting body_idle_seconds).`,
      );
    if (reader.whole && now - reader.beganAt >= bodyTotalMs)
      return badRequest(
        "body_timeout",
        `The body has not come whole within ${String(bodyTotalMs / 1_000)} s (setting body_total_seconds).`,
      );
    return undefined;
  }

  function checkAll(): void {
    const now = performance.now();
    for (const reader of readers) {
      const problem = problemOf(reader, now);
      if (problem === undefined) continue;
      readers.delete(reader);
      const { res } = reader.body;
      if (!res.headersSent) res.setHeader("Connection", "close");
      reader.fail(problem);
    }
    if (readers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return { begin: (req: Watched, res) => void (req[bodyOf] = { req, res, watch, held: 0 }) };
}
