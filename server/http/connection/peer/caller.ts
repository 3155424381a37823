/** Classifies the origin of a request, for access rules. */
import { X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { TLSSocket } from "node:tls";
import { passedOnHeader } from "../../../contract/console/console.ts";
import { portOf } from "../../../contract/own-url.ts";
import type { Middleware } from "../../middleware.ts";
import { isOwnAddress, plainAddress } from "./addresses.ts";

/** Headers of proxies, tunnels and port forwarders, in addition to `X-Forwarded-…`. */
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
export const isForwardingHeader = (name: string): boolean => name.startsWith("x-forwarded-") || addedOnTheWay.has(name);

const wasForwarded = ({ headers }: IncomingMessage): boolean => {
  for (const name in headers) if (isForwardingHeader(name)) return true;
  return false;
};

/** The sender of a request that was passed on: the address, whether it used HTTPS, and the certificate in base64. */
const sender = Symbol("sender");
const secure = Symbol("secure");
const certificate = Symbol("certificate");
/** The Host with which the request was passed on, if that is another one. */
const proxyHost = Symbol("proxy's host");
interface Passed extends IncomingMessage {
  [sender]?: string;
  [secure]?: boolean;
  [certificate]?: string;
  [proxyHost]?: string | undefined;
}

/** The header in which one of Hearth's own listeners reports the sender of a request that it passes on. */
export function callerHeaders({ socket }: IncomingMessage, token: string): Record<string, string> {
  const isTls = socket instanceof TLSSocket;
  const raw = isTls ? socket.getPeerX509Certificate()?.raw : undefined;
  const parts = [
    token,
    plainAddress(socket.remoteAddress ?? ""),
    isTls ? "https" : "http",
    raw?.toString("base64") ?? "",
  ];
  return { [passedOnHeader]: parts.join(" ") };
}

/** Trusts Hearth's own listeners that pass requests on to this service. Later steps do not see the header. */
export function takePassedOn(isToken: (given: string | undefined) => boolean): Middleware {
  return (req: Passed, _res, next) => {
    const given = req.headers[passedOnHeader];
    if (given !== undefined) {
      const [token, address = "", scheme, clientCertificate = ""] = String(given).split(" ", 4);
      if (isToken(token)) {
        // The caller of a connection that has ended is unknown, and does not count as this machine.
        setCaller(req, isIP(address) === 0 ? "" : address, scheme === "https");
        if (clientCertificate !== "") req[certificate] = clientCertificate;
      }
      delete req.headers[passedOnHeader];
      for (let at = req.rawHeaders.length - 2; at >= 0; at -= 2)
        if (req.rawHeaders[at]?.toLowerCase() === passedOnHeader) req.rawHeaders.splice(at, 2);
    }
    next();
  };
}

/** Sets the address of the sender, as a trusted program reports it. Empty: unknown. */
export function setCaller(req: Passed, address: string, isHttps: boolean): void {
  req[sender] = address;
  req[secure] = isHttps;
}

/** Sets the Host of the request, as a trusted program reports it. */
export function setHost(req: Passed, host: string): void {
  req[proxyHost] = req.headers.host;
  req.headers.host = host;
}

/** The original Host of a request whose Host was set; undefined for others. */
export const hostOfProxy = (req: Passed): string | undefined => req[proxyHost];

/** Whether the request reached the program that passed it on over HTTPS. */
export const isSecure = (req: Passed): boolean => req[secure] === true;

/** The origin that the request was sent to, if it is known: scheme, host and port. */
export const originOf = (req: IncomingMessage): string =>
  `${isSecure(req) ? "https" : "http"}://${req.headers.host ?? ""}`;

/** A name or an address in brackets, of the characters that real ones have. */
const plainName = /^(?:\[[\da-f:.]+\]|[\w.-]+)$/i;

/**
 * The origin of a service at another port of the requested host.
 * @param own its origin for this machine, used if the request names no host; empty while it does not listen
 */
export function originBeside(req: IncomingMessage, own: string): string {
  const { host = "" } = req.headers;
  const name = isIP(host) === 6 ? `[${host}]` : host.replace(/:\d*$/, "");
  if (!plainName.test(name) || own === "") return own;
  return `${isSecure(req) ? "https" : "http"}://${name}:${String(portOf(own))}`;
}

/** The address of the calling device; empty if it is unknown, for example after its connection has ended. */
export const callerAddress = (req: Passed): string => plainAddress(req[sender] ?? req.socket.remoteAddress ?? "");

/** The client certificate of the caller; undefined if it has sent none. */
export function callerCertificate(req: Passed): X509Certificate | undefined {
  const clientCertificate = req[certificate];
  return clientCertificate === undefined ? undefined : new X509Certificate(Buffer.from(clientCertificate, "base64"));
}

/** Whether the connection comes from this machine, even for another sender. */
export const isFromThisMachine = (req: IncomingMessage): boolean => isOwnAddress(callerAddress(req));

/** True for a program on this machine that sends its own request. A forwarded request may come from any machine. */
export const isFromHere = (req: IncomingMessage): boolean => isFromThisMachine(req) && !wasForwarded(req);
