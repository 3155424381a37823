import type { RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import type { ErrorBody } from "../../contract/error-body.ts";

export interface ConnectionLimit {
  /** Counts the connections of a server of the service, of which there may be several. */
  watch(server: Server): void;
  /** The handler for what comes over connections within the limit; the others are answered 503. */
  guard(handler: RequestListener): RequestListener;
}

interface Options {
  /** How many connections are served at a time. */
  readonly most: number;
  /** Called when they have become too many, once until there are fewer again. */
  readonly onFull: () => void;
}

/** Beyond the limit so many are still taken in, to be told. */
const margin = 100;
/** How long one of them may take to send its request. */
const patienceMs = 5_000;
const retryAfterSeconds = 5;

/** Who comes beyond the limit is told so; far beyond it a connection is closed at once. */
export function createConnectionLimit({ most, onFull }: Options): ConnectionLimit {
  /** Each with the end of our patience. */
  const surplus = new Map<Socket, NodeJS.Timeout>();
  let open = 0;
  let isFull = false;

  const body = JSON.stringify({
    Message: `The server has ${String(most)} connections already (setting max_connections): try again later.`,
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
    if (!isFull) onFull();
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

  /** Whether a connection is within the limit, perhaps by now. */
  function isServed(socket: Socket): boolean {
    if (surplus.size === 0 || !surplus.has(socket)) return true;
    if (open - surplus.size >= most) return false;
    clearTimeout(surplus.get(socket));
    return surplus.delete(socket);
  }

  return {
    watch: (server) => void server.on("connection", takeIn),
    guard: (handler) => (req, res) => {
      if (isServed(req.socket)) {
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
