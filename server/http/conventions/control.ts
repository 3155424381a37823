/** Who may control Hearth: the one rule for the console, its API and the simulator's control routes. */
import type { IncomingMessage } from "node:http";
import { bearerOf } from "./bearer-token.ts";
import { isFromHere } from "../connection/caller.ts";
import { HttpError } from "../http-error.ts";
import { pathOf, type Middleware } from "../middleware.ts";

/**
 * True where the request comes from a page of the very address that it asks, or from no page at all. Behind a proxy that
 * is the proxy's address, which no page can feign: a browser asks before it sends such a header for one.
 */
export function isOwnOrigin({ headers }: IncomingMessage): boolean {
  const { origin, host = "", "x-forwarded-host": forwarded = [] } = headers;
  const hosts = [host, ...[forwarded].flat().flatMap((one) => one.split(",", 1)[0]?.trim() ?? [])];
  return origin === undefined || hosts.some((one) => origin === `http://${one}` || origin === `https://${one}`);
}

/** A person has followed a link, or typed an address: nobody but that person sees the answer. */
const isNavigation = ({ method, headers }: IncomingMessage) =>
  (method === "GET" || method === "HEAD") && headers["sec-fetch-mode"] === "navigate";

/** What browsers say of the page that asks, where they say anything. */
const isOwnSite = ({ headers: { "sec-fetch-site": site } }: IncomingMessage) =>
  site === undefined || site === "same-origin" || site === "none";

/** 401 that says what to send. */
export const consoleTokenRequired = () =>
  new HttpError(
    401,
    "console_token_required",
    "This route asks other machines, and programs that pass requests on, for the console's token: send it as Authorization: Bearer. The file of --ready-file has it, in the console's address.",
    { headers: { "WWW-Authenticate": "Bearer" } },
  );

interface Options {
  /** Pages that a link of any site may lead to. */
  readonly isPage: (path: string) => boolean;
  /** Whether it is the console's token. Without it whoever may ask from here may ask from anywhere. */
  readonly isToken?: (given: string | undefined) => boolean;
}

/**
 * Refuses pages of other origins and sites with 403, and with 401 whoever is not on this machine and has no token.
 * Programs, which send neither Origin nor Sec-Fetch-Site, are judged by their address alone.
 */
export function guardControl({ isPage, isToken }: Options): Middleware {
  return (req, _res, next) => {
    if (!isOwnOrigin(req)) throw new HttpError(403, "origin_refused", "This route answers no page of another origin.");
    if (!isOwnSite(req) && !(isNavigation(req) && isPage(pathOf(req))))
      throw new HttpError(403, "site_refused", "This route answers no page of another site.");
    if (isToken && !isFromHere(req) && !isToken(bearerOf(req))) throw consoleTokenRequired();
    next();
  };
}
