/** Failures of a route before its first byte, in the format of the route's family. */
import type { ServerResponse } from "node:http";
import type { Log } from "../../process/log.ts";
import { isCutOff, logFailure, refusalOf, setErrorHeaders } from "./error-handler.ts";
import type { Handler } from "./mount-routes.ts";
import { adviseRetry } from "./retry-advice.ts";

/** Answers a failure. */
export type WriteFailure = (res: ServerResponse, status: number, message: string, error: unknown) => void;

/** Wraps a handler: its errors are answered in the family's format. A client that has left gets no answer. */
export function withFamilyErrors(log: Log, handle: Handler, write: WriteFailure): Handler {
  return async (req, res, signal, params) => {
    try {
      await handle(req, res, signal, params);
    } catch (error) {
      if (res.headersSent || isCutOff(res, error)) throw error;
      logFailure(log, error);
      const { status, text } = refusalOf(error);
      setErrorHeaders(res, error);
      adviseRetry(res, error);
      write(res, status, text, error);
    }
  };
}
