/**
 * A forward proxy that answers for the stood-in hosts and lets through only local and named hosts. It serves the
 * stood-in hosts at the same port, over HTTP and HTTPS, for tunnels and redirected clients.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { loopback } from "../contract/own-url.ts";
import { callerHeaders } from "../http/connection/peer/caller.ts";
import { hangUp } from "../http/connection/hang-up.ts";
import { closeWithin, listen } from "../http/connection/listen.ts";
import { serveTlsBeside, type TlsBeside } from "../http/connection/tls-beside.ts";
import { plainHost, refusalOfHost, type Destination } from "./destinations.ts";
import { answerText, forwardRequest } from "./forward-request.ts";

interface ProxyOptions extends Pick<TlsBeside, "contextFor"> {
  /** The simulator's base URL. */
  readonly provider: string;
  /** The run's console token. */
  readonly consoleToken: string;
  readonly port: number;
  readonly destinationOf: (host: string) => Destination;
  /** Called for each request that is refused. */
  readonly onRefused: (host: string) => void;
}

const notForProxy = "This is a proxy for CONNECT, requests with a full URL, and the hosts that Hearth stands in for.";

/** Origin and path of a request to a proxy; undefined for another target. */
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
  hangUp(socket, [`HTTP/1.1 ${status}`, ...head, "Connection: close", "", `${text}\n`].join("\r\n"));
}

const isOpenText = "HTTP/1.1 200 Connection established\r\n\r\n";

/** Listens on loopback. @throws PortInUseError */
export async function listenAsProxy(options: ProxyOptions) {
  const { provider, consoleToken, contextFor, destinationOf, onRefused } = options;
  const simulator = new URL(provider);
  /** Tunnels to other hosts, and refused ones. */
  const tunnels = new Set<Duplex>();

  function handle(req: IncomingMessage, res: ServerResponse): void {
    const target = readTarget(req.url);
    const { host = "" } = req.headers;
    const hostname = target?.origin.hostname ?? host.replace(/:\d*$/, "");
    const destination = destinationOf(hostname);
    if (destination === "simulator") {
      const { path, origin } = target ?? { path: req.url ?? "/", origin: { host } };
      void forwardRequest(req, res, {
        origin: simulator,
        host: origin.host,
        path,
        added: callerHeaders(req, consoleToken),
        passesResets: true,
      });
    } else if (target === undefined) answerText(res, 400, notForProxy);
    else if (destination === "itself")
      void forwardRequest(req, res, { origin: target.origin, host: target.origin.host, path: target.path });
    else {
      onRefused(hostname);
      answerText(res, 403, refusalOfHost(hostname));
    }
  }

  function openTunnel(near: Duplex, head: Buffer, host: string, port: number): void {
    const far = connect({ host, port, allowHalfOpen: true });
    let isOpen = false;
    far.once("connect", () => {
      isOpen = true;
      near.write(isOpenText);
      far.write(head);
      near.pipe(far).pipe(near);
    });
    far.on("error", (error) => {
      if (isOpen) near.destroy();
      else refuseTunnel(near, "502 Bad Gateway", `${host} does not respond: ${error.message}`);
    });
    far.once("close", () => near.end());
    near.once("close", () => far.destroy());
  }

  function takeTunnel(req: IncomingMessage, near: Duplex, head: Buffer): void {
    // A new tunnel would delay the end.
    if (!server.listening) return void near.destroy();
    tunnels.add(near);
    near.on("error", () => near.destroy()).once("close", () => tunnels.delete(near));
    const { host, port } = readAuthority(req.url);
    if (host === "" || !(port > 0 && port < 65_536)) return refuseTunnel(near, "400 Bad Request", notForProxy);
    const destination = destinationOf(host);
    if (destination === "itself") return openTunnel(near, head, host, port);
    if (destination === "nowhere") {
      onRefused(host);
      return refuseTunnel(near, "403 Forbidden", refusalOfHost(host));
    }
    tunnels.delete(near);
    // The tunnel ends here: its requests are handled like direct ones.
    near.write(isOpenText);
    if (head.length > 0) near.unshift(head);
    server.emit("connection", near);
  }

  // Uploads and slow clients are legitimate.
  const server = createServer({ requestTimeout: 0 }, handle).on("connect", takeTunnel);
  const dropWaiting = serveTlsBeside(server, { contextFor, asksForCertificate: true });
  const { port } = await listen(server, { host: loopback, port: options.port });
  return {
    url: `http://${loopback}:${String(port)}`,
    /** Stops accepting, lets running requests finish for `graceMs`, then cuts the rest. */
    close(graceMs?: number): Promise<void> {
      dropWaiting();
      // Idle tunnels cannot be distinguished.
      for (const tunnel of tunnels) tunnel.destroy();
      return closeWithin(server, [server], graceMs);
    },
  };
}
