/** Vectors of texts. */
import type { Embedded, EmbedRequest } from "../chat-completion.ts";
import { since } from "./complete.ts";
import type { LoadedModel } from "../engine/engine.ts";
import { isEngineError } from "../engine/engine-failure.ts";
import { OllamaError } from "../ollama-error.ts";
import { shortened } from "../engine/vector.ts";

/** @throws OllamaError 400 with the contract's text for a text that is too long or an invalid vector */
export async function embedWith(
  loaded: LoadedModel,
  { input, truncate, dimensions, normalise }: EmbedRequest,
  { beganMs, window, signal }: { beganMs: number; window: number; signal: AbortSignal },
): Promise<Embedded> {
  const loadDuration = since(beganMs);
  if (input.length === 0)
    return { embeddings: [], total_duration: since(beganMs), load_duration: loadDuration, prompt_eval_count: 0 };
  const request = { texts: [...input], window, overflow: truncate ? ("cut" as const) : ("refuse" as const) };
  const { embeddings, tokens } = await loaded.embed(request, signal).catch((error: unknown) => {
    if (isEngineError(error, "prompt_too_long"))
      throw new OllamaError(400, "the input length exceeds the context length", error);
    throw error;
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
