import type { IncomingMessage } from "node:http";
import { isLoopbackAddress } from "../connection/peer/addresses.ts";
import { refuse } from "../http-error.ts";
import type { Middleware } from "../middleware.ts";
import { isOwnOrigin } from "./control.ts";
import { varyBy } from "./vary.ts";
import { faultHitsHeader, faultsHeader, warningHeader } from "../../contract/app/hearth-headers.ts";
import { statusPackageHeader } from "../../contract/app/status-package.ts";

/** Headers that name the trace of a request (W3C). */
export const traceHeaderNames = "traceparent, tracestate, baggage";
/** For a page that names none itself. */
const allowedHeaders = `Authorization, Content-Type, Accept, Accept-Language, X-Access-Token, X-Requested-With, X-Request-Id, X-Event-Id, X-Move-Id, Idempotency-Key, X-HTTP-Method-Override, If-Match, If-None-Match, If-Range, Prefer, Range, ${traceHeaderNames}`;
const exposedHeaders = `WWW-Authenticate, ${statusPackageHeader}, Location, Link, ETag, X-Total-Count, X-Request-Id, traceparent, Retry-After, Allow, Accept-Patch, Content-Disposition, Content-Range, Accept-Ranges, Preference-Applied, ${warningHeader}, ${faultsHeader}, ${faultHitsHeader}`;

function isLoopbackOrigin(origin: string): boolean {
  const url = URL.parse(origin);
  if (url === null) return false;
  const name = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return name === "localhost" || name.endsWith(".localhost") || isLoopbackAddress(name);
}

const allowsBy = (origins: readonly string[]) => (origin: string) =>
  origins.includes("*") || origins.includes(origin) || (origins.includes("loopback") && isLoopbackOrigin(origin));

/**
 * Refuses pages of other origins than `origins`, for routes that take messages without a login: a browser sends a form or a
 * text from any page without asking first. Programs send no Origin.
 */
export function refuseOtherPages(origins: readonly string[]): Middleware {
  const allows = allowsBy(origins);
  return (req, _res, next) => {
    const { origin } = req.headers;
    if (origin !== undefined && !isOwnOrigin(req) && !allows(origin)) throw refuse("page.origin");
    next();
  };
}

/**
 * Cross-origin access (spec: Cross-origin access).
 * @param origins as in the setting cors_origins: "loopback" stands for any port of this machine, "*" for every origin
 * @param ownOrigin an origin of Hearth's own, which needs no setting
 */
export function cors(origins: readonly string[], ownOrigin?: (req: IncomingMessage) => string): Middleware {
  const any = origins.includes("*");
  const allows = allowsBy(origins);
  return (req, res, next) => {
    const { origin } = req.headers;
    if ((origins.length > 0 || ownOrigin) && !any) varyBy(res, "Origin");
    if (origin === undefined || !(allows(origin) || origin === ownOrigin?.(req))) {
      next();
      return;
    }
    res.setHeader("Access-Control-Allow-Origin", any ? "*" : origin);
    res.setHeader("Access-Control-Expose-Headers", exposedHeaders);
    if (req.method !== "OPTIONS" || req.headers["access-control-request-method"] === undefined) {
      next();
      return;
    }
    res.setHeader("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
    res.setHeader("Access-Control-Allow-Headers", req.headers["access-control-request-headers"] ?? allowedHeaders);
    res.setHeader("Access-Control-Max-Age", "600");
    varyBy(res, "Access-Control-Request-Headers");
    res.statusCode = 204;
    res.end();
  };
}
