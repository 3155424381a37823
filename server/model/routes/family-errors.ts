/** Failures of a route before its first byte, in the shape of the route's family. */
import type { Response } from "express";
import { HttpError } from "../../http/http-error.ts";
import type { Log } from "../../process/log.ts";
import { logFailure, refusalOf } from "./error-handler.ts";
import type { Handler } from "./mount-routes.ts";
import { adviseRetry } from "./retry-advice.ts";

/** Writes the body of a failure, whose status is already set. */
export type WriteFailure = (res: Response, status: number, message: string) => void;

/** The handler, with what it throws written as the family has it. A client that has gone is told nothing. */
export function withFamilyErrors(log: Log, handle: Handler, write: WriteFailure): Handler {
  return async (req, res, signal) => {
    try {
      await handle(req, res, signal);
    } catch (error) {
      if (res.destroyed || res.headersSent) throw error;
      logFailure(log, error);
      const { status, text } = refusalOf(error);
      if (error instanceof HttpError) res.set(error.headers);
      adviseRetry(res, error);
      res.status(status);
      write(res, status, text);
    }
  };
}
