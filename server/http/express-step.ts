import express, { type Request, type RequestHandler, type Response } from "express";
import type { Middleware } from "./middleware.ts";

/**
 * A pipeline step with an Express router, for static files and API description pages. Requests and errors that the
 * router passes on return to the pipeline.
 */
export function expressStep(router: RequestHandler): Middleware {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag"); // ETags come from a resource's version; a body contains a countdown
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
