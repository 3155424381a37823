import type { NextFunction, Request, Response } from "express";
import { HttpError } from "../../http/http-error.ts";
import type { Log } from "../../process/log.ts";
import { OllamaError } from "../ollama-error.ts";

/** Status and text of a failure; undefined where the contract has an empty body. */
export function refusalOf(error: unknown): { status: number; text: string | undefined } {
  if (error instanceof OllamaError) return { status: error.status, text: error.message };
  if (error instanceof HttpError)
    return { status: error.status, text: error.status === 403 ? undefined : error.message };
  return { status: 500, text: error instanceof Error ? error.message : String(error) };
}

/** Logs what is our fault or the engine's; a refusal is the client's affair. */
export function logFailure(log: Log, error: unknown): void {
  if (refusalOf(error).status < 500) return;
  log.error({ err: error instanceof Error ? (error.cause ?? error) : error }, refusalOf(error).text);
}

/** The one place that turns a failure before the first byte into bytes: `{"error": "…"}`. */
export function errorHandler(log: Log) {
  return (error: unknown, _req: Request, res: Response, next: NextFunction): void => {
    // The client has gone: nobody to tell, and nothing went wrong.
    if (res.destroyed) return;
    logFailure(log, error);
    if (res.headersSent) {
      next(error);
      return;
    }
    const { status, text } = refusalOf(error);
    res.status(status);
    if (text === undefined) res.end();
    else res.json({ error: text });
  };
}
