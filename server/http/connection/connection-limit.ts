import type { RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import type { ErrorBody } from "../../contract/error-body.ts";
import { underlying } from "./tls-beside.ts";

/** The connections beyond the limit that get an answer. */
const margin = 100;
const retryAfterSeconds = 5;

/**
 * Connections beyond the limit get a 503; those far beyond it are closed at once. It is logged when the limit is exceeded,
 * and again only after it was not.
 * @param most the most connections served at a time
 * @param patienceMs the time that others have to send the request that is answered 503
 */
export function createConnectionLimit(most: number, log?: Pick<Logger, "warn">, patienceMs = 5_000) {
  /** Each with its timeout. */
  const surplus = new Map<Socket, NodeJS.Timeout>();
  let open = 0;
  let isFull = false;

  const body = JSON.stringify({
    Message: `The server has ${String(most)} open connections, its maximum. Try again later.`,
    code: "too_many_connections",
  } satisfies ErrorBody);

  function takeIn(socket: Socket): void {
    open++;
    socket.once("close", () => {
      open--;
      if (open < 0.9 * most) isFull = false;
      clearTimeout(surplus.get(socket));
      surplus.delete(socket);
    });
    if (open <= most) return;
    if (!isFull) log?.warn(`${String(most)} connections are open; new ones get 503`);
    isFull = true;
    if (open > most + margin) {
      socket.destroy();
      return;
    }
    surplus.set(
      socket,
      setTimeout(() => socket.destroy(), patienceMs),
    );
  }

  /** Whether a connection is within the limit, possibly since others ended. */
  function isServed(socket: Socket): boolean {
    if (surplus.size === 0 || !surplus.has(socket)) return true;
    if (open - surplus.size >= most) return false;
    clearTimeout(surplus.get(socket));
    return surplus.delete(socket);
  }

  return {
    /** Counts the connections of a server from their first moment on; a service may have several. */
    watch: (server: Server) => void server.prependListener("connection", takeIn),
    /** The handler for connections within the limit; others are answered 503. */
    guard:
      (handler: RequestListener): RequestListener =>
      (req, res) => {
        if (isServed(underlying(req.socket))) {
          handler(req, res);
          return;
        }
        res
          .writeHead(503, {
            "Content-Type": "application/json; charset=utf-8",
            "Content-Length": Buffer.byteLength(body),
            "Retry-After": retryAfterSeconds,
            Connection: "close",
          })
          .end(req.method === "HEAD" ? undefined : body);
      },
  };
}
export type ConnectionLimit = ReturnType<typeof createConnectionLimit>;
