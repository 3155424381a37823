/** Classifies the origin of a request, for access rules. */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { passedOnHeader } from "../../contract/console/console.ts";
import type { Middleware } from "../middleware.ts";
import { isOwnAddress } from "./addresses.ts";

/** Headers of proxies, tunnels and port forwarders beside `X-Forwarded-…`. */
const addedOnTheWay = new Set([
  "forwarded",
  "via",
  "x-real-ip",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-original-forwarded-for",
  "x-original-host",
  "x-envoy-external-address",
  "true-client-ip",
  "cf-connecting-ip",
  "fastly-client-ip",
  "fly-client-ip",
]);

/** Whether a header, in lower case, shows that another program forwarded the request. */
export const forwardingHeaders = (name: string): boolean => name.startsWith("x-forwarded-") || addedOnTheWay.has(name);

const wasForwarded = ({ headers }: IncomingMessage): boolean => {
  for (const name in headers) if (forwardingHeaders(name)) return true;
  return false;
};

/** For whom Hearth itself has passed a request on. */
const sender = Symbol("sender");
type Passed = IncomingMessage & { [sender]?: string };

/**
 * Believes Hearth's own listener for the local network, which passes requests on to this service, about the address of the
 * device that asks. Nobody behind this step sees the header.
 */
export function takePassedOn(isToken: (given: string | undefined) => boolean): Middleware {
  return (req: Passed, _res, next) => {
    const given = req.headers[passedOnHeader];
    if (given !== undefined) {
      const [token, address = ""] = String(given).split(" ", 2);
      if (isToken(token) && isIP(address) !== 0) req[sender] = address;
      delete req.headers[passedOnHeader];
      for (let at = req.rawHeaders.length - 2; at >= 0; at -= 2)
        if (req.rawHeaders[at]?.toLowerCase() === passedOnHeader) req.rawHeaders.splice(at, 2);
    }
    next();
  };
}

/** The address of the device that asks; empty once its connection has ended. */
export const callerAddress = (req: Passed): string => req[sender] ?? req.socket.remoteAddress ?? "";

/** True where the connection comes from this machine, for whomever. */
export const isFromThisMachine = (req: IncomingMessage): boolean => isOwnAddress(callerAddress(req));

/** True for a program on this machine that sends its own request. A forwarded request may come from any machine. */
export const isFromHere = (req: IncomingMessage): boolean => isFromThisMachine(req) && !wasForwarded(req);
