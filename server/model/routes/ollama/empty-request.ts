/** A request that says nothing: it loads the model, or sends it away. */
import type { Response } from "express";
import type { Log } from "../../../process/log.ts";
import type { Completions } from "../../chat-completion.ts";
import { OllamaError } from "../../ollama-error.ts";
import { parseKeepAlive } from "../../options/go-duration.ts";
import type { RawOptions } from "../../options/model-options.ts";
import { nothingSaid, type Shape } from "./send-completion.ts";

export interface CompletionDeps {
  readonly completions: Completions;
  readonly log: Log;
}

export interface EmptyRequest {
  readonly completions: Completions;
  readonly what: "chat" | "generate";
  readonly request: { readonly model: string; readonly options: RawOptions };
  readonly keepAlive: unknown;
  readonly shape: Shape;
  readonly signal: AbortSignal;
}

/** @throws OllamaError for a model that is not there, or that does not generate text */
export async function checkGenerates(completions: Completions, sent: string, what: "chat" | "generate"): Promise<void> {
  if (!(await completions.capabilities(sent)).includes("completion"))
    throw new OllamaError(400, `${JSON.stringify(sent)} does not support ${what}`);
}

/** Answers one object, never a stream. Any model can be sent away, whatever it does. */
export async function answerEmpty(res: Response, empty: EmptyRequest): Promise<void> {
  const { completions, request, shape, signal } = empty;
  const keepAliveMs = parseKeepAlive(empty.keepAlive);
  if (keepAliveMs === 0) await completions.unload(request.model);
  else {
    await checkGenerates(completions, request.model, empty.what);
    await completions.load({ ...request, keepAliveMs }, signal);
  }
  res.json(shape(nothingSaid, { figures: { done_reason: keepAliveMs === 0 ? "unload" : "load" } }));
}
