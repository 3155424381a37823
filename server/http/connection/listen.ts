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

/** How often to choose a free port anew when the same one is taken on loopback. */
const maxTries = 20;

/** @throws PortInUseError, or the system's error */
async function bind(server: Server, host: string, port: number): Promise<AddressInfo> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "EADDRINUSE" ? new PortInUseError(port) : error;
  }
  return server.address() as AddressInfo;
}

/** Accepts no more connections, and resolves when the last one has ended. */
export const closed = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()));

/**
 * Listens on `host` and `port` (0 = any free one) and on loopback at the same port.
 * @returns the port, and its listeners, which share the server
 * @throws PortInUseError
 */
export async function listen(server: HttpServer, { host, port }: { host: string; port: number }) {
  // The name localhost may stand for another loopback address.
  const leavesOut = host === "localhost" || !(bindsAll(host) || bindsLoopback(host));
  for (let tries = 1; ; tries++) {
    const bound = await bind(server, host, port);
    if (!leavesOut || bound.address === loopback) return { port: bound.port, listeners: [server] };
    const beside = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket));
    try {
      await bind(beside, loopback, bound.port);
      return { port: bound.port, listeners: [server, beside] };
    } catch (error) {
      await closed(server);
      if (port !== 0 || !(error instanceof PortInUseError) || tries === maxTries) throw error;
    }
  }
}
