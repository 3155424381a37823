/**
 * Ollama's routing: 404 and 405 as plain text, a redirect for a trailing slash, HEAD where it is listed (contract: ollama,
 * Shared rules).
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { percentDecoded } from "../../contract/percent-decoded.ts";
import { trimEndOf } from "../../contract/trim-end-of.ts";
import { leftOf } from "../../http/connection/bodies/left-of.ts";
import { redirect } from "../../http/conventions/redirect.ts";
import { sendText } from "../../http/conventions/send-json.ts";
import { pathOf, type Middleware } from "../../http/middleware.ts";
import { notesOf } from "../../http/recording/exchange-notes.ts";
import { createPathTable, withoutSlash } from "../../http/path-table.ts";

/** The parameters of a path, decoded. */
export type Params = Readonly<Record<string, string>>;

/** `signal` aborts when the client leaves before the end of the reply. */
export type Handler = (
  req: IncomingMessage,
  res: ServerResponse,
  signal: AbortSignal,
  params: Params,
) => Promise<void> | void;
export type ModelMethod = "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
export type ModelRouteTable = Readonly<Record<string, Readonly<Partial<Record<ModelMethod, Handler>>>>>;

/** Answers a path that is not served (404), or not by this method (405; `Allow` is set). */
export type RefuseRoute = (req: IncomingMessage, res: ServerResponse, status: 404 | 405) => void;

export const plainMethodRefusal = { type: "text/plain; charset=utf-8", text: "405 method not allowed" };

/** As Ollama does it. */
export const sendPlain: RefuseRoute = (_req, res, status) =>
  sendText(res, status, plainMethodRefusal.type, status === 404 ? "404 page not found" : plainMethodRefusal.text);

/** `allAnswered` settles when no request is being worked on: soon, once the clients have gone. */
export function mountRoutes(
  routes: ModelRouteTable,
  refuse: RefuseRoute,
): {
  readonly serve: Middleware;
  readonly allAnswered: () => Promise<void>;
} {
  const find = createPathTable(Object.entries(routes), { ignoreCase: true, decode: percentDecoded });
  const working = new Set<Promise<void>>();
  return {
    async serve(req, res) {
      const path = pathOf(req);
      const match = find(withoutSlash(path));
      if (!match) return refuse(req, res, 404);
      notesOf(res).path = match.path;
      if (path.length > 1 && path.endsWith("/")) {
        const query = (req.url ?? "").slice(path.length);
        return redirect(req, res, req.method === "GET" ? 301 : 307, trimEndOf(path, "/") + query);
      }
      const handle = match.value[req.method as ModelMethod];
      if (handle === undefined) {
        res.setHeader("Allow", Object.keys(match.value).join(", "));
        return refuse(req, res, 405);
      }
      const work = (async () => handle(req, res, leftOf(res), match.params))();
      working.add(work);
      await work.finally(() => working.delete(work));
    },
    async allAnswered() {
      while (working.size > 0) await Promise.allSettled(working);
    },
  };
}
