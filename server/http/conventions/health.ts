import { pathOf, type Middleware } from "../middleware.ts";

/** GET /healthz, which is neither logged nor recorded. */
export const health: Middleware = (req, res, next) => {
  if ((req.method !== "GET" && req.method !== "HEAD") || !/^\/healthz\/?$/i.test(pathOf(req))) {
    next();
    return;
  }
  const body = JSON.stringify({ status: "ok" });
  res.setHeader("Content-Type", "application/json; charset=utf-8").setHeader("Content-Length", body.length).end(body);
};
