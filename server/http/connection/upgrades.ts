import type { RequestListener } from "node:http";

/**
 * Answers a request that offers another protocol as if it did not. It is the last one of its connection: after an
 * offered upgrade, Node 24 does not notice invalid HTTP, and hangs.
 */
export function refusingUpgrades(handler: RequestListener): RequestListener {
  return (req, res) => {
    if (req.headers.upgrade !== undefined) res.setHeader("Connection", "close");
    handler(req, res);
  };
}
