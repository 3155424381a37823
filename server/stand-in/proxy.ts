/** A forward proxy that answers for the stood-in hosts and lets through only what is local or named. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { loopback } from "../contract/own-url.ts";
import { closed, listen } from "../http/connection/listen.ts";
import { plainHost, refusalOf, type Destination } from "./destinations.ts";
import { answerText, forwardRequest } from "./forward-request.ts";

interface ProxyOptions {
  /** The simulator's base URL. */
  readonly provider: string;
  /** Where the stood-in hosts are served by HTTPS, on loopback. */
  readonly tlsPort: number;
  readonly destinationOf: (host: string) => Destination;
  /** Called for each request that is refused. */
  readonly onRefused: (host: string) => void;
}

const notForProxy = "This is a proxy: it answers CONNECT, and requests whose target is a whole URL.";

/** Origin and path of a request to a proxy; undefined where the target is none. */
function readTarget(url = ""): { readonly origin: URL; readonly path: string } | undefined {
  const [origin] = /^https?:\/\/[^/?#]*/i.exec(url) ?? [];
  if (origin === undefined || !URL.canParse(origin)) return undefined;
  return { origin: new URL(origin), path: url.slice(origin.length) };
}

/** Host and port of a CONNECT request. */
function readAuthority(text = ""): { readonly host: string; readonly port: number } {
  const at = text.lastIndexOf(":");
  return { host: plainHost(text.slice(0, Math.max(at, 0))), port: Number(text.slice(at + 1)) };
}

function refuseTunnel(socket: Duplex, status: string, text: string): void {
  const head = ["Content-Type: text/plain; charset=utf-8", `Content-Length: ${String(Buffer.byteLength(text) + 1)}`];
  socket.end([`HTTP/1.1 ${status}`, ...head, "Connection: close", "", `${text}\n`].join("\r\n"));
}

/** Listens on a free loopback port. */
export async function listenAsProxy({ provider, tlsPort, destinationOf, onRefused }: ProxyOptions) {
  const simulator = new URL(provider);
  const tunnels = new Set<Duplex>();

  function handle(req: IncomingMessage, res: ServerResponse): void {
    const target = readTarget(req.url);
    if (target === undefined) return answerText(res, 400, notForProxy);
    const { origin, path } = target;
    const destination = destinationOf(origin.hostname);
    if (destination === "nowhere") {
      onRefused(origin.hostname);
      return answerText(res, 403, refusalOf(origin.hostname));
    }
    void forwardRequest(req, res, {
      origin: destination === "simulator" ? simulator : origin,
      host: origin.host,
      path,
    });
  }

  /** Where a tunnel leads to. The simulator speaks plain HTTP itself. */
  function wayTo(host: string, port: number) {
    if (destinationOf(host) === "itself") return { host, port };
    return port === 80
      ? { host: plainHost(simulator.hostname), port: Number(simulator.port) }
      : { host: loopback, port: tlsPort };
  }

  function tunnel(req: IncomingMessage, near: Duplex, head: Buffer): void {
    near.on("error", () => near.destroy());
    const { host, port } = readAuthority(req.url);
    if (host === "" || !(port > 0 && port < 65_536)) return refuseTunnel(near, "400 Bad Request", notForProxy);
    if (destinationOf(host) === "nowhere") {
      onRefused(host);
      return refuseTunnel(near, "403 Forbidden", refusalOf(host));
    }
    const far = connect({ ...wayTo(host, port), allowHalfOpen: true });
    let isOpen = false;
    far.once("connect", () => {
      isOpen = true;
      near.write("HTTP/1.1 200 Connection established\r\n\r\n");
      far.write(head);
      near.pipe(far).pipe(near);
    });
    far.on("error", (error) => {
      if (isOpen) near.destroy();
      else refuseTunnel(near, "502 Bad Gateway", `${host} does not answer: ${error.message}`);
    });
    far.once("close", () => near.end());
    near.once("close", () => {
      tunnels.delete(near);
      far.destroy();
    });
    tunnels.add(near);
  }

  const server = createServer({ requestTimeout: 0 }, handle).on("connect", tunnel);
  const { port } = await listen(server, { host: loopback, port: 0 });
  return {
    url: `http://${loopback}:${String(port)}`,
    async close(): Promise<void> {
      const ended = closed(server);
      server.closeAllConnections();
      for (const tunnel of tunnels) tunnel.destroy();
      await ended;
    },
  };
}
