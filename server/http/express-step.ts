import express, { type Request, type RequestHandler, type Response } from "express";
import type { Middleware } from "./middleware.ts";

/** A step by Express, for static files and the pages of descriptions: what `router` leaves, or throws, is the pipeline's. */
export function expressStep(router: RequestHandler): Middleware {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag"); // ETags come from a resource's version, never from a body that holds a countdown
  app.set("query parser", false); // parse-form.ts is stricter
  app.use(router);
  return (req, res, next) =>
    new Promise((resolve, reject) => {
      app(req as Request, res as Response, (error?: unknown) => {
        if (error instanceof Error) reject(error);
        else resolve(next());
      });
    });
}
