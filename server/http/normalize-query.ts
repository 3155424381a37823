import type { NextFunction, Request, Response } from "express";
import type { Settings } from "../contract/settings.ts";
import { badRequest } from "./http-error.ts";

/**
 * A GET whose query starts with '&' is redirected to the same path without it (spec: Query-string normalization). The
 * path and the percent-encoding stay byte for byte; the original query is not appended again.
 */
export function normalizeQuery(mode: Settings["query_normalization"]) {
  return (req: Request, res: Response, next: NextFunction): void => {
    const at = req.url.indexOf("?&");
    if (at < 0 || at !== req.url.indexOf("?") || (req.method !== "GET" && req.method !== "HEAD")) {
      next();
      return;
    }
    if (mode === "off") throw badRequest("bad_query", "The query string starts with '&'.");
    const query = req.url.slice(at + 1).replace(/^&+/, "");
    const path = req.url.slice(0, at);
    // "//host" or "/\host" as a Location would leave this server; behind "/." it is the same path on it.
    const location = (/^\/[/\\]/.test(path) ? `/.${path}` : path) + (query === "" ? "" : `?${query}`);
    res.statusCode = Number(mode);
    res.setHeader("Location", location);
    res.end();
  };
}
