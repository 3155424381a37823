/** The application server's redirects to the console's own port. */
import type { IncomingMessage } from "node:http";
import { redirect } from "../../http/conventions/redirect.ts";
import { pathOf, type Middleware } from "../../http/middleware.ts";

/** Redirects from the root to the console's page. @param origin the console's */
export function rootToConsole(origin: (req: IncomingMessage) => string): Middleware {
  return (req, res, next) => {
    if (pathOf(req) !== "/" || (req.method !== "GET" && req.method !== "HEAD")) next();
    else redirect(req, res, 302, `${origin(req)}/console/`);
  };
}

/**
 * Redirects readers of the console's pages to its own port, without the query, which may hold a code or the token. Removes
 * the storage of earlier pages at this origin: a service worker would outlive them. Cookies stay, since ports share them.
 */
export function toConsole(consoleOrigin: (req: IncomingMessage) => string): Middleware {
  return (req, res, next) => {
    res.setHeader("Clear-Site-Data", '"storage"');
    res.setHeader("Cache-Control", "no-store");
    if (req.method === "GET" || req.method === "HEAD") redirect(req, res, 307, consoleOrigin(req) + pathOf(req));
    else next();
  };
}
