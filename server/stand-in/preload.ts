/**
 * Loaded into Node's programs before their own code (NODE_OPTIONS): connections to the stood-in hosts lead to the stand-in,
 * whichever client, agent or version of Node opens them. Everything else stays as it is. What a program sees, such as the
 * name that a certificate must have, is still the host.
 */
import { Socket, type SocketConnectOpts } from "node:net";
import { portOf } from "../contract/own-url.ts";
import { platformHosts, standInVariable } from "../contract/platform-hosts.ts";

type Listener = () => void;
/** Node's own modules call it with one array of options and listener. */
type Connect = (this: Socket, ...args: unknown[]) => Socket;

const target = process.env[standInVariable];
// oxlint-disable-next-line typescript/unbound-method -- it is called with the socket as this
const connect = Socket.prototype.connect as Connect;

/** Reads options and listener from any form of arguments. */
function read(args: readonly unknown[]): readonly [SocketConnectOpts | undefined, Listener | undefined] {
  const [first, second, third] = (Array.isArray(args[0]) ? args[0] : args) as readonly unknown[];
  const listener = [third, second].find((one): one is Listener => typeof one === "function");
  if (typeof first === "object" && first !== null) return [first as SocketConnectOpts, listener];
  return typeof second === "string" ? [{ port: Number(first), host: second }, listener] : [undefined, listener];
}

if (target !== undefined) {
  const { hostname } = new URL(target);
  const port = portOf(target);
  const patched: Connect = function (...args) {
    const [options, listener] = read(args);
    const host = options && "host" in options ? options.host?.toLowerCase().replace(/[.]$/, "") : undefined;
    if (host === undefined || !platformHosts.includes(host)) return connect.apply(this, args);
    return connect.call(this, { ...options, host: hostname, port, lookup: undefined }, listener);
  };
  Socket.prototype.connect = patched;
}
