/** A request that says nothing: it loads the model, or sends it away. */
import type { ServerResponse } from "node:http";
import type { Log } from "../../../process/log.ts";
import type { Completions } from "../../chat-completion.ts";
import { OllamaError } from "../../ollama-error.ts";
import { parseKeepAlive } from "../../options/go-duration.ts";
import type { RawOptions } from "../../options/model-options.ts";
import { emptyDelta, type Shape } from "./send-completion.ts";
import { sendProgress } from "./send-progress.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

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
  /** Whether lines tell of the load: our own, and only where it is asked for. */
  readonly reportsLoad: boolean;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** @throws OllamaError for a model that is not there, or that does not generate text */
export async function checkGenerates(completions: Completions, sent: string, what: "chat" | "generate"): Promise<void> {
  if (!(await completions.capabilities(sent)).includes("completion"))
    throw new OllamaError(400, `${JSON.stringify(sent)} does not support ${what}`);
}

/** What a load yields as lines, with the last one behind them. */
async function* loadLines(fractions: AsyncIterable<number>, shape: Shape): AsyncGenerator<object, void> {
  for await (const fraction of fractions) yield shape({ ...emptyDelta, load_progress: fraction });
  yield shape(emptyDelta, { figures: { done_reason: "load" } });
}

/** Answers one object; a stream only of a load that is to be told of. Any model can be sent away, whatever it does. */
export async function answerEmpty(res: ServerResponse, empty: EmptyRequest): Promise<void> {
  const { completions, request, shape, signal } = empty;
  const keepAliveMs = parseKeepAlive(empty.keepAlive);
  if (keepAliveMs === 0) {
    await completions.unload(request.model);
    sendJson(res, 200, shape(emptyDelta, { figures: { done_reason: "unload" } }));
    return;
  }
  await checkGenerates(completions, request.model, empty.what);
  const lines = loadLines(completions.load({ ...request, keepAliveMs }, signal), shape);
  await sendProgress(res, { stream: empty.reportsLoad, lines, log: empty.log });
}
