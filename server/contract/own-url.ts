/** The addresses of a listener for this machine, whatever address it listens on. */

/** Whether a listener on this host accepts connections at every address of this machine. */
export const bindsAll = (host: string): boolean => host === "0.0.0.0" || host === "::";

/** Whether a listener on this host is reachable from this machine only. */
export const bindsLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127\./.test(host);

/** `http://HOST:PORT`, with an IPv6 address in brackets. */
export const httpUrl = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${String(port)}`;

/** The same by HTTPS. */
export const httpsUrl = (host: string, port: number): string => httpUrl(host, port).replace("http:", "https:");

/** The port in an address. A URL has none where it is the scheme's own. */
export function portOf(address: string): number {
  const { protocol, port } = new URL(address);
  return Number(port || (protocol === "https:" ? 443 : 80));
}

/** The loopback address to listen on beside a host that excludes it. */
export const loopback = "127.0.0.1";

/** Base URL for this machine of a listener on `host`. */
export const ownUrl = (host: string, port: number): string =>
  httpUrl(bindsLoopback(host) ? host : host === "::" ? "::1" : loopback, port);
