import { request, type IncomingHttpHeaders } from "node:http";
import type { Request, Response } from "express";
import { unavailable } from "../../http/http-error.ts";

/** Headers that belong to one connection, or that say who asks: neither is passed on. */
const notPassedOn = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "host",
  "cookie",
  "authorization",
  "origin",
  "referer",
]);

const passedOn = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name, value]) => value !== undefined && !notPassedOn.has(name)));

/**
 * Streams a request of the console's page through to another service and its reply back, so that the page needs to talk to
 * its own origin only. A page that goes away cancels the call. `added`: further headers of the request.
 * @throws HttpError 503 when the service does not answer
 */
export function streamThrough(
  req: Request,
  res: Response,
  baseUrl: string | undefined,
  added: Readonly<Record<string, string>> = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const down = (cause?: unknown) =>
      unavailable("service_down", "The service does not answer; the Overview page shows its state.", 2, cause);
    if (baseUrl === undefined) {
      reject(down());
      return;
    }
    const outgoing = request(
      new URL(req.url, baseUrl),
      { method: req.method, headers: { ...passedOn(req.headers), ...added } },
      (incoming) => {
        res.writeHead(incoming.statusCode ?? 502, passedOn(incoming.headers));
        incoming.on("data", (chunk: Buffer) => {
          if (!res.write(chunk)) {
            incoming.pause();
            res.once("drain", () => incoming.resume());
          }
        });
        incoming.once("end", () => res.end());
        incoming.once("close", () => {
          if (!incoming.complete) res.destroy(); // the page must see that the reply is cut short
          resolve();
        });
      },
    );
    outgoing.once("error", (cause) => {
      if (res.headersSent || res.closed) resolve();
      else reject(down(cause));
    });
    res.once("close", () => {
      if (!res.writableFinished) outgoing.destroy();
    });
    req.pipe(outgoing);
  });
}
