/** Hands requests to a handler without sockets, and returns its answers. */
import { IncomingMessage, ServerResponse, type RequestListener } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { noteActivity } from "./simulated-process.ts";

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A connection from this machine that carries nothing: messages are handed over as objects. */
function silentSocket(): Socket {
  const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  const facts = { remoteAddress: "127.0.0.1", localAddress: "127.0.0.1", bytesRead: 0, encrypted: false };
  return Object.assign(socket, facts, {
    setTimeout: () => socket,
    setNoDelay: () => socket,
    setKeepAlive: () => socket,
    resetAndDestroy: () => socket.destroy(),
  }) as unknown as Socket;
}

function requestOf({ method, path, headers = {}, body = "" }: Call, socket: Socket): IncomingMessage {
  const request = new IncomingMessage(socket);
  const all: Record<string, string> = { host: "127.0.0.1:3090", ...headers };
  if (body !== "") all["content-length"] = String(Buffer.byteLength(body));
  Object.assign(request, { method, url: path, httpVersion: "1.1", httpVersionMajor: 1, httpVersionMinor: 1 });
  request.rawHeaders = Object.entries(all).flat();
  request.headers = Object.fromEntries(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]));
  if (body !== "") request.push(Buffer.from(body));
  request.push(null);
  request.complete = true;
  return request;
}

/** Resolves with the answer; undefined when the handler cut the connection. */
export function exchange(handler: RequestListener, call: Call): Promise<Answer | undefined> {
  const socket = silentSocket();
  const request = requestOf(call, socket);
  const response = new ServerResponse(request);
  const chunks: Buffer[] = [];
  let head: Record<string, unknown> = {};
  // oxlint-disable-next-line typescript/unbound-method -- called with the response below
  const { write, end, writeHead } = response;
  const keep = (chunk: unknown) => {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
  };
  const own = {
    writeHead: (status: number, ...rest: unknown[]) => {
      const written = rest.at(-1);
      if (typeof written === "object" && written !== null) head = { ...(written as Record<string, unknown>) };
      return Reflect.apply(writeHead, response, [status, ...rest]) as unknown;
    },
    write: (...values: unknown[]) => {
      keep(values[0]);
      return Reflect.apply(write, response, values) as unknown;
    },
    end: (...values: unknown[]) => {
      // Node's own `end` calls the `write` of its prototype.
      keep(values[0]);
      return Reflect.apply(end, response, values) as unknown;
    },
  };
  Object.assign(response, own);
  response.assignSocket(socket);
  return new Promise((resolve) => {
    response.once("finish", () => {
      noteActivity();
      const headers = { ...response.getHeaders(), ...head };
      const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
      resolve({
        status: response.statusCode,
        headers: Object.fromEntries(texts),
        body: Buffer.concat(chunks).toString(),
      });
    });
    socket.once("close", () => resolve(undefined));
    handler(request, response);
  });
}
