import express, { type Express, type RequestHandler } from "express";
import type { Logger } from "pino";
import { absoluteTarget } from "./absolute-target.ts";
import { allowedHosts } from "./allowed-hosts.ts";
import { requestLog } from "./request-log.ts";

interface Options {
  readonly host: string;
  readonly log: Logger;
  /** Sees every request but GET /healthz, those that are refused at once too. */
  readonly record?: RequestHandler | undefined;
}

/** A bare Express app with what every service has: request ids and log, Host check, GET /healthz. */
export function createServiceApp({ host, log, record }: Options): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag"); // ETags come from a resource's version, never from a body that holds a countdown
  app.set("query parser", false); // parse-form.ts is stricter
  app.use(absoluteTarget);
  app.get("/healthz", (_req, res) => void res.json({ status: "ok" }));
  app.use(requestLog(log), ...(record ? [record] : []), allowedHosts(host));
  return app;
}
