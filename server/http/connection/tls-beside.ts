/** HTTPS at the port of an HTTP server: a TLS connection begins with a byte that no request begins with. */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { TLSSocket, type SecureContext } from "node:tls";

export interface TlsBeside {
  /** The certificate for connections to an address of this machine. */
  readonly contextFor: (address: string) => SecureContext;
  /** Requests a certificate from clients, and accepts any or none: the handler of the request checks it. */
  readonly asksForCertificate?: boolean;
}

const handshake = 0x16;
/** The time for a connection to send a request; then it is closed, even during a handshake. */
const patienceMs = 20_000;

const secured = new WeakMap<Socket, Socket>();

/** The connection itself, below TLS where there is some. */
export const underlying = (socket: Socket): Socket => secured.get(socket) ?? socket;

/**
 * Makes a server accept both kinds of connections. Call it after all other listeners for connections were added.
 * @returns a function that closes the connections that have not sent anything yet
 */
export function serveTlsBeside(server: Server, { contextFor, asksForCertificate = false }: TlsBeside): () => void {
  const listeners = server.listeners("connection");
  const waiting = new Set<Socket>();

  function take(socket: Socket): void {
    const drop = () => void socket.destroy();
    const timer = setTimeout(drop, patienceMs);
    const forget = () => {
      clearTimeout(timer);
      waiting.delete(socket);
    };
    waiting.add(socket);
    socket.once("close", forget).on("error", drop);
    const pass = (ready: Socket) => {
      forget();
      socket.off("error", drop);
      for (const listener of listeners) listener.call(server, ready);
    };
    socket.once("readable", () => {
      const first = socket.read() as Buffer | null;
      if (first === null) return drop();
      socket.unshift(first);
      if (first[0] !== handshake) return pass(socket);
      const secure = new TLSSocket(socket, {
        isServer: true,
        secureContext: contextFor(socket.localAddress ?? ""),
        requestCert: asksForCertificate,
        rejectUnauthorized: false,
      });
      secured.set(secure, socket);
      secure.on("error", drop);
      secure.once("secure", () => {
        secure.off("error", drop);
        pass(secure);
      });
    });
  }

  server.removeAllListeners("connection").on("connection", take);
  return () => {
    for (const socket of waiting) socket.destroy();
  };
}
