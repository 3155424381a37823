/**
 * Observes exchanges and hands each one over at its end. It only copies bytes, so that requests run the same with it
 * and without. The receiver decides what to store.
 */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { RequestService } from "../../contract/console/traffic/requests.ts";
import { notesOf, type ExchangeNotes } from "./exchange-notes.ts";
import { callerAddress } from "../connection/peer/caller.ts";
import { pathOf, type Middleware } from "../middleware.ts";

/** The beginning of a body. */
export interface CapturedBody {
  readonly chunks: (string | Buffer)[];
  /** Bytes in `chunks`. */
  kept: number;
  /** Bytes in all. */
  size: number;
}

/** A finished exchange. */
export interface Exchange {
  readonly service: RequestService;
  /** Unix time in ms of the request's start. */
  readonly time: number;
  /** Until the last byte of the answer was handed to the system. */
  readonly ms: number;
  readonly method: string;
  /** The request target as sent: path and query. */
  readonly target: string;
  /** Alternating names and values, as sent. */
  readonly requestHeaders: readonly string[];
  readonly requestBody: CapturedBody;
  readonly client: string;
  /** Absent when the client left before an answer. */
  readonly status?: number;
  readonly responseHeaders: OutgoingHttpHeaders;
  readonly responseBody: CapturedBody;
  /** Alternating kept bytes of a write and ms since the request came; absent where writes are not timed. */
  readonly responseChunks?: readonly number[];
  /** False when the connection ended before the answer did. */
  readonly complete: boolean;
  readonly notes: ExchangeNotes;
}

/** Enough to read almost every body, and 1 GB still holds thousands of exchanges. */
const mostKeptBytes = 256 * 1024;

interface Options {
  /** The answering service. */
  readonly service: RequestService;
  readonly take: (exchange: Exchange) => void;
  /** The most bytes kept of one body, if not the usual ones. */
  readonly maxBodyBytes?: number;
  /** True for paths that are not recorded. `path` is without query. */
  readonly ignore: (path: string, headers: IncomingHttpHeaders) => boolean;
  /** Records the time of each write, for a service with streamed answers. */
  readonly timesWrites?: boolean;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** Starts to keep the body of an accepted request. */
const startBody = Symbol("start of the body");
type Recorded = IncomingMessage & { [startBody]?: () => void };

/**
 * A middleware that starts to keep the body of a recorded request. Requests refused before it are recorded without
 * body.
 */
export const recordBody: Middleware = (req: Recorded, _res, next) => {
  req[startBody]?.();
  next();
};

/** A middleware that must precede every step that answers; recordBody must precede every reader of a body. */
export function recordRequests({
  service,
  take,
  maxBodyBytes = mostKeptBytes,
  ignore,
  now,
  timesWrites = false,
}: Options): Middleware {
  return (req: Recorded, res, next) => {
    if (ignore(pathOf(req), req.headers)) {
      next();
      return;
    }
    const { method = "", url: target = "" } = req; // routers below change the url
    const time = now();
    const began = performance.now();
    const client = callerAddress(req); // gone once the connection has ended
    let requestBody = emptyBody();
    req[startBody] = () => (requestBody = captureIncoming(req, maxBodyBytes));
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
        responseHeaders: headersOfRecorded(res),
        responseBody,
        ...(responseChunks && { responseChunks }),
        complete: res.writableFinished,
        notes: notesOf(res),
      }),
    );
    next();
  };
}

/** The recorded body is not compressed, so a header that says so would be wrong. */
function headersOfRecorded(res: ServerResponse): OutgoingHttpHeaders {
  const headers = res.getHeaders();
  if (notesOf(res).compressed === true) delete headers["content-encoding"];
  return headers;
}

const sinceMs = (began: number) => Math.round((performance.now() - began) * 100) / 100;

const emptyBody = (): CapturedBody => ({ chunks: [], kept: 0, size: 0 });

/** Copies the chunk, which may be a slice of a much larger buffer. */
function keep(body: CapturedBody, chunk: Uint8Array, limit: number): void {
  body.size += chunk.byteLength;
  const room = limit - body.kept;
  if (room <= 0) return;
  const copy = Buffer.from(chunk.byteLength > room ? chunk.subarray(0, room) : chunk);
  body.chunks.push(copy);
  body.kept += copy.length;
}

/** Observes the bytes as they enter the request's stream, so that it neither forces nor misses a read. */
function captureIncoming(req: IncomingMessage, limit: number): CapturedBody {
  const body = emptyBody();
  if (req.headers["content-length"] === undefined && req.headers["transfer-encoding"] === undefined) return body;
  if (req.readableLength > 0) {
    // Bytes that came while the request waited for the previous one on its connection.
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

/** `kept` is called for every write with the number of kept bytes. */
function captureOutgoing(res: ServerResponse, limit: number, kept?: (bytes: number) => void): CapturedBody {
  const body = emptyBody();
  if (res.req.method === "HEAD") return body; // what is written is left out
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
  const write = res.write.bind(res) as (...args: unknown[]) => boolean;
  const end = res.end.bind(res) as (...args: unknown[]) => ServerResponse;
  res.write = (...args: unknown[]) => {
    see(args[0], args[1]);
    return write(...args);
  };
  res.end = (...args: unknown[]) => {
    see(args[0], args[1]);
    return end(...args);
  };
  return body;
}
