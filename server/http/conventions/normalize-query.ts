import type { Settings } from "../../contract/process/settings.ts";
import { refuse } from "../http-error.ts";
import type { Middleware } from "../middleware.ts";

/**
 * A GET whose query starts with '&' is redirected to the same path without it (spec: Query-string normalization). The
 * path and the percent-encoding stay byte for byte; the original query is not appended again.
 */
export function normalizeQuery(mode: Settings["query_normalization"]): Middleware {
  return (req, res, next) => {
    const { url = "" } = req;
    const at = url.indexOf("?&");
    if (at < 0 || at !== url.indexOf("?") || (req.method !== "GET" && req.method !== "HEAD")) {
      next();
      return;
    }
    if (mode === "off") throw refuse("query.ampersand");
    const query = url.slice(at + 1).replace(/^&+/, "");
    const path = url.slice(0, at);
    // "//host" or "/\host" as a Location would lead to another server; after "/." it is the same path here.
    const location = (/^\/[/\\]/.test(path) ? `/.${path}` : path) + (query === "" ? "" : `?${query}`);
    res.statusCode = Number(mode);
    res.setHeader("Location", location);
    res.end();
  };
}
