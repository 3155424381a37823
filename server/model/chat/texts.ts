/** Work on texts that generates nothing: vectors, rankings and tokens. */
import type { RunnerEmbed } from "../../contract/model/runner.ts";
import type { Completions, Embedded, EmbedRequest, ModelRequest } from "../chat-completion.ts";
import type { LoadedModel } from "../engine/engine.ts";
import { isEngineError, ollamaErrorOf } from "../engine/engine-failure.ts";
import { windowOf, type LoadOptions } from "../engine/scheduler/load-options.ts";
import type { Scheduler } from "../engine/scheduler/scheduler.ts";
import { shortened } from "../engine/vector.ts";
import type { InstalledModel } from "../models/library/installed-model.ts";
import { shortName } from "../models/library/model-name.ts";
import { OllamaError } from "../ollama-error.ts";
import { usageOfReading, type NoteUsage } from "../reporting/usage.ts";
import { since } from "./answer-reader.ts";
import { lacks } from "./chat.ts";
import { withModel } from "./with-model.ts";

export interface TextDeps {
  readonly scheduler: Scheduler;
  readonly noteUsage: NoteUsage;
  /** The load that a request needs. */
  readonly loadFor: (model: InstalledModel, request: ModelRequest) => LoadOptions;
}

/** The load of work that generates nothing: it waits for no generation. */
export const withoutPlace = (load: LoadOptions): LoadOptions => ({ ...load, needsPlace: false });

/** The contract's errors for what the engine reports only after a try. */
function embedError(error: unknown, model: InstalledModel, isInternal: boolean): unknown {
  if (isEngineError(error, "prompt_too_long"))
    return new OllamaError(400, "the input length exceeds the context length", error);
  if (isEngineError(error, "not_supported")) return lacks(model, "embedding");
  // As an error of the engine's, it would have idle models unloaded.
  return isInternal ? ollamaErrorOf(error) : error;
}

interface EmbedRun {
  readonly load: LoadOptions;
  readonly beganMs: number;
  readonly signal: AbortSignal;
}

/** @throws OllamaError 400 with the contract's text for a text that is too long or an invalid vector */
async function embedWith(
  loaded: LoadedModel,
  { input, truncate, dimensions, normalise, isInternal = false }: EmbedRequest,
  { load, beganMs, signal }: EmbedRun,
): Promise<Embedded> {
  const loadDuration = since(beganMs);
  if (input.length === 0)
    return { embeddings: [], total_duration: since(beganMs), load_duration: loadDuration, prompt_eval_count: 0 };
  const overflow: RunnerEmbed["overflow"] = truncate ? "cut" : "refuse";
  const request = { texts: [...input], window: windowOf(load), overflow };
  const { embeddings, tokens } = await loaded.embed(request, signal).catch((error: unknown) => {
    throw embedError(error, load.model, isInternal);
  });
  if (embeddings.some((vector) => !vector.every(Number.isFinite)))
    throw new OllamaError(400, "embedding contains NaN or Inf values");
  return {
    embeddings: normalise ? embeddings.map((vector) => shortened(vector, dimensions)) : embeddings,
    total_duration: since(beganMs),
    load_duration: loadDuration,
    prompt_eval_count: tokens.reduce((sum, count) => sum + count, 0),
  };
}

export function createTexts({
  scheduler,
  noteUsage,
  loadFor,
}: TextDeps): Pick<Completions, "embed" | "rank" | "tokenize" | "detokenize"> {
  return {
    async embed(model, request, signal) {
      const run = { load: loadFor(model, request), beganMs: performance.now(), signal };
      const embedded = await withModel(scheduler, run.load, signal, (loaded) => embedWith(loaded, request, run));
      if (!request.isInternal) noteUsage(usageOfReading(shortName(model.name), embedded.prompt_eval_count));
      return embedded;
    },
    rank: (model, request, signal) =>
      withModel(scheduler, loadFor(model, request), signal, async (loaded) => {
        if (!loaded.canRank) throw new OllamaError(400, `${JSON.stringify(request.model)} does not support rerank`);
        const { query, documents } = request;
        return loaded.rank({ query, documents: [...documents] }, signal);
      }),
    tokenize: (model, request, signal) =>
      withModel(scheduler, withoutPlace(loadFor(model, request)), signal, (loaded) =>
        loaded.tokenize(request.text, signal),
      ),
    detokenize: (model, request, signal) =>
      withModel(scheduler, withoutPlace(loadFor(model, request)), signal, (loaded) =>
        loaded.detokenize(request.tokens, signal),
      ),
  };
}
