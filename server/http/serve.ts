import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { takingAbsoluteTargets } from "./absolute-target.ts";
import { urlOf } from "./addresses.ts";
import { draining } from "./drain.ts";
import { refuseBroken } from "./refuse-broken.ts";
import { createTurns } from "./turns.ts";
import { refusingUpgrades } from "./upgrades.ts";

/** The port is taken by another program. */
export class PortInUseError extends Error {
  override readonly name = "PortInUseError";
  readonly port: number;
  constructor(port: number) {
    super(`port ${String(port)} is in use`);
    this.port = port;
  }
}

export interface Listener {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** Stops accepting, lets requests in flight finish for `graceMs`, then cuts what is left. */
  close(graceMs?: number): Promise<void>;
}

/**
 * Listens on `host` and `port` (0 = any free one) and returns when it answers.
 * @throws PortInUseError
 */
export async function serve(
  handler: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<Listener> {
  const turns = createTurns(refusingUpgrades(draining(takingAbsoluteTargets(handler))));
  const server = createServer(
    {
      requestTimeout: 0, // long uploads and streams are legitimate: only the headers have a deadline
      headersTimeout: 20_000,
      keepAliveTimeout: 30_000,
      requireHostHeader: false, // allowed-hosts.ts says so in the form of every other refusal
    },
    turns.handle,
  );
  // An Expect that nobody knows may be passed over (RFC 9110, 10.1.1); Node by itself would answer without a body.
  server.on("checkExpectation", turns.handle);
  server.on("clientError", refuseBroken(turns));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "EADDRINUSE" ? new PortInUseError(port) : error),
    );
    server.listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  const close = async (graceMs = 2_000) => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(cut);
  };
  return { url: urlOf(host, bound), port: bound, server, close };
}
