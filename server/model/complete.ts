/** One completion from request to last figure: makes the prompt fit, generates, reads the answer. Knows nothing of HTTP. */
import { randomBytes } from "node:crypto";
import type { TokenLogprob } from "../contract/runner.ts";
import type { AnswerPart } from "./answer/answer-part.ts";
import type { Prompt } from "./answer/answer-plan.ts";
import type { AnswerChunk, DoneChunk } from "./chat-completion.ts";
import type { GenerationChunk, GenerationRequest, LoadedModel } from "./engine.ts";
import { EngineError } from "./engine.ts";
import { isCode } from "./engine-failure.ts";
import { samplingOf } from "./options/model-options.ts";
import { windowOf, type LoadWish } from "./scheduler/load-wish.ts";
import type { Scheduler } from "./scheduler/port.ts";
import { streamWithModel } from "./with-model.ts";

export interface CompletionWish extends LoadWish {
  /** The prompt without the first `dropped` units of its history; called with 0 first. May throw an OllamaError. */
  readonly prompt: (loaded: LoadedModel, dropped: number) => Prompt;
  /** How many units may be left out to make the prompt fit, and how many messages that many of them hold. */
  readonly droppable: number;
  readonly messagesIn: (units: number) => number;
  /** The beginning of the prompt that neither cutting nor shifting may remove; "" for none in particular. */
  readonly head: (loaded: LoadedModel) => string;
  readonly prefix: readonly number[];
  /** Whether a prompt that is still too long may lose its middle. */
  readonly mayCut: boolean;
  readonly shift: boolean;
  readonly withContext: boolean;
  readonly logprobs: number | undefined;
  readonly progress: boolean;
  /** Whether thoughts that come nevertheless are kept from the client. */
  readonly hidesThoughts: boolean;
}

/** The last moment of `began` in nanoseconds, at least 1: some clients take a zero for a missing figure. */
export const since = (beganMs: number) => Math.max(1, Math.round((performance.now() - beganMs) * 1e6));

/** What the request allows once the model is known: the tokens to keep, and whether the rest may go. */
interface Limits {
  readonly keep: number;
  readonly mayCut: boolean;
  readonly shift: boolean;
}

async function limitsOf(wish: CompletionWish, loaded: LoadedModel, signal: AbortSignal): Promise<Limits> {
  const { mayCut, shift, options } = wish;
  const head = wish.head(loaded);
  if (head === "" || !(mayCut || shift)) return { keep: options.num_keep, mayCut, shift };
  const { length } = await loaded.tokenize(head, signal);
  // What the engine keeps is half of the window at most: rather no answer than one without its instructions.
  const fits = length + 1 <= windowOf(wish) / 2;
  return { keep: Math.max(options.num_keep, length), mayCut: mayCut && fits, shift: shift && fits };
}

function requestFor(
  wish: CompletionWish,
  { text, suffix, grammar, hasMarkup }: Prompt,
  { keep, shift }: Limits,
  overflow: GenerationRequest["overflow"],
): GenerationRequest {
  const { options } = wish;
  return {
    prompt: text,
    ...(suffix !== undefined && { suffix }),
    prefix: [...wish.prefix],
    window: windowOf(wish),
    overflow,
    shift,
    num_keep: keep,
    num_predict: options.num_predict,
    stop: [...options.stop],
    sampling: samplingOf(options),
    ...(grammar !== undefined && { grammar }),
    ...(wish.logprobs !== undefined && { logprobs: wish.logprobs }),
    ...(hasMarkup && { control_text: true }),
    ...(wish.progress && { progress: true }),
    with_context: wish.withContext,
  };
}

/** The least number of units to leave out so that the prompt fits; all of them if even that is not enough. */
async function leastDropped(wish: CompletionWish, loaded: LoadedModel, signal: AbortSignal): Promise<number> {
  let [low, high] = [1, wish.droppable];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const tokens = await loaded.tokenize(wish.prompt(loaded, middle).text, signal);
    // One place for the begin token that the count may lack, one for the answer.
    if (tokens.length + 2 <= windowOf(wish)) high = middle;
    else low = middle + 1;
  }
  return low;
}

interface Started {
  readonly prompt: Prompt;
  readonly dropped: number;
  readonly cutsPrompt: boolean;
  readonly chunks: AsyncIterator<GenerationChunk>;
  readonly first: IteratorResult<GenerationChunk>;
}

/** Starts generating: first the whole prompt, then without old messages, then cut, as far as the request allows. */
async function startGenerating(wish: CompletionWish, loaded: LoadedModel, signal: AbortSignal): Promise<Started> {
  const limits = await limitsOf(wish, loaded, signal);
  const begin = async (dropped: number, overflow: GenerationRequest["overflow"]): Promise<Started> => {
    const prompt = wish.prompt(loaded, dropped);
    const chunks = loaded.generate(requestFor(wish, prompt, limits, overflow), signal)[Symbol.asyncIterator]();
    return { prompt, dropped, cutsPrompt: overflow === "cut", chunks, first: await chunks.next() };
  };
  /** The result, or undefined when the prompt is too long. */
  const tryFitting = (dropped: number) =>
    begin(dropped, "refuse").catch((error: unknown) => {
      if (!isCode(error, "prompt_too_long")) throw error;
      return undefined;
    });
  const whole = await tryFitting(0);
  if (whole !== undefined) return whole;
  const dropped = wish.droppable === 0 ? 0 : await leastDropped(wish, loaded, signal);
  const shortened = dropped === 0 ? undefined : await tryFitting(dropped);
  if (shortened !== undefined) return shortened;
  if (limits.mayCut) return begin(dropped, "cut");
  throw new EngineError("prompt_too_long", "the prompt is longer than the window");
}

/** Gives calls their ids and numbers, and hides what the client does not want to see. */
function createChunkMaker(hidesThoughts: boolean) {
  let calls = 0;
  let logprobs: TokenLogprob[] = [];
  const take = () => {
    const taken = logprobs;
    logprobs = [];
    return taken.length > 0 ? { logprobs: taken } : {};
  };
  const newId = () => `call_${[...randomBytes(8)].map((byte) => (byte % 36).toString(36)).join("")}`;
  return {
    note: (some: readonly TokenLogprob[] = []) => void logprobs.push(...some),
    chunksOf: (parts: readonly AnswerPart[]): AnswerChunk[] =>
      parts.flatMap((part): AnswerChunk[] => {
        if (part.type === "thinking" && hidesThoughts) return [];
        if (part.type !== "tool_call") return [{ ...part, ...take() }];
        const { id = newId(), name, arguments: given } = part.call;
        return [{ type: "tool_call", call: { id, index: calls++, name, arguments: given }, ...take() }];
      }),
    /** Log probabilities of tokens whose text came to nothing. */
    rest: (): AnswerChunk[] => (logprobs.length > 0 ? [{ type: "content", text: "", ...take() }] : []),
  };
}

type EngineDone = Extract<GenerationChunk, { type: "done" }>;

function doneChunk(
  done: EngineDone,
  {
    dropped,
    wish,
    beganMs,
    loadDuration,
  }: { dropped: number; wish: CompletionWish; beganMs: number; loadDuration: number },
): DoneChunk {
  return {
    type: "done",
    figures: {
      done_reason: done.reason,
      total_duration: since(beganMs),
      load_duration: loadDuration,
      prompt_eval_count: done.prompt_tokens,
      prompt_eval_duration: done.prompt_ns,
      eval_count: done.eval_tokens,
      eval_duration: done.eval_ns,
    },
    context: done.context,
    cutTokens: done.cut_tokens,
    droppedMessages: wish.messagesIn(dropped),
  };
}

async function* generateWith(
  wish: CompletionWish,
  loaded: LoadedModel,
  { beganMs, signal }: { beganMs: number; signal: AbortSignal },
): AsyncGenerator<AnswerChunk, void> {
  const loadDuration = since(beganMs);
  const { prompt, dropped, cutsPrompt, chunks, first } = await startGenerating(wish, loaded, signal);
  const parser = prompt.createParser();
  const maker = createChunkMaker(wish.hidesThoughts);
  try {
    if (dropped > 0 || cutsPrompt) yield { type: "cut", droppedMessages: wish.messagesIn(dropped), cutsPrompt };
    for (let next: IteratorResult<GenerationChunk> = first; next.done !== true; next = await chunks.next()) {
      const chunk = next.value;
      if (chunk.type === "progress") yield { type: "progress", completed: chunk.evaluated, total: chunk.total };
      else if (chunk.type === "text") {
        maker.note(chunk.logprobs);
        yield* maker.chunksOf(parser.push(chunk.text));
      } else {
        yield* maker.chunksOf(parser.end());
        yield* maker.rest();
        yield doneChunk(chunk, { dropped, wish, beganMs, loadDuration });
      }
    }
  } finally {
    await chunks.return?.();
  }
}

/**
 * Runs a completion. What is said first, `done` last.
 * @throws OllamaError; the signal's reason when aborted.
 */
export function complete(
  scheduler: Scheduler,
  wish: CompletionWish,
  signal: AbortSignal,
): AsyncGenerator<AnswerChunk, void> {
  const beganMs = performance.now();
  return streamWithModel(scheduler, wish, signal, (loaded) => generateWith(wish, loaded, { beganMs, signal }));
}
