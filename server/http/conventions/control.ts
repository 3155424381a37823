/** The rule for who may control Hearth: for the console, its API and the simulator's control routes. */
import type { IncomingMessage } from "node:http";
import { bearerOf } from "./bearer-token.ts";
import { isFromHere } from "../connection/caller.ts";
import { HttpError } from "../http-error.ts";
import { pathOf, type Middleware } from "../middleware.ts";

/**
 * True for a request from a page of the same origin, or from no page. Behind a proxy it compares with the proxy's
 * address, which no page can forge: browsers ask before they send such a header.
 */
export function isOwnOrigin({ headers }: IncomingMessage): boolean {
  const { origin, host = "", "x-forwarded-host": forwarded = [] } = headers;
  const hosts = [host, ...[forwarded].flat().flatMap((one) => one.split(",", 1)[0]?.trim() ?? [])];
  return origin === undefined || hosts.some((one) => origin === `http://${one}` || origin === `https://${one}`);
}

/** A navigation, by a link or a typed address: only the person sees the answer, no page. */
const isNavigation = ({ method, headers }: IncomingMessage) =>
  (method === "GET" || method === "HEAD") && headers["sec-fetch-mode"] === "navigate";

/** The browser's statement about the requesting page, if any. */
const isOwnSite = ({ headers: { "sec-fetch-site": site } }: IncomingMessage) =>
  site === undefined || site === "same-origin" || site === "none";

/** 401 that names the token to send. */
export const consoleTokenRequired = () =>
  new HttpError(
    401,
    "console_token_required",
    "This route asks other machines, and programs that pass requests on, for the console's token: send it as Authorization: Bearer. The file of --ready-file has it, in the console's address.",
    { headers: { "WWW-Authenticate": "Bearer" } },
  );

interface Options {
  /** Pages that any site may link to. */
  readonly isPage: (path: string) => boolean;
  /** Checks the console's token. Without this function, other machines need no token. */
  readonly isToken?: (given: string | undefined) => boolean;
}

/**
 * Refuses pages of other origins and sites with 403, and other machines without the token with 401. Programs send
 * neither Origin nor Sec-Fetch-Site, so only their address counts.
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
