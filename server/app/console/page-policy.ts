import type { IncomingMessage } from "node:http";
import type { Middleware } from "../../http/middleware.ts";

/** @param app the origin of the application server: phones are simulated there, and its description is shown in a frame */
const pagePolicy = (app: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'", // the component library sets style attributes
    `img-src 'self' data: blob: ${app}`,
    "font-src 'self'",
    `connect-src 'self' ${app}`,
    `frame-src ${app}/swagger ${app}/swagger/`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Adds headers to all answers of the console's port, so that no other origin may read, frame or open them. */
export const sealed =
  (appOrigin: (req: IncomingMessage) => string): Middleware =>
  (req, res, next) => {
    res.setHeader("Content-Security-Policy", pagePolicy(appOrigin(req)));
    res.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    res.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    res.setHeader("Referrer-Policy", "no-referrer");
    next();
  };
