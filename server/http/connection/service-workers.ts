import type { RequestListener } from "node:http";
import type { ErrorBody } from "../../contract/error-body.ts";

const refusal = JSON.stringify({
  Message: "No service worker is served: it would stay in the browser, and read what later runs answer at this port.",
  code: "service_worker_refused",
} satisfies ErrorBody);

/** Refuses every script that a browser requests for a service worker, which it shows by the header `Service-Worker`. */
export const refusingServiceWorkers =
  (handler: RequestListener): RequestListener =>
  (req, res) => {
    if (req.headers["service-worker"] === undefined) handler(req, res);
    else res.writeHead(403, { "Content-Type": "application/json; charset=utf-8" }).end(refusal);
  };
