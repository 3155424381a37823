import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { urlOf } from "./addresses.ts";

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
  // Long uploads and streams are legitimate: only the headers have a deadline.
  const server = createServer({ requestTimeout: 0, headersTimeout: 20_000, keepAliveTimeout: 30_000 }, handler);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const [status, code, message] =
      error.code === "HPE_HEADER_OVERFLOW"
        ? ["400 Bad Request", "headers_too_long", "The request's headers are too long."]
        : ["400 Bad Request", "bad_request", "This is not a valid HTTP request."];
    const body = JSON.stringify({ Message: message, code });
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${String(Buffer.byteLength(body))}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
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
