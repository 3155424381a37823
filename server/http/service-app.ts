import express, { type Express } from "express";
import type { Logger } from "pino";
import { allowedHosts } from "./conventions/allowed-hosts.ts";
import { pathOf, type Middleware } from "./middleware.ts";
import { requestLog } from "./recording/request-log.ts";
import { recordBody } from "./recording/request-recorder.ts";

interface Options {
  /** The hosts to answer to, beside those of this machine. */
  readonly hosts: Parameters<typeof allowedHosts>[0];
  readonly log: Logger;
  /** Sees every request but GET /healthz, those that are refused at once too. */
  readonly record?: Middleware | undefined;
  /** Refuses who may not ask, beside the Host check; what it refuses is recorded without its body, as there. */
  readonly guard?: Middleware;
}

/** GET /healthz, which leaves no trace. */
const health: Middleware = (req, res, next) => {
  if ((req.method !== "GET" && req.method !== "HEAD") || !/^\/healthz\/?$/i.test(pathOf(req))) {
    next();
    return;
  }
  const body = JSON.stringify({ status: "ok" });
  res.setHeader("Content-Type", "application/json; charset=utf-8").setHeader("Content-Length", body.length).end(body);
};

/** What every service does first: health, request ids and log, who may ask. */
export const serviceSteps = ({ hosts, log, record, guard }: Options): Middleware[] => [
  health,
  requestLog(log),
  ...(record ? [record] : []),
  allowedHosts(hosts),
  ...(guard ? [guard] : []),
  recordBody,
];

/** An Express app without what none of ours uses. */
export function bareExpress(): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag"); // ETags come from a resource's version, never from a body that holds a countdown
  app.set("query parser", false); // parse-form.ts is stricter
  return app;
}

/** An Express app that begins with what every service does first. */
export function createServiceApp(options: Options): Express {
  const app = bareExpress();
  app.use(...serviceSteps(options));
  return app;
}
