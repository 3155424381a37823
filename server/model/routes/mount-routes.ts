/**
 * Ollama's routing: 404 and 405 as plain text, a redirect for a trailing slash, HEAD where it is listed (contract: ollama,
 * Shared rules).
 */
import type { Express, Request, Response } from "express";
import { trimEndOf } from "../../contract/trim-end-of.ts";

/** `signal` aborts when the client goes away before it has the whole reply. */
export type Handler = (req: Request, res: Response, signal: AbortSignal) => Promise<void> | void;
export type Method = "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
export type RouteTable = Readonly<Record<string, Readonly<Partial<Record<Method, Handler>>>>>;

function sendText(res: Response, status: number, text: string): void {
  res.status(status).type("text/plain").send(text);
}

/** The response's close is what tells: the request's comes as soon as its body has been read. */
function closedSignal(res: Response): AbortSignal {
  const closed = new AbortController();
  if (res.closed) closed.abort();
  res.once("close", () => {
    if (!res.writableFinished) closed.abort();
  });
  return closed.signal;
}

/** @returns settles when no request is being worked on: soon, once the clients have gone */
export function mountRoutes(app: Express, routes: RouteTable): () => Promise<void> {
  const working = new Set<Promise<void>>();
  for (const [path, methods] of Object.entries(routes))
    app.all(path, async (req, res) => {
      const [route = "", query] = req.originalUrl.split(/\?(.*)/s);
      if (route.length > 1 && route.endsWith("/")) {
        const target = trimEndOf(route.replace(/^\/+/, "/"), "/");
        res.redirect(req.method === "GET" ? 301 : 307, query === undefined ? target : `${target}?${query}`);
        return;
      }
      const handle = methods[req.method as Method];
      if (handle !== undefined) {
        const work = (async () => handle(req, res, closedSignal(res)))();
        working.add(work);
        await work.finally(() => working.delete(work));
        return;
      }
      res.setHeader("Allow", Object.keys(methods).join(", "));
      sendText(res, 405, "405 method not allowed");
    });
  app.use((_req, res) => sendText(res, 404, "404 page not found"));
  return async () => {
    while (working.size > 0) await Promise.allSettled(working);
  };
}
