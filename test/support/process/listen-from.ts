import { once } from "node:events";
import type { Server } from "node:http";
import { createServer, type AddressInfo } from "node:net";

/**
 * A further port of a running service whose callers come from `address`, as they would on another machine: a test has only
 * one, and not everywhere more than its loopback. All else of the connections is real.
 */
export async function listenFrom(server: Server, address: string) {
  const door = createServer({ allowHalfOpen: true }, (socket) => {
    Object.defineProperty(socket, "remoteAddress", { value: address });
    server.emit("connection", socket);
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  const { port } = door.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${String(port)}`,
    async [Symbol.asyncDispose]() {
      door.close();
      server.closeIdleConnections();
      await once(door, "close");
    },
  };
}
