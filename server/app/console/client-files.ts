import { Router } from "express";
import { expressStep } from "../../http/express-step.ts";
import type { Middleware } from "../../http/middleware.ts";

/** Serves the reference client from `folder`. */
export function clientFiles(folder: string): Middleware {
  const router = Router();
  for (const extension of ["js", "ts"])
    router.get(`/console/client.${extension}`, (_req, res) => {
      res.type(extension === "js" ? "text/javascript" : "text/plain; charset=utf-8");
      res.sendFile(`hearth-client.${extension}`, { root: folder }); // the root may lie below a dot folder, as with npx
    });
  return expressStep(router);
}
