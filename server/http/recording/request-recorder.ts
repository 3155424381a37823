/**
 * Watches calls go by and hands each one over when it has ended. It copies what passes and touches nothing, so that a call
 * runs the same with it and without; what is kept of a call, and in which form, is the business of whoever takes it.
 */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { RequestService } from "../../contract/console/requests.ts";
import { notesOf, type ExchangeNotes } from "./exchange-notes.ts";
import { callerAddress } from "../connection/caller.ts";
import { pathOf, type Middleware } from "../middleware.ts";

/** The beginning of a body. */
export interface CapturedBody {
  readonly chunks: (string | Buffer)[];
  /** Bytes in `chunks`. */
  kept: number;
  /** Bytes that went by. */
  size: number;
}

/** A call that has ended. */
export interface Exchange {
  readonly service: RequestService;
  /** Unix time in ms at which it came. */
  readonly time: number;
  /** Until the last byte of the answer was handed to the system. */
  readonly ms: number;
  readonly method: string;
  /** The request target as it was sent: path and query. */
  readonly target: string;
  /** Names and values by turns, as they were sent. */
  readonly requestHeaders: readonly string[];
  readonly requestBody: CapturedBody;
  readonly client: string;
  /** Absent when the client left before there was an answer. */
  readonly status?: number;
  readonly responseHeaders: OutgoingHttpHeaders;
  readonly responseBody: CapturedBody;
  /** Bytes kept of each write and ms since the request came, by turns; absent where writes are not timed. */
  readonly responseChunks?: readonly number[];
  /** False when the connection ended before the answer did. */
  readonly complete: boolean;
  readonly notes: ExchangeNotes;
}

interface Options {
  /** The service that answers. */
  readonly service: RequestService;
  readonly take: (exchange: Exchange) => void;
  /** The most bytes that are kept of one body. */
  readonly maxBodyBytes: number;
  /** True for calls that are nobody's business. `path` is without query. */
  readonly ignore: (path: string, headers: IncomingHttpHeaders) => boolean;
  /** Notes the time of each write, for a service that streams its answers. */
  readonly timesWrites?: boolean;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** What begins to keep the body of a call that is let in. */
const atDoor = Symbol("at the door");
type Recorded = IncomingMessage & { [atDoor]?: () => void };

/** A middleware: from here on the body of a recorded call is kept. What is refused before is recorded without. */
export const recordBody: Middleware = (req: Recorded, _res, next) => {
  req[atDoor]?.();
  next();
};

/** A middleware; it must come before everything that answers a request, and recordBody before what reads one. */
export function recordRequests({ service, take, maxBodyBytes, ignore, now, timesWrites = false }: Options): Middleware {
  return (req: Recorded, res, next) => {
    if (ignore(pathOf(req), req.headers)) {
      next();
      return;
    }
    const { method = "", url: target = "" } = req; // routers below change the url
    const time = now();
    const began = performance.now();
    const client = callerAddress(req); // gone once the connection has ended
    let requestBody = nothing();
    req[atDoor] = () => (requestBody = captureIncoming(req, maxBodyBytes));
    const responseChunks: number[] | undefined = timesWrites ? [] : undefined;
    const kept = responseChunks && ((bytes: number) => void responseChunks.push(bytes, sinceMs(began)));
    const responseBody = captureOutgoing(res, maxBodyBytes, kept);
    res.once("close", () =>
      take({
        service,
        time,
        ms: sinceMs(began),
        method,
        target,
        requestHeaders: req.rawHeaders,
        requestBody,
        client,
        ...(res.headersSent && { status: res.statusCode }),
        responseHeaders: res.getHeaders(),
        responseBody,
        ...(responseChunks && { responseChunks }),
        complete: res.writableFinished,
        notes: notesOf(res),
      }),
    );
    next();
  };
}

const sinceMs = (began: number) => Math.round((performance.now() - began) * 100) / 100;

const nothing = (): CapturedBody => ({ chunks: [], kept: 0, size: 0 });

/** Copies the chunk: it may be a slice of a much larger buffer, which would be kept whole. */
function keep(body: CapturedBody, chunk: Uint8Array, limit: number): void {
  body.size += chunk.byteLength;
  const room = limit - body.kept;
  if (room <= 0) return;
  const copy = Buffer.from(chunk.byteLength > room ? chunk.subarray(0, room) : chunk);
  body.chunks.push(copy);
  body.kept += copy.length;
}

/** Sees the bytes where they enter the request's stream, so that nobody is made to read them and nobody can miss them. */
function captureIncoming(req: IncomingMessage, limit: number): CapturedBody {
  const body = nothing();
  if (req.headers["content-length"] === undefined && req.headers["transfer-encoding"] === undefined) return body;
  if (req.readableLength > 0) {
    // It has come while the request waited for the one before it on its connection.
    const waiting = req.read() as Buffer | null;
    if (waiting !== null) {
      keep(body, waiting, limit);
      req.unshift(waiting);
    }
  }
  const push = req.push.bind(req);
  req.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk instanceof Uint8Array) keep(body, chunk, limit);
    return push(chunk, encoding);
  };
  return body;
}

/** `kept` is told of every write how many bytes of it are kept, if any. */
function captureOutgoing(res: ServerResponse, limit: number, kept?: (bytes: number) => void): CapturedBody {
  const body = nothing();
  const copy = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk === "string") {
      const size = Buffer.byteLength(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8");
      const isUtf8 = typeof encoding !== "string" || /^utf-?8$/i.test(encoding);
      if (!isUtf8 || size > limit - body.kept) keep(body, Buffer.from(chunk, encoding as BufferEncoding), limit);
      else {
        body.chunks.push(chunk);
        body.kept += size;
        body.size += size;
      }
    } else if (chunk instanceof Uint8Array) keep(body, chunk, limit);
  };
  const see = kept
    ? (chunk: unknown, encoding: unknown) => {
        const before = body.kept;
        copy(chunk, encoding);
        if (body.kept > before) kept(body.kept - before);
      }
    : copy;
  const write = res.write.bind(res) as (...given: unknown[]) => boolean;
  const end = res.end.bind(res) as (...given: unknown[]) => ServerResponse;
  res.write = (...given: unknown[]) => {
    see(given[0], given[1]);
    return write(...given);
  };
  res.end = (...given: unknown[]) => {
    see(given[0], given[1]);
    return end(...given);
  };
  return body;
}
