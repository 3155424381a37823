import { pathOf, type Middleware } from "../middleware.ts";
import { sendJson } from "./send-json.ts";

const pathPattern = /^\/(healthz|livez|readyz)\/?$/i;

/** Whether it is one of the addresses that health() answers. */
export const isProbe = (path: string) => pathPattern.test(path);

/**
 * GET /healthz and /livez answer as long as the process does. For load balancers, /readyz answers 503 with the reason
 * while the service is being stopped, or while `notReady` returns one. None of them is logged or recorded. While the
 * service is being stopped, answers close their connections.
 */
export function health(
  isDraining: () => boolean = () => false,
  notReady: () => string | undefined = () => undefined,
): Middleware {
  return (req, res, next) => {
    if (isDraining()) res.setHeader("Connection", "close");
    const asked = req.method === "GET" || req.method === "HEAD" ? pathPattern.exec(pathOf(req))?.[1] : undefined;
    if (asked === undefined) {
      next();
      return;
    }
    const reason = asked.toLowerCase() !== "readyz" ? undefined : isDraining() ? "draining" : notReady();
    sendJson(res, reason === undefined ? 200 : 503, { status: reason ?? "ok" });
  };
}
