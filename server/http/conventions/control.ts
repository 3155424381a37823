/** The rule for who may control Hearth: for the console, its API and the simulator's control routes. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { looksLikeKey, type KeyScope } from "../../contract/process/access-keys.ts";
import { bearerOf } from "./bearer-token.ts";
import { isFromHere } from "../connection/peer/caller.ts";
import { refuse } from "../http-error.ts";
import type { KeyGate } from "../keys/key-gate.ts";
import { pathOf, type Middleware } from "../middleware.ts";
import { notesOf } from "../recording/exchange-notes.ts";

/**
 * True for a request from a page of the same origin, or from no page. Behind a proxy it compares with the proxy's
 * address, which no page can forge: browsers ask before they send such a header.
 */
export function isOwnOrigin({ headers }: IncomingMessage): boolean {
  const { origin, host = "", "x-forwarded-host": forwarded = [] } = headers;
  const hosts = [host, ...[forwarded].flat().flatMap((one) => one.split(",", 1)[0]?.trim() ?? [])];
  return origin === undefined || hosts.some((one) => origin === `http://${one}` || origin === `https://${one}`);
}

/** A navigation, by a link or a typed address, of a whole tab: only the person sees the answer, no page. */
const isNavigation = ({ method, headers }: IncomingMessage) =>
  (method === "GET" || method === "HEAD") &&
  headers["sec-fetch-mode"] === "navigate" &&
  headers["sec-fetch-dest"] === "document";

/** The browser's statement about the requesting page, if any. Another port of this machine is another origin of the same site. */
export const isOwnSite = ({ headers: { "sec-fetch-site": site } }: IncomingMessage) =>
  site === undefined || site === "same-origin" || site === "none";

/**
 * Refuses every page. Programs send no Origin, and of the headers that browsers add at most `Sec-Fetch-Mode: cors`, as
 * Node's own fetch does.
 */
export const programsOnly: Middleware = ({ headers }, _res, next) => {
  const added = Object.keys(headers).filter((name) => name.startsWith("sec-fetch-"));
  const isProgram =
    headers.origin === undefined &&
    (added.length === 0 || (added.length === 1 && headers["sec-fetch-mode"] === "cors"));
  if (!isProgram) throw refuse("page.refused");
  next();
};

/** 401 that names the token to send. */
export const consoleTokenRequired = () =>
  refuse("console.token", undefined, { headers: { "WWW-Authenticate": "Bearer" } });

/** Admits a request by what it carries. @throws HttpError 401, 403 or 429 */
export type Admit = (req: IncomingMessage, res: ServerResponse) => void;

/** Admits the run's console token, and keys with the scope. */
export const admitBy =
  (isToken: (bearer: string | undefined) => boolean, keys: KeyGate, scope: KeyScope): Admit =>
  (req, res) => {
    const bearer = bearerOf(req);
    if (isToken(bearer)) return; // first: one of the environment may begin as a key does
    if (!looksLikeKey(bearer)) throw consoleTokenRequired();
    notesOf(res).key = keys.admit(bearer, scope, res).id;
  };

interface Options {
  /** Pages that any site may link to. */
  readonly isPage: (path: string) => boolean;
  /** Judges the requests of other machines. Without this function, they need nothing. */
  readonly admit?: Admit;
}

/**
 * Refuses pages of other origins and sites with 403, and other machines without the token or a key with 401. Programs send
 * neither Origin nor Sec-Fetch-Site, so only their address counts.
 */
export function guardControl({ isPage, admit }: Options): Middleware {
  return (req, res, next) => {
    if (!isOwnOrigin(req)) throw refuse("page.origin");
    if (!isOwnSite(req) && !(isNavigation(req) && isPage(pathOf(req)))) throw refuse("page.site");
    if (admit && !isFromHere(req)) admit(req, res);
    next();
  };
}
