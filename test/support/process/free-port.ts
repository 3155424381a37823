import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { randomInt } from "node:crypto";

/** Below it are the usual ports of programs, and some that `fetch` refuses. */
const firstPort = 12_000;
const lastPort = 65_535;
const given = new Set<number>();

/** The ports that this system gives to connections: while one has a port, nobody can listen there. */
function portsOfConnections(): { first: number; last: number } {
  // The dynamic ports of IANA, where the system does not say which ones it takes.
  if (process.platform !== "linux") return { first: 49_152, last: lastPort };
  const range = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8");
  const [first = NaN, last = NaN] = range.trim().split(/\s+/).map(Number);
  return { first, last };
}
const connections = portsOfConnections();

function isFreeOfConnections(port: number): boolean {
  const { first, last } = connections;
  if (port < first || port > last) return true;
  // Where they have all ports, Linux gives them every second one as long as there are any.
  return first - firstPort + lastPort - last < 1000 && (port - first) % 2 === 1;
}

/** Test files that run at the same time have different ports: each asks in a process of its own. */
const shares = 16;
const isOwn = (port: number) => (port >> 1) % shares === Number(process.env["VITEST_POOL_ID"] ?? 0) % shares;

/** A port for a server that starts later, or again: nobody listens there, no connection gets it, none is given twice. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(firstPort, lastPort + 1);
    if (given.has(port) || !isOwn(port) || !isFreeOfConnections(port)) continue;
    const server = createServer();
    const bound = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!bound) continue;
    given.add(port);
    server.close();
    await once(server, "close");
    return port;
  }
}
