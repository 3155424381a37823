import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import { byConsoleHeader } from "../../contract/console/by-console.ts";
import { pathOf, type Middleware } from "../middleware.ts";
import { isBelow } from "../pipeline.ts";
import { faultsOf } from "../../trace/fault-hits.ts";
import { runInSpan, spanOfRequest, traceFields, traceparentOf } from "../../trace/span.ts";
import type { ExportSpan } from "./span-exporter.ts";
import { notesOf } from "./exchange-notes.ts";

/** The page's own polling, which would crowd out the clients' requests. */
const isReadByConsole = ({ method, headers }: IncomingMessage, path: string) =>
  (method === "GET" || method === "HEAD") && (headers[byConsoleHeader] !== undefined || isBelow("/console", path));

interface Options {
  /** Gets the span of each request at its end, except of the console's polling. */
  readonly exportSpan?: ExportSpan | undefined;
  /** Whether replies at a path have X-Request-Id and traceparent. Those that stand for another server's have neither. */
  readonly namesIds?: (path: string) => boolean;
}

/**
 * Gives each request an id (a valid X-Request-Id of the client is kept) and a span, in which the later steps run, and logs
 * one line at its end, at debug level for the console's polling. The line omits the query, which may contain secrets.
 */
export function requestLog(log: Logger, { exportSpan, namesIds = () => false }: Options = {}): Middleware {
  const run = randomBytes(4).toString("hex");
  let count = 0;
  return (req, res, next) => {
    const sent = req.headers["x-request-id"];
    const id = typeof sent === "string" && /^[\w.-]{1,64}$/.test(sent) ? sent : `${run}-${(++count).toString(36)}`;
    const span = spanOfRequest(req.headers);
    const notes = notesOf(res);
    notes.requestId = id;
    notes.span = span;
    const path = pathOf(req);
    if (namesIds(path)) {
      res.setHeader("X-Request-Id", id);
      res.setHeader("traceparent", traceparentOf(span));
    }
    const level = isReadByConsole(req, path) ? "debug" : "info";
    if (log.isLevelEnabled(level) || exportSpan) {
      const began = performance.now();
      const time = Date.now();
      res.once("close", () => {
        const ms = Math.round((performance.now() - began) * 10) / 10;
        const fault =
          faultsOf(span)
            .map(({ kind }) => kind)
            .join(", ") || undefined;
        log[level](
          { id: notes.requestId, ...traceFields(span), method: req.method, path, status: res.statusCode, ms, fault },
          res.writableFinished ? "request" : "request aborted",
        );
        if (level === "debug") return;
        const { method = "" } = req;
        const route = notes.route?.path ?? notes.path;
        exportSpan?.({ span, method, route, status: res.statusCode, time, ms, fault });
      });
    }
    runInSpan(span, next);
  };
}
