import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { urlToHttpOptions } from "node:url";
import { keepConnections } from "../connection/connections.ts";
import { underlying } from "../connection/tls-beside.ts";
import { HttpError, refuse } from "../http-error.ts";

/** Node's own go through the proxy that the environment names, with what is for this machine, too. */
const connections = keepConnections({ timeout: 5_000 });

/** What belongs to a connection, not to the request or the reply that goes over it. */
export const ofConnection = ["connection", "keep-alive", "transfer-encoding", "upgrade"];

/**
 * The headers of a message but some, by names written as they came: clients exist that look a name up in its own case.
 * @param isLeftOut takes a name in lower case
 */
export function withoutHeaders(isLeftOut: (name: string) => boolean, message: IncomingMessage): OutgoingHttpHeaders {
  const written = message.rawHeaders.filter((_, index) => index % 2 === 0).toReversed();
  const nameOf = new Map(written.map((name) => [name.toLowerCase(), name]));
  const passed = Object.entries(message.headers).filter(([name, value]) => value !== undefined && !isLeftOut(name));
  return Object.fromEntries(passed.map(([name, value]) => [nameOf.get(name) ?? name, value]));
}

export const serviceDown = (cause?: unknown) => refuse("service.down", undefined, { retryAfter: 2, cause });

/**
 * How a request says where its body ends, which holds on the way on, too, whatever Connection names: Node writes the body of
 * a GET without it bare, and the service would read it as a further request.
 */
const framing = ({
  "transfer-encoding": coding,
  "content-length": length,
}: IncomingHttpHeaders): OutgoingHttpHeaders =>
  coding !== undefined ? { "transfer-encoding": "chunked" } : length !== undefined ? { "content-length": length } : {};

interface PassedOn {
  readonly to: URL;
  /** Path and query as they are to be written, where that is not how `to` writes them. */
  readonly path?: string;
  readonly headers: OutgoingHttpHeaders;
  /** Headers of the answer, made from the reply, or the refusal that is answered instead. */
  readonly answerHeaders: (reply: IncomingMessage) => OutgoingHttpHeaders | HttpError;
  /** The client's connection is reset where the service resets its own: the simulator's faults do. */
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
