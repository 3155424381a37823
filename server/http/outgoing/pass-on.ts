import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { urlToHttpOptions } from "node:url";
import { keepConnections } from "../connection/connections.ts";
import { underlying } from "../connection/tls-beside.ts";
import { HttpError, refuse } from "../http-error.ts";

/** Node's own agent would send requests to this machine through the proxy that the environment names. */
const connections = keepConnections({ timeout: 5_000 });

/** Headers of a connection, which are not passed on. */
export const ofConnection = ["connection", "keep-alive", "transfer-encoding", "upgrade"];

/**
 * The headers of a message without some, with names in their original case, which some clients rely on.
 * @param isLeftOut gets a name in lower case
 */
export function withoutHeaders(isLeftOut: (name: string) => boolean, message: IncomingMessage): OutgoingHttpHeaders {
  const written = message.rawHeaders.filter((_, index) => index % 2 === 0).toReversed();
  const nameOf = new Map(written.map((name) => [name.toLowerCase(), name]));
  const passed = Object.entries(message.headers).filter(([name, value]) => value !== undefined && !isLeftOut(name));
  return Object.fromEntries(passed.map(([name, value]) => [nameOf.get(name) ?? name, value]));
}

export const serviceDown = (cause?: unknown) => refuse("service.down", undefined, { retryAfter: 2, cause });

/**
 * The headers that delimit the body of a request. They are passed on even if Connection names them: without them, Node
 * would write the body of a GET bare, and the service would read it as another request.
 */
const framing = ({
  "transfer-encoding": coding,
  "content-length": length,
}: IncomingHttpHeaders): OutgoingHttpHeaders =>
  coding !== undefined ? { "transfer-encoding": "chunked" } : length !== undefined ? { "content-length": length } : {};

interface PassedOn {
  readonly to: URL;
  /** Path and query, if they differ from those of `to`. */
  readonly path?: string;
  readonly headers: OutgoingHttpHeaders;
  /** Makes the headers of the answer from the reply, or a refusal to send instead. */
  readonly answerHeaders: (reply: IncomingMessage) => OutgoingHttpHeaders | HttpError;
  /** Resets the client's connection if the service resets its own, as the simulator's faults do. */
  readonly passesResets?: boolean;
}

/**
 * Streams a request through to another service and its reply back. A client that goes away cancels the call.
 * @throws HttpError 503 when the service does not answer
 */
export function passOn(
  req: IncomingMessage,
  res: ServerResponse,
  { to, path = to.pathname + to.search, headers, answerHeaders, passesResets = false }: PassedOn,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = { method: req.method, path, headers: { ...headers, ...framing(req.headers) } };
    const outgoing = connections.request(to.protocol, { ...urlToHttpOptions(to), ...sent });
    outgoing.on("response", (reply) => {
      const answer = answerHeaders(reply);
      if (answer instanceof HttpError) {
        outgoing.destroy();
        reject(answer);
        return;
      }
      res.writeHead(reply.statusCode ?? 502, answer);
      res.flushHeaders(); // the first byte of a stream may come much later
      reply.on("data", (chunk: Buffer) => {
        if (!res.write(chunk)) {
          reply.pause();
          res.once("drain", () => reply.resume());
        }
      });
      reply.once("end", () => res.end());
      reply.once("close", () => {
        if (!reply.complete) res.destroy(); // the client must see that the reply is cut short
        resolve();
      });
    });
    outgoing.on("error", (cause: NodeJS.ErrnoException) => {
      const isOver = res.headersSent || res.closed;
      if (!isOver && !(passesResets && cause.code === "ECONNRESET")) return reject(serviceDown(cause));
      if (!isOver) underlying(req.socket).resetAndDestroy();
      resolve();
    });
    res.once("close", () => {
      if (!res.writableFinished) outgoing.destroy();
    });
    req.pipe(outgoing);
  });
}
