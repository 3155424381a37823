import type { RequestListener } from "node:http";

/**
 * No service switches to another protocol: a request that offers to is answered as if it did not, and is the last one of
 * its connection, since Node (24) does not notice any more when what follows an offered upgrade is no HTTP, and hangs.
 */
export function refusingUpgrades(handler: RequestListener): RequestListener {
  return (req, res) => {
    if (req.headers.upgrade !== undefined) res.setHeader("Connection", "close");
    handler(req, res);
  };
}
