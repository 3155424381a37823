import type { NextFunction, Request, Response } from "express";
import { isDiskFull } from "../../contract/process/disk-full.ts";
import { HttpError } from "../../http/http-error.ts";
import type { Log } from "../../process/log.ts";
import { OllamaError } from "../ollama-error.ts";

const diskFull = "the disk that holds the models is full: make room on it, then try again";

/** Status and text of a failure. */
export function refusalOf(error: unknown): { status: number; text: string } {
  if (isDiskFull(error)) return { status: 500, text: diskFull };
  if (error instanceof OllamaError || error instanceof HttpError) return { status: error.status, text: error.message };
  return { status: 500, text: error instanceof Error ? error.message : String(error) };
}

/** Logs what is our fault or the engine's; a refusal is the client's affair. */
export function logFailure(log: Log, error: unknown): void {
  if (refusalOf(error).status < 500) return;
  if (error instanceof HttpError || isDiskFull(error)) {
    log.warn(refusalOf(error).text); // it is foreseen: where it was thrown says nothing
    return;
  }
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
    if (error instanceof HttpError) res.set(error.headers);
    res.status(status).json({ error: text });
  };
}
