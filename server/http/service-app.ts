import express, { type Express } from "express";
import type { Logger } from "pino";
import { allowedHosts } from "./allowed-hosts.ts";
import { requestLog } from "./request-log.ts";

/** A bare Express app with what every service has: request ids and log, Host check, GET /healthz. */
export function createServiceApp({ host, log }: { host: string; log: Logger }): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag"); // ETags come from a resource's version, never from a body that holds a countdown
  app.set("query parser", false); // parse-form.ts is stricter
  app.get("/healthz", (_req, res) => void res.json({ status: "ok" }));
  app.use(requestLog(log), allowedHosts(host));
  return app;
}
