/** The real platform's hosts by HTTPS, with a certificate of the installation's authority. */
import { createServer } from "node:https";
import { loopback } from "../contract/own-url.ts";
import { platformHosts } from "../contract/platform-hosts.ts";
import { closed, listen } from "../http/connection/listen.ts";
import { certifyServer, makeKey, type Authority } from "./certificates.ts";
import { forwardRequest } from "./forward-request.ts";

const servedHosts = [...platformHosts, "localhost", loopback];

/**
 * Listens on a free loopback port and passes all requests on to the simulator, which tells hosts apart by the Host header.
 * @param provider the simulator's base URL @param at Unix ms
 */
export async function listenByTls(provider: string, { key: issuer, certificate }: Authority, at: number) {
  const key = makeKey();
  const server = createServer(
    {
      key: key.export({ type: "pkcs8", format: "pem" }),
      cert: certifyServer(key, issuer, servedHosts, at) + certificate,
      requestTimeout: 0, // uploads and slow clients are legitimate
    },
    (req, res) => {
      const host = req.headers.host ?? "";
      void forwardRequest(req, res, { origin: new URL(provider), host, path: req.url ?? "/" });
    },
  );
  const { port } = await listen(server, { host: loopback, port: 0 });
  return {
    port,
    async close(): Promise<void> {
      const ended = closed(server);
      server.closeAllConnections();
      await ended;
    },
  };
}
