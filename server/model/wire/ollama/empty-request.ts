/** An empty request loads the model, or unloads it. */
import type { ServerResponse } from "node:http";
import type { Log } from "../../../process/log.ts";
import type { Resolve } from "../../chat-completion.ts";
import { checkThinking } from "../../chat/chat.ts";
import { parseKeepAlive } from "../../options/go-duration.ts";
import type { RawOptions } from "../../options/model-options.ts";
import { checkGenerates, readThink } from "./completion-request.ts";
import { emptyDelta, type Shape } from "./send-completion.ts";
import { sendProgress } from "./send-progress.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

export interface CompletionDeps {
  readonly resolve: Resolve;
  readonly log: Log;
}

export interface EmptyRequest {
  readonly resolve: Resolve;
  readonly what: "chat" | "generate";
  readonly request: { readonly model: string; readonly options: RawOptions };
  readonly keepAlive: unknown;
  /** As sent: a load is refused where an answer would be. */
  readonly think: unknown;
  readonly shape: Shape;
  /** Whether to send progress lines of the load: our own addition, on request only. */
  readonly reportsLoad: boolean;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** The load's progress as lines, with a last one at the end. */
async function* loadLines(fractions: AsyncIterable<number>, shape: Shape): AsyncGenerator<object, void> {
  for await (const fraction of fractions) yield shape({ ...emptyDelta, load_progress: fraction });
  yield shape(emptyDelta, { figures: { done_reason: "load" } });
}

/** Answers with one object; with a stream only for a load with progress. Any kind of model can be unloaded. */
export async function answerEmpty(res: ServerResponse, empty: EmptyRequest): Promise<void> {
  const { request, shape, signal } = empty;
  const keepAliveMs = parseKeepAlive(empty.keepAlive);
  const target = await empty.resolve(request.model);
  const { model, completions } = target;
  if (keepAliveMs === 0) {
    await completions.unload(model);
    sendJson(res, 200, shape(emptyDelta, { figures: { done_reason: "unload" } }));
    return;
  }
  const capabilities = await checkGenerates(target, request.model, empty.what);
  checkThinking({ ...request, think: readThink(empty.think) }, capabilities.includes("thinking"));
  const lines = loadLines(completions.load(model, { ...request, keepAliveMs }, signal), shape);
  await sendProgress(res, { stream: empty.reportsLoad, lines, log: empty.log });
}
