import type { NextFunction, Request, Response } from "express";

/**
 * A request may name its target as a whole URL, as one to a proxy does. Its host then counts instead of the Host header
 * (RFC 9112, 3.2.2), and everything behind this middleware sees the path alone.
 */
export function absoluteTarget(req: Request, _res: Response, next: NextFunction): void {
  const [whole = "", host] = /^https?:\/\/([^/?#]*)/i.exec(req.url) ?? [];
  if (host !== undefined) {
    req.headers.host = host;
    const path = req.url.slice(whole.length);
    req.url = path.startsWith("/") ? path : `/${path}`;
    req.originalUrl = req.url;
  }
  next();
}
