import type { IncomingMessage, ServerResponse } from "node:http";
import { gzip } from "node:zlib";
import Negotiator from "negotiator";
import { notesOf } from "../recording/exchange-notes.ts";
import type { Middleware } from "../middleware.ts";
import { varyBy } from "./vary.ts";

/** Below this, compressing costs more time than a local network needs for the bytes. */
const leastBytes = 100_000;
const readable = /^(?:text\/(?!event-stream)|application\/(?:json|xml|yaml|javascript|[\w.-]+\+(?:json|xml))\b)/i;

type End = (chunk?: unknown, encoding?: unknown, done?: unknown) => ServerResponse;

/**
 * Compresses large answers that are written at once, but not streams, parts of files and compressed content. Must
 * precede the recorder, which then sees the uncompressed answer.
 */
export const compress: Middleware = (req, res, next) => {
  const end = res.end.bind(res) as End;
  res.end = ((chunk?: unknown, encoding?: unknown, done?: unknown) => {
    const bytes = wholeText(res, chunk, encoding);
    if (bytes === undefined) return end(chunk, encoding, done);
    varyBy(res, "Accept-Encoding");
    if (!acceptsGzip(req)) return end(bytes, done);
    res.end = end as ServerResponse["end"];
    gzip(bytes, (error, zipped) => {
      if (error) {
        end(bytes, done);
        return;
      }
      notesOf(res).compressed = true;
      weakenTag(res);
      res.setHeader("Content-Encoding", "gzip");
      res.setHeader("Content-Length", zipped.length);
      end(zipped, done);
    });
    return res;
  }) as ServerResponse["end"];
  next();
};

/** Gives a 304 the ETag of the full answer (RFC 9110, 15.4.5), whose text may be compressed. */
export function tagAsFor(textOf: () => string, req: IncomingMessage, res: ServerResponse): void {
  if (acceptsGzip(req) && textOf().length >= leastBytes) weakenTag(res);
}

/** Compression changes the bytes, so that the tag can only be weak (RFC 9110, 8.8.1). */
function weakenTag(res: ServerResponse): void {
  const tag = res.getHeader("ETag");
  if (typeof tag === "string" && !tag.startsWith("W/")) res.setHeader("ETag", `W/${tag}`);
}

const acceptsGzip = (req: IncomingMessage) =>
  req.headers["accept-encoding"] !== undefined && new Negotiator(req).encoding(["gzip", "identity"]) === "gzip";

/** The answer's bytes, if it is a large text that is written at once. */
function wholeText(res: ServerResponse, chunk: unknown, encoding: unknown): Buffer | undefined {
  const isLarge = (typeof chunk === "string" || chunk instanceof Uint8Array) && chunk.length >= leastBytes;
  if (!isLarge || res.headersSent || res.hasHeader("Content-Encoding") || res.hasHeader("Content-Range"))
    return undefined;
  if (!readable.test(String(res.getHeader("Content-Type") ?? ""))) return undefined;
  return typeof chunk === "string" ? Buffer.from(chunk, encoding as BufferEncoding | undefined) : Buffer.from(chunk);
}
