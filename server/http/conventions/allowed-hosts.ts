/**
 * Restricts the hosts in requests, against DNS rebinding: another site's name that resolves to this machine. The rule
 * is the same for every service, whatever address it listens on.
 */
import { hostname } from "node:os";
import { isIP } from "node:net";
import type { IncomingMessage } from "node:http";
import { HttpError, refuse } from "../http-error.ts";
import { plainAddress } from "../connection/peer/addresses.ts";
import { hostOfProxy } from "../connection/peer/caller.ts";
import { pathOf, type Middleware } from "../middleware.ts";

/** This machine's name, also in the local network. */
function ownNames(): string[] {
  const own = hostname().toLowerCase();
  return own === "" ? [] : [own, `${own.split(".", 1)[0] ?? own}.local`];
}

/** Names with which containers address their host, and this machine's own. */
const usualNames = ["host.docker.internal", "host.containers.internal", ...ownNames()];

/** Without HTTPS, browsers send `gzip, deflate`, or `identity` for a range. Deno sends `gzip,br`. */
const isOfBrowsers = (encodings: string) => encodings.includes("deflate") || !/\bbr\b/.test(encodings);

/**
 * Whether a browser has sent a request. Browsers always send the user's languages and their encodings. The fetch of
 * Node and of Deno sends `*` for the languages, and so can a page, but no page can set its encodings or a header that
 * begins with Sec-. Node sends Sec-Fetch-Mode without the Sec-Fetch-Site that browsers add.
 */
function isFromBrowser({ headers }: IncomingMessage): boolean {
  const names = ["origin", "referer", "sec-fetch-site", "sec-fetch-dest", "sec-fetch-user"];
  if (names.some((name) => headers[name] !== undefined)) return true;
  const { "accept-language": languages, "sec-fetch-mode": mode, "accept-encoding": encodings } = headers;
  if (languages !== "*") return languages !== undefined || mode !== undefined;
  if (mode !== undefined) return mode !== "cors";
  return encodings !== undefined && isOfBrowsers(String(encodings));
}

/** A name, or an address in brackets, by RFC 3986, optionally with a port. */
const hostPattern = /^(?:\[([\da-f:.]+)\]|([\w.~!$&'()*+,;=%-]*))(?::\d*)?$/i;

/** The name or address in a Host header, in lower case, without a dot at its end; undefined for an invalid one. */
function hostOf(header: string): string | undefined {
  const match = hostPattern.exec(header);
  if (!match) return isIP(header) === 6 ? header : undefined; // some clients omit the brackets
  const [, address, name] = match;
  if (address !== undefined) return isIP(address) === 6 ? address : undefined;
  return name?.toLowerCase().replace(/\.$/, "");
}

/** Whether a refusal concerns the Host of a request. No service answers it in its API's own format. */
export const isHostRefusal = (error: unknown): boolean => error instanceof HttpError && error.code.startsWith("host_");

/** @throws HttpError 400 for a missing, repeated or invalid Host (RFC 9112, 3.2) */
function requireHost(req: IncomingMessage): string {
  let sent = 0;
  // Node keeps only the first of several.
  for (let at = 0; at < req.rawHeaders.length; at += 2)
    if (req.rawHeaders[at]?.length === 4 && req.rawHeaders[at]?.toLowerCase() === "host") sent++;
  if (sent === 0 && req.httpVersion === "1.1") throw refuse("host.missing", undefined, { field: "Host" });
  if (sent > 1) throw refuse("host.repeated", undefined, { field: "Host" });
  return validHost(req.headers.host);
}

/** @throws HttpError 400 */
function validHost(header = ""): string {
  const host = hostOf(header);
  if (host === undefined) throw refuse("host.invalid", undefined, { field: "Host" });
  return host;
}

interface Options {
  /** The setting allowed_hosts. */
  readonly allowed: readonly string[];
  /**
   * Paths that browsers may also request by this machine's names with a dot. An attacker who answers the network's name
   * queries may resolve such a name to a page of his own, and then to this machine.
   */
  readonly isForPages?: (path: string) => boolean;
  /** Further hosts for a path. */
  readonly alsoFor?: (path: string) => readonly string[];
}

/** Refuses requests whose Host is neither this machine's name or address nor an allowed one. */
export function allowedHosts({ allowed, isForPages = () => false, alsoFor = () => [] }: Options): Middleware {
  const entries = allowed.map((entry) => entry.toLowerCase().replace(/\.$/, ""));
  const names = new Set(["", "localhost", ...usualNames.filter((name) => !name.includes(".")), ...entries]);
  const domains = entries.filter((entry) => entry.startsWith("."));
  const isKnown = (host: string) =>
    names.has(host) ||
    isIP(host) !== 0 || // no name, so nobody has made it resolve to this machine
    host.endsWith(".localhost") ||
    domains.some((domain) => host.endsWith(domain) || host === domain.slice(1)) ||
    names.has("*");
  return (req, _res, next) => {
    const path = pathOf(req);
    const isUsual = (host: string) => usualNames.includes(host) && (isForPages(path) || !isFromBrowser(req));
    const isAllowed = (host: string) => isKnown(host) || isUsual(host) || alsoFor(path).includes(host);
    const host = requireHost(req);
    // A page can send the headers of a proxy, but not another Host than its own. A proxy may know this machine by a name
    // without a dot, which the public DNS does not have.
    const sent = validHost(hostOfProxy(req));
    const refused = !isAllowed(host) ? host : sent.includes(".") && !isAllowed(sent) ? sent : undefined;
    if (refused !== undefined)
      throw refuse(usualNames.includes(refused) ? "host.shared" : "host.unknown", { host: refused });
    next();
  };
}

/**
 * Refuses a request whose Host is not the address of its connection: where callers are identified by their address, a
 * page of another site must not get in by a name that it resolves to this machine.
 */
export const ownAddressOnly: Middleware = (req, _res, next) => {
  const { localAddress = "" } = req.socket;
  const host = requireHost(req);
  if (host !== plainAddress(localAddress)) throw refuse("host.other", { host });
  next();
};
