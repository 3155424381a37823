import type { RequestListener } from "node:http";
import type { ErrorBody } from "../../contract/error-body.ts";

const refusal = JSON.stringify({
  Message:
    "Hearth serves no service workers: one would stay in the browser and read the replies of later runs at this port.",
  code: "service_worker_refused",
} satisfies ErrorBody);

/** Refuses every script that a browser requests for a service worker, which it shows by the header `Service-Worker`. */
export const refusingServiceWorkers =
  (handler: RequestListener): RequestListener =>
  (req, res) => {
    if (req.headers["service-worker"] === undefined) handler(req, res);
    else res.writeHead(403, { "Content-Type": "application/json; charset=utf-8" }).end(refusal);
  };
