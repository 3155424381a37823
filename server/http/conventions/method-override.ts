import { refuse } from "../http-error.ts";
import type { Middleware } from "../middleware.ts";

const methods = ["PUT", "PATCH", "DELETE"];

/**
 * Takes a POST with `X-HTTP-Method-Override` for the method that it names: a mini-program's `wx.request` has no PATCH.
 * @throws HttpError 400 for a method that is none of these
 */
export const overrideMethod: Middleware = (req, _res, next) => {
  const header = req.method === "POST" ? req.headers["x-http-method-override"] : undefined;
  if (header !== undefined) {
    const method = String(header).trim().toUpperCase();
    if (!methods.includes(method)) throw refuse("method.override", { method, methods: methods.join(", ") });
    req.method = method;
  }
  next();
};
