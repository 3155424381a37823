import type { ServerResponse } from "node:http";
import { isDiskFull } from "../../contract/process/disk-full.ts";
import { sendJson } from "../../http/conventions/send-json.ts";
import { HttpError } from "../../http/http-error.ts";
import type { Refuse } from "../../http/middleware.ts";
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

/** What a refusal says beside its text, as when to try again. */
export function setErrorHeaders(res: ServerResponse, error: unknown): void {
  if (!(error instanceof HttpError)) return;
  for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
}

/** The one place that turns a failure before the first byte into bytes: `{"error": "…"}`. */
export function refuseAsOllama(log: Log): Refuse {
  return (error, req, res) => {
    // The client has gone: nobody to tell, and nothing went wrong.
    if (res.destroyed) return;
    logFailure(log, error);
    if (res.headersSent) {
      req.socket.destroy(); // the client must see that the answer is cut short
      return;
    }
    const { status, text } = refusalOf(error);
    setErrorHeaders(res, error);
    sendJson(res, status, { error: text });
  };
}
