import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import { byConsoleHeader } from "../../contract/console/console.ts";
import { pathOf, type Middleware } from "../middleware.ts";
import { isBelow } from "../pipeline.ts";

/** The page's own polling, which would crowd out the clients' requests. */
const isReadByConsole = ({ method, headers }: IncomingMessage, path: string) =>
  (method === "GET" || method === "HEAD") && (headers[byConsoleHeader] !== undefined || isBelow("/console", path));

/**
 * Gives each request an id (X-Request-Id; a valid one from the client is kept) and logs one line at its end, at debug
 * level for the console's polling. The line omits the query, which may contain secrets.
 */
export function requestLog(log: Logger): Middleware {
  const run = randomBytes(4).toString("hex");
  let count = 0;
  return (req, res, next) => {
    const sent = req.headers["x-request-id"];
    const id = typeof sent === "string" && /^[\w.-]{1,64}$/.test(sent) ? sent : `${run}-${(++count).toString(36)}`;
    res.setHeader("X-Request-Id", id);
    const path = pathOf(req);
    const level = isReadByConsole(req, path) ? "debug" : "info";
    if (log.isLevelEnabled(level)) {
      const began = performance.now();
      res.once("close", () => {
        const ms = Math.round((performance.now() - began) * 10) / 10;
        log[level](
          { id, method: req.method, path, status: res.statusCode, ms },
          res.writableFinished ? "request" : "request aborted",
        );
      });
    }
    next();
  };
}
