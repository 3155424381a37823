/** Classifies the origin of a request, for access rules. */
import type { IncomingMessage } from "node:http";
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

/** True when the connection comes from this machine, for any asker. */
export const isFromThisMachine = ({ socket }: IncomingMessage): boolean => isOwnAddress(socket.remoteAddress ?? "");

/** True for a program on this machine that sends its own request. A forwarded request may come from any machine. */
export const isFromHere = (req: IncomingMessage): boolean => isFromThisMachine(req) && !wasForwarded(req);
