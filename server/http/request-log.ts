import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { pathOf, type Middleware } from "./middleware.ts";

/**
 * Gives each request an id (X-Request-Id; a sane one that the client sent is kept) and logs one line when it ends. The
 * query is left out of the line: it may hold what nobody should read in a log.
 */
export function requestLog(log: Logger): Middleware {
  const run = randomBytes(4).toString("hex");
  let count = 0;
  return (req, res, next) => {
    const sent = req.headers["x-request-id"];
    const id = typeof sent === "string" && /^[\w.-]{1,64}$/.test(sent) ? sent : `${run}-${(++count).toString(36)}`;
    res.setHeader("X-Request-Id", id);
    if (log.isLevelEnabled("info")) {
      const began = performance.now();
      const path = pathOf(req);
      res.once("close", () => {
        const ms = Math.round((performance.now() - began) * 10) / 10;
        log.info(
          { id, method: req.method, path, status: res.statusCode, ms },
          res.writableFinished ? "request" : "request aborted",
        );
      });
    }
    next();
  };
}
