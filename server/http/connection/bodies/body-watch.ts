/** Watches request bodies: it ends stalled ones, and limits the memory of all buffered bodies of a service together. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type HttpError, refuse } from "../../http-error.ts";
import type { ServerLimits } from "../server-limits.ts";

export interface BodyWatch {
  /** Starts to watch a request with a body. */
  begin(req: IncomingMessage, res: ServerResponse): void;
}

/** The reader's side of a body. */
export interface BodyReading {
  /** Counts buffered bytes. @throws HttpError 503 when all bodies together have too many */
  readonly hold: (bytes: number) => void;
  /** Ends the reading. */
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
  /** It is buffered until complete, so it must not take for ever. */
  readonly whole: boolean;
  readonly fail: (error: HttpError) => void;
  readonly beganAt: number;
  /** The connection's received bytes at the last check that saw progress. */
  received: number;
  receivedAt: number;
}

interface Watch {
  readonly readers: Set<Reader>;
  hold(body: Body, bytes: number): void;
  /** Releases the body's memory, at once or when its request was answered. */
  release(body: Body): void;
  check(): void;
  elapsedMs(): number;
}

/** A property, because a WeakMap that grows with every request slows down garbage collection. */
const bodyOf = Symbol("body");
type Watched = IncomingMessage & { [bodyOf]?: Body };
const unwatched: BodyReading = { hold: () => undefined, done: () => undefined };
/** Larger bodies stay in memory in decoded form until the request was answered, and are counted until then. */
const smallBytes = 64 * 1024;
/** The interval of checks for stalled clients. */
const pollIntervalMs = 1_000;

/**
 * Must be called when the reading of a body starts.
 * @param whole whether it is buffered until complete
 * @param fail called once when it stalls; the error is for the client, and the connection ends after the answer
 */
export function readingBody(req: Watched, whole: boolean, fail: (error: HttpError) => void): BodyReading {
  const body = req[bodyOf];
  if (body === undefined) return unwatched;
  const { watch } = body;
  watch.check();
  const now = watch.elapsedMs();
  const reader: Reader = { body, whole, fail, beganAt: now, received: -1, receivedAt: now };
  watch.readers.add(reader);
  return {
    hold: (bytes) => watch.hold(body, bytes),
    done() {
      watch.readers.delete(reader);
      watch.release(body);
    },
  };
}

/**
 * Counts a body's decoded form, for example after decompression, until its request was answered. @throws HttpError 503
 */
export function holdBody(req: Watched, bytes: number): void {
  const body = req[bodyOf];
  if (body === undefined) return;
  try {
    body.watch.hold(body, bytes);
  } finally {
    body.watch.release(body);
  }
}

export function createBodyWatch(limits: ServerLimits): BodyWatch {
  const { bodyIdleMs, bodyTotalMs, maxBodyMemory, onBodiesFreed } = limits;
  const readers = new Set<Reader>();
  let held = 0;
  let freed = 0;
  let timer: NodeJS.Timeout | undefined;
  const intervalMs = Math.min(pollIntervalMs, bodyIdleMs / 4);
  let counted = 0;
  let countedAt = 0;

  /** A stall of this process, such as a laptop's sleep, counts as two checks: what came meanwhile has not been read. */
  const elapsedMs = () => counted + Math.min(performance.now() - countedAt, 2 * intervalMs);

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
      throw refuse("body.memory", { megabytes: maxBodyMemory / 1_048_576 }, { retryAfter: 1 });
    },
    release(body) {
      if (body.held <= smallBytes || body.res.closed) giveBack(body);
      else body.res.once("close", () => giveBack(body));
    },
    check() {
      if (timer) return;
      countedAt = performance.now();
      timer = setInterval(checkAll, intervalMs).unref();
    },
    elapsedMs,
  };

  function problemOf(reader: Reader, now: number): HttpError | undefined {
    const { req } = reader.body;
    const received = req.socket.bytesRead;
    // Received bytes that nobody has read yet are our delay, not the client's.
    if (received !== reader.received || req.readableLength > 0) {
      reader.received = received;
      reader.receivedAt = now;
    }
    if (now - reader.receivedAt >= bodyIdleMs) return refuse("body.idle", { seconds: bodyIdleMs / 1_000 });
    if (reader.whole && now - reader.beganAt >= bodyTotalMs)
      return refuse("body.slow", { seconds: bodyTotalMs / 1_000 });
    return undefined;
  }

  function checkAll(): void {
    const now = elapsedMs();
    counted = now;
    countedAt = performance.now();
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
