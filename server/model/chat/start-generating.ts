/** Starts the generation of a completion: makes the prompt fit the window and waits for the first chunk. */
import type { Prompt } from "./answer/answer-plan.ts";
import type { RunnerGenerate } from "../../contract/model/runner.ts";
import type { Completion } from "./completion.ts";
import { isEngineError } from "../engine/engine-failure.ts";
import { EngineError, type GenerationChunk, type LoadedModel } from "../engine/engine.ts";
import { samplingOf } from "../options/model-options.ts";
import { windowOf } from "../engine/scheduler/load-options.ts";

/** The limits of a request once the model is known: the tokens to keep, and whether the rest may be cut. */
interface Limits {
  readonly keep: number;
  readonly mayCut: boolean;
  readonly shift: boolean;
}

async function limitsOf(completion: Completion, loaded: LoadedModel, signal: AbortSignal): Promise<Limits> {
  const { load, request, source } = completion;
  const { options } = load;
  const { shift } = request;
  const mayCut = request.truncate && shift;
  const head = await source.head(loaded);
  if (head === "" || !shift) return { keep: options.num_keep, mayCut, shift };
  const window = windowOf(load);
  const { length } = await loaded.tokenize(head, signal, window);
  // The engine keeps at most half of the window. A prompt with longer instructions is refused rather than answered
  // without them.
  const fits = length + 1 <= window / 2;
  // A negative number keeps the whole prompt.
  const keep = options.num_keep < 0 ? options.num_keep : Math.max(options.num_keep, length);
  return { keep, mayCut: mayCut && fits, shift: fits };
}

function runnerRequest(
  { request, load }: Completion,
  { text, suffix, grammar, hasMarkup }: Prompt,
  { keep, shift }: Limits,
  overflow: RunnerGenerate["overflow"],
): RunnerGenerate {
  const { options } = load;
  const { logprobs, logprobTokens } = request;
  const { context = [], withContext = false } = "prompt" in request ? request : {};
  return {
    prompt: text,
    ...(suffix !== undefined && { suffix }),
    prefix: [...context],
    window: windowOf(load),
    overflow,
    shift,
    num_keep: keep,
    num_predict: options.num_predict,
    stop: [...options.stop],
    ...((options.draft_num_predict ?? -1) >= 0 && { draft_num_predict: options.draft_num_predict }),
    sampling: samplingOf(options),
    ...(grammar !== undefined && { grammar }),
    ...(logprobs !== undefined && { logprobs }),
    ...(logprobTokens !== undefined && { logprob_tokens: logprobTokens }),
    ...(hasMarkup && { control_text: true }),
    ...(request.progress && { progress: true }),
    with_context: withContext,
  };
}

async function isWithinWindow(text: string, { load }: Completion, loaded: LoadedModel, signal: AbortSignal) {
  const window = windowOf(load);
  // One token of room for a begin token that the count may miss, one for the answer.
  return (await loaded.tokenize(text, signal, window)).length + 2 <= window;
}

/** The least number of units to leave out so that the prompt fits; all if that is not enough. */
async function leastDropped(completion: Completion, loaded: LoadedModel, signal: AbortSignal): Promise<number> {
  const { source } = completion;
  let [low, high] = [1, source.droppable];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isWithinWindow((await source.prompt(loaded, middle)).text, completion, loaded, signal)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The prompt as the model would get it: without old messages if it is too long, as far as the request allows. */
export async function renderPrompt(completion: Completion, loaded: LoadedModel, signal: AbortSignal): Promise<string> {
  const { source } = completion;
  const { text } = await source.prompt(loaded, 0);
  if (source.droppable === 0 || (await isWithinWindow(text, completion, loaded, signal))) return text;
  return (await source.prompt(loaded, await leastDropped(completion, loaded, signal))).text;
}

/** Its beginning is Ollama's, which clients look for. The rest says what helps here. */
const tooLong = (window: number) =>
  `the prompt is longer than the context length currently available to the model, ${String(window)} tokens; shorten the prompt, use a model with a longer context length, or raise it by the variable OLLAMA_CONTEXT_LENGTH, the option num_ctx or "PARAMETER num_ctx" in a Modelfile`;

/** A started generation with its first chunk. */
export interface Started {
  readonly prompt: Prompt;
  readonly dropped: number;
  readonly cutsPrompt: boolean;
  readonly chunks: AsyncIterator<GenerationChunk>;
  readonly first: IteratorResult<GenerationChunk>;
}

/**
 * Starts generating: first with the whole prompt, then without old messages, then cut, as far as the request allows.
 */
export async function startGenerating(
  completion: Completion,
  loaded: LoadedModel,
  signal: AbortSignal,
): Promise<Started> {
  const { load, source } = completion;
  const limits = await limitsOf(completion, loaded, signal);
  const begin = async (dropped: number, overflow: RunnerGenerate["overflow"]): Promise<Started> => {
    const prompt = await source.prompt(loaded, dropped);
    const request = runnerRequest(completion, prompt, limits, overflow);
    const chunks = loaded.generate(request, signal)[Symbol.asyncIterator]();
    return { prompt, dropped, cutsPrompt: overflow === "cut", chunks, first: await chunks.next() };
  };
  /** The result, or undefined when the prompt is too long. */
  const tryFitting = (dropped: number) =>
    begin(dropped, "refuse").catch((error: unknown) => {
      if (!isEngineError(error, "prompt_too_long")) throw error;
      return undefined;
    });
  const whole = await tryFitting(0);
  if (whole !== undefined) return whole;
  const dropped = source.droppable === 0 ? 0 : await leastDropped(completion, loaded, signal);
  const shortened = dropped === 0 ? undefined : await tryFitting(dropped);
  if (shortened !== undefined) return shortened;
  if (limits.mayCut) return begin(dropped, "cut");
  throw new EngineError("prompt_too_long", tooLong(windowOf(load)));
}
