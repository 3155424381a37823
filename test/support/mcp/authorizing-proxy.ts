import { createServer, request } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** A proxy in this process that adds a token: the conformance suite cannot send one. Host and Origin stay as they are. */
export async function authorizingProxy(target: string, token: string) {
  const server = createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${token}` };
    const passed = request(new URL(req.url ?? "/", target), { method: req.method, headers }, (reply) => {
      res.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(res);
    });
    passed.on("error", () => res.destroy());
    req.pipe(passed);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
