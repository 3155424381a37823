import type { IncomingMessage, RequestListener } from "node:http";
import type { BodyWatch } from "./body-watch.ts";

/** The time that a client may go on sending a body after the answer. */
const patienceMs = 30_000;

const hasBody = ({ headers }: IncomingMessage) =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * Reads and drops the rest of a body after an early answer, such as a refusal. Closing the connection while the client
 * sends would reset it, and many clients then never see the answer.
 */
export function draining(bodies: BodyWatch, handler: RequestListener): RequestListener {
  return (req, res) => {
    if (hasBody(req)) {
      bodies.begin(req, res);
      res.once("finish", () => {
        if (req.complete || req.destroyed) return;
        req.resume(); // Node does this only for a body that nobody started to read
        const cut = setTimeout(() => req.socket.destroy(), patienceMs);
        req.once("close", () => clearTimeout(cut));
      });
    }
    handler(req, res);
  };
}
