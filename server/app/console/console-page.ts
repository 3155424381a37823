import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import express, { Router } from "express";
import { HttpError } from "../../http/http-error.ts";
import { sendStream } from "../../http/connection/send-stream.ts";
import type { ConsoleAccess } from "./console-access.ts";

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'", // the component library sets style attributes
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
].join("; ");

/** Serves the console's page and its files from `folder` at /console, and the reference client from `clientFolder`. */
export function consolePage(
  { folder, clientFolder }: { folder: string; clientFolder: string },
  access: ConsoleAccess,
): Router {
  const router = Router();
  router.use((_req, res, next) => {
    res.setHeader("Content-Security-Policy", pagePolicy);
    res.setHeader("X-Content-Type-Options", "nosniff");
    res.setHeader("Referrer-Policy", "no-referrer");
    next();
  });
  router.use(access.admit);
  // Built files carry a hash of their content in their name, so a browser may keep them for good.
  router.use(
    "/assets",
    express.static(join(folder, "assets"), { immutable: true, maxAge: "1y", index: false, fallthrough: false }),
  );
  for (const extension of ["js", "ts"])
    router.get(`/client.${extension}`, (_req, res) => {
      res.type(extension === "js" ? "text/javascript" : "text/plain; charset=utf-8");
      res.sendFile(`hearth-client.${extension}`, { root: clientFolder }); // the root may lie below a dot folder, as npx has it
    });
  router.use(express.static(folder, { index: false, redirect: false, cacheControl: false }));
  router.get("/{*page}", async (_req, res) => {
    const file = join(folder, "index.html");
    if ((await stat(file).catch(() => undefined)) === undefined)
      throw new HttpError(500, "console_not_built", "The console has not been built: run `npm run build`.");
    res.setHeader("Content-Type", "text/html; charset=utf-8");
    res.setHeader("Cache-Control", "no-cache");
    await sendStream(res, () => createReadStream(file));
  });
  return router;
}
