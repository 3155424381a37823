/** Binds a server to an address, and also to loopback if that address excludes it. */
import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import { bindsAll, bindsLoopback, loopback } from "../../contract/own-url.ts";

/** The port is taken by another program. */
export class PortInUseError extends Error {
  override readonly name = "PortInUseError";
  readonly port: number;
  constructor(port: number) {
    super(`port ${String(port)} is in use`);
    this.port = port;
  }
}

/** The system refuses this address or this port to the user. */
export class ListenRefused extends Error {
  override readonly name = "ListenRefused";
  /** Tells the supervisor that no restart helps. */
  readonly code = "bad_setting";
}

const badHost = /^(ENOTFOUND|EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL|EAI_\w+)$/;

function explained(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const { code = "" } = error;
  if (code === "EADDRINUSE") return new PortInUseError(port);
  if (code === "EACCES")
    return new ListenRefused(`port ${port} requires more rights than this user has: choose a port above 1023`, {
      cause: error,
    });
  if (!badHost.test(code)) return error;
  return new ListenRefused(
    `host: ${host} is not an address of this machine: choose 127.0.0.1, 0.0.0.0 or one of its addresses`,
    { cause: error },
  );
}

/** Attempts to choose a free port that is also free on loopback. */
const maxTries = 20;

/** @throws PortInUseError, ListenRefused, or the system's error */
async function bind(server: Server, host: string, port: number): Promise<AddressInfo> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw explained(error as NodeJS.ErrnoException, host, port);
  }
  return server.address() as AddressInfo;
}

/** Accepts no more connections, and resolves when the last one has ended. */
export const closed = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()));

/** The default time that open requests may continue. */
export const defaultGraceMs = 2_000;
const sweepMs = 100;

/** Stops accepting at these listeners, lets running requests finish for `graceMs`, then cuts the rest. */
export async function closeWithin(server: HttpServer, listeners: readonly Server[], graceMs = defaultGraceMs) {
  const ended = Promise.all(listeners.map(closed));
  server.closeIdleConnections();
  // A connection whose last request was answered meanwhile would wait for its next one.
  const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await ended;
  clearInterval(sweep);
  clearTimeout(cut);
}

interface Place {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Does not listen on loopback, which another listener uses. */
  readonly alone?: boolean;
}

/**
 * Listens on `host` and `port`, and on loopback at the same port unless `alone`.
 * @returns the port, and its listeners; every connection belongs to the server
 * @throws PortInUseError, ListenRefused
 */
export async function listen(server: HttpServer, { host, port, alone = false }: Place) {
  // The name localhost may mean another loopback address.
  const leavesOut = !alone && (host === "localhost" || !(bindsAll(host) || bindsLoopback(host)));
  for (let tries = 1; ; tries++) {
    const bound = await bind(server, host, port);
    if (!leavesOut || bound.address === loopback) return { port: bound.port, listeners: [server] };
    const onLoopback = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      server.emit("connection", socket),
    );
    try {
      await bind(onLoopback, loopback, bound.port);
      return { port: bound.port, listeners: [server, onLoopback] };
    } catch (error) {
      await closed(server);
      if (port !== 0 || !(error instanceof PortInUseError) || tries === maxTries) throw error;
    }
  }
}
