import { hostname } from "node:os";
import { isIP } from "node:net";
import type { IncomingMessage, ServerResponse } from "node:http";
import { bindsLoopback, isLoopbackAddress, isNearAddress } from "./addresses.ts";
import { badRequest, HttpError } from "./http-error.ts";
import type { Middleware } from "./middleware.ts";

/** Host name of a Host header without its port and brackets. */
const nameOf = (header: string) =>
  (isIP(header) === 0 ? header.replace(/:\d*$/, "") : header).replace(/^\[(.*)\]$/, "$1").toLowerCase();

/**
 * Refuses a Host header that another site's name resolves to this machine by (DNS rebinding). A listener that is open to
 * the network is meant to be reached by any name, so only a loopback listener checks.
 */
export function allowedHosts(host: string): Middleware {
  const own = hostname().toLowerCase();
  const checks = bindsLoopback(host);
  return (req, _res, next) => {
    if (req.headers.host === undefined && req.httpVersion === "1.1")
      throw badRequest("host_missing", "HTTP/1.1 asks for a Host header.", "Host");
    const name = nameOf(req.headers.host ?? "");
    const known =
      name === "" ||
      name === "localhost" ||
      name === own ||
      isNearAddress(name) ||
      /\.(localhost|local|internal)$/.test(name);
    if (checks && !known) throw new HttpError(403, "host_refused", `The Host "${name}" is not a name of this server.`);
    next();
  };
}

/**
 * Guards control routes: only peers on this machine, whatever `--host` says, and no page of another origin. A page may
 * always reach its own origin.
 */
export function localControl(req: IncomingMessage, _res: ServerResponse, next: () => void): void {
  if (!isLoopbackAddress(req.socket.remoteAddress ?? ""))
    throw new HttpError(403, "local_only", "This route answers only on the machine that Hearth runs on.");
  const { origin } = req.headers;
  if (origin !== undefined && origin !== `http://${req.headers.host ?? ""}`)
    throw new HttpError(403, "origin_refused", "This route answers no page of another origin.");
  next();
}
