import type { IncomingMessage, RequestListener } from "node:http";
import type { BodyWatch } from "./body-watch.ts";

/** How long a client may go on sending a body whose request has been answered. */
const patienceMs = 30_000;

const hasBody = ({ headers }: IncomingMessage) =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * Reads away what is left of a body when its request has been answered, as a refusal is before the body has come. A
 * connection that is closed while the client still sends is reset, and many clients then never see the answer.
 */
export function draining(bodies: BodyWatch, handler: RequestListener): RequestListener {
  return (req, res) => {
    if (hasBody(req)) {
      bodies.begin(req, res);
      res.once("finish", () => {
        if (req.complete || req.destroyed) return;
        req.resume(); // Node does this only for a body that nobody has begun to read
        const cut = setTimeout(() => req.socket.destroy(), patienceMs);
        req.once("close", () => clearTimeout(cut));
      });
    }
    handler(req, res);
  };
}
