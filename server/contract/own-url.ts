/** By which addresses this machine reaches what listens, whatever it was told to listen on. */

/** Whether a listener on this host answers at every address of this machine. */
export const bindsAll = (host: string): boolean => host === "0.0.0.0" || host === "::";

/** Whether a listener on this host can be reached from this machine only. */
export const bindsLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127\./.test(host);

/** `http://HOST:PORT`, an address of version 6 in brackets. */
export const httpUrl = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${String(port)}`;

/** The loopback address that is listened on beside a host that leaves this machine without one. */
export const loopback = "127.0.0.1";

/** Base URL at which what listens on `host` answers from this machine. */
export const ownUrl = (host: string, port: number): string =>
  httpUrl(bindsLoopback(host) ? host : host === "::" ? "::1" : loopback, port);
