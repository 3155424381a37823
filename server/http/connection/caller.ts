/** Where a request comes from, as far as that decides what its sender may do. */
import type { IncomingMessage } from "node:http";
import { isOwnAddress } from "./addresses.ts";

/** What proxies, tunnels and port forwarders add to a request beside `X-Forwarded-…`. */
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

/** Whether a header, in lower case, tells that a request was passed on by another program. */
export const forwardingHeaders = (name: string): boolean => name.startsWith("x-forwarded-") || addedOnTheWay.has(name);

const wasForwarded = ({ headers }: IncomingMessage): boolean => {
  for (const name in headers) if (forwardingHeaders(name)) return true;
  return false;
};

/** True where the connection comes from this machine, for whomever. */
export const isFromThisMachine = ({ socket }: IncomingMessage): boolean => isOwnAddress(socket.remoteAddress ?? "");

/**
 * True for a program on this machine that speaks for itself. Whoever passes a request on speaks for somebody else, who may
 * be anywhere.
 */
export const isFromHere = (req: IncomingMessage): boolean => isFromThisMachine(req) && !wasForwarded(req);
