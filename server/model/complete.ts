/** One completion from request to last figure: gets the model, makes the prompt fit, generates. Knows nothing of HTTP. */
import type { GenerationChunk, GenerationRequest, LoadedModel } from "./engine.ts";
import { EngineError } from "./engine.ts";
import { samplingOf } from "./options/model-options.ts";
import { OllamaError } from "./ollama-error.ts";
import { windowOf, type LoadWish } from "./scheduler/load-wish.ts";
import type { Lease, Scheduler } from "./scheduler/scheduler.ts";

export interface CompletionWish extends LoadWish {
  /**
   * The prompt without its `dropped` oldest messages; called with 0 first. May throw an OllamaError.
   */
  readonly prompt: (loaded: LoadedModel, dropped: number) => string;
  /** How many messages may be left out to make the prompt fit. */
  readonly droppable: number;
  readonly prefix: readonly number[];
  /** Whether a prompt that is still too long may lose its middle. */
  readonly mayCut: boolean;
  readonly shift: boolean;
  readonly withContext: boolean;
}

/** Figures of the last chunk, in Ollama's names and units. */
export interface CompletionFigures {
  readonly done_reason: "stop" | "length";
  readonly total_duration: number;
  readonly load_duration: number;
  readonly prompt_eval_count: number;
  readonly prompt_eval_duration: number;
  readonly eval_count: number;
  readonly eval_duration: number;
}
export type CompletionChunk =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "done";
      readonly figures: CompletionFigures;
      readonly context: readonly number[] | undefined;
      /** What was left out to make the prompt fit. */
      readonly cutTokens: number;
      readonly droppedMessages: number;
    };

const died =
  "model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details";
const tooLong =
  "the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length";

/** The engine's failure in the contract's words. */
export function ollamaErrorOf(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  switch (error.code) {
    case "lost":
    case "not_loaded":
      return new OllamaError(500, died, error);
    case "unavailable":
      return new OllamaError(503, error.message, error);
    case "prompt_too_long":
      return new OllamaError(400, tooLong, error);
    case "load_failed":
    case "out_of_memory":
      return new OllamaError(500, error.message, error);
    case "not_supported":
      return new OllamaError(400, error.message, error);
    case "failed":
      return new OllamaError(500, `an error was encountered while running the model: ${error.message}`, error);
  }
}

/** The last moment of `began` in nanoseconds, at least 1: some clients take a zero for a missing figure. */
const since = (beganMs: number) => Math.max(1, Math.round((performance.now() - beganMs) * 1e6));

const isCode = (error: unknown, code: EngineError["code"]) => error instanceof EngineError && error.code === code;

function requestFor(wish: CompletionWish, prompt: string, overflow: GenerationRequest["overflow"]): GenerationRequest {
  const { options } = wish;
  return {
    prompt,
    prefix: [...wish.prefix],
    window: windowOf(wish),
    overflow,
    shift: wish.shift,
    num_keep: options.num_keep,
    num_predict: options.num_predict,
    stop: [...options.stop],
    sampling: samplingOf(options),
    with_context: wish.withContext,
  };
}

/** The least number of messages to leave out so that the prompt fits; all of them if even that is not enough. */
async function leastDropped(wish: CompletionWish, loaded: LoadedModel, signal: AbortSignal): Promise<number> {
  let [low, high] = [1, wish.droppable];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const tokens = await loaded.tokenize(wish.prompt(loaded, middle), signal);
    // One place for the begin token that the count may lack, one for the answer.
    if (tokens.length + 2 <= windowOf(wish)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Starts generating: first the whole prompt, then without old messages, then cut, as far as the request allows. */
async function startGenerating(wish: CompletionWish, loaded: LoadedModel, signal: AbortSignal) {
  const lastResort = wish.mayCut ? "cut" : "refuse";
  const begin = async (prompt: string, overflow: GenerationRequest["overflow"]) => {
    const chunks = loaded.generate(requestFor(wish, prompt, overflow), signal)[Symbol.asyncIterator]();
    return { chunks, first: await chunks.next() };
  };
  try {
    return { dropped: 0, ...(await begin(wish.prompt(loaded, 0), wish.droppable > 0 ? "refuse" : lastResort)) };
  } catch (error) {
    if (!isCode(error, "prompt_too_long") || wish.droppable === 0) throw error;
    const dropped = await leastDropped(wish, loaded, signal);
    return { dropped, ...(await begin(wish.prompt(loaded, dropped), lastResort)) };
  }
}

async function* generateWith(
  wish: CompletionWish,
  lease: Lease,
  { beganMs, signal }: { beganMs: number; signal: AbortSignal },
): AsyncGenerator<CompletionChunk, void> {
  const loadDuration = since(beganMs);
  const { dropped, chunks, first } = await startGenerating(wish, lease.loaded, signal);
  try {
    for (let next: IteratorResult<GenerationChunk> = first; next.done !== true; next = await chunks.next()) {
      const chunk = next.value;
      if (chunk.type === "text") yield { type: "text", text: chunk.text };
      else if (chunk.type === "done")
        yield {
          type: "done",
          figures: {
            done_reason: chunk.reason,
            total_duration: since(beganMs),
            load_duration: loadDuration,
            prompt_eval_count: chunk.prompt_tokens,
            prompt_eval_duration: chunk.prompt_ns,
            eval_count: chunk.eval_tokens,
            eval_duration: chunk.eval_ns,
          },
          context: chunk.context,
          cutTokens: chunk.cut_tokens,
          droppedMessages: dropped,
        };
    }
  } finally {
    await chunks.return?.();
  }
}

/**
 * Runs a completion. Text first, `done` last.
 * @throws OllamaError; the signal's reason when aborted.
 */
export async function* complete(
  scheduler: Scheduler,
  wish: CompletionWish,
  signal: AbortSignal,
): AsyncGenerator<CompletionChunk, void> {
  const beganMs = performance.now();
  let begun = false;
  for (let attempt = 1; ; attempt++) {
    let lease: Lease | undefined;
    try {
      lease = await scheduler.acquire(wish, signal);
      for await (const chunk of generateWith(wish, lease, { beganMs, signal })) {
        begun = true;
        yield chunk;
      }
      return;
    } catch (error) {
      if (isCode(error, "not_loaded") || isCode(error, "lost")) lease?.discard();
      // The model went away between grant and start, as when the runner was just restarted: it is loaded again, once.
      const again = !begun && attempt === 1 && isCode(error, "not_loaded");
      if (!again) throw ollamaErrorOf(error);
    } finally {
      lease?.release();
    }
  }
}

/** Loads the model and keeps it as long as asked. @throws as complete() */
export async function preload(scheduler: Scheduler, wish: LoadWish, signal: AbortSignal): Promise<void> {
  try {
    (await scheduler.acquire(wish, signal)).release();
  } catch (error) {
    throw ollamaErrorOf(error);
  }
}
