import type { ServerResponse } from "node:http";
import { isDiskFull } from "../../contract/process/disk-full.ts";
import { sendJson } from "../../http/conventions/send-json.ts";
import { HttpError } from "../../http/http-error.ts";
import type { Refuse } from "../../http/middleware.ts";
import type { Log } from "../../process/log.ts";
import { OllamaError } from "../ollama-error.ts";
import { ScriptedCut } from "../scripted/scripted-fault.ts";

const diskFull = "the disk of the models is full: free space on it, then try again";

/** Status and text of a failure. */
export function refusalOf(error: unknown): { status: number; text: string } {
  if (isDiskFull(error)) return { status: 500, text: diskFull };
  if (error instanceof OllamaError || error instanceof HttpError) return { status: error.status, text: error.message };
  return { status: 500, text: error instanceof Error ? error.message : String(error) };
}

/** Logs errors of ours or the engine's, but not the client's. */
export function logFailure(log: Log, error: unknown): void {
  if (refusalOf(error).status < 500) return;
  if (error instanceof HttpError || isDiskFull(error)) {
    log.warn(refusalOf(error).text); // an expected failure, so its stack is of no use
    return;
  }
  log.error({ err: error instanceof Error ? (error.cause ?? error) : error }, refusalOf(error).text);
}

/** Headers of a refusal, for example when to retry. */
export function setErrorHeaders(res: ServerResponse, error: unknown): void {
  if (!(error instanceof HttpError)) return;
  for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
}

/** Whether the connection ends here: the client has left, or a rule of the model cuts it. */
export const isCutOff = (res: ServerResponse, error: unknown) => res.destroyed || error instanceof ScriptedCut;

/** The one place that answers a failure before the first byte: `{"error": "…"}`. */
export function refuseAsOllama(log: Log): Refuse {
  return (error, req, res) => {
    // The client has left, which is no failure.
    if (res.destroyed) return;
    logFailure(log, error);
    if (res.headersSent || isCutOff(res, error)) {
      req.socket.destroy(); // the client must notice the truncated answer
      return;
    }
    const { status, text } = refusalOf(error);
    setErrorHeaders(res, error);
    sendJson(res, status, { error: text });
  };
}
