/** Runs one completion: fits the prompt into the window, generates, and reads the answer. It knows nothing of HTTP. */
import { randomBytes } from "node:crypto";
import type { TokenLogprob } from "../../contract/model/runner.ts";
import type { AnswerPart } from "./answer/answer-part.ts";
import type { AnswerChunk, DoneChunk } from "../chat-completion.ts";
import { holdUntilSure, type Unsure } from "../starter/gate.ts";
import type { CompletionOptions } from "./completion-options.ts";
import type { GenerationChunk, LoadedModel } from "../engine/engine.ts";
import { shortName } from "../models/library/model-name.ts";
import type { AnswerSpeeds } from "../reporting/answer-speeds.ts";
import type { NoteUsage } from "../reporting/usage.ts";
import type { LoadOptions } from "../engine/scheduler/load-options.ts";
import type { Scheduler } from "../engine/scheduler/port.ts";
import { refuse, type EngineDone } from "./refuse.ts";
import { startGenerating, type Started } from "./start-generating.ts";
import { beginWithModel, failedOn, reportLoading, type BegunWork } from "./with-model.ts";

/** Nanoseconds since `began`, at least 1, because some clients treat a zero as a missing figure. */
export const since = (beganMs: number) => Math.max(1, Math.round((performance.now() - beganMs) * 1e6));

/** Gives calls their ids and numbers, and hides what the client does not want. */
function createChunkMaker(hidesThoughts: boolean) {
  let calls = 0;
  let thoughts = "";
  let logprobs: TokenLogprob[] = [];
  const take = () => {
    const taken = logprobs;
    logprobs = [];
    return taken.length > 0 ? { logprobs: taken } : {};
  };
  const newId = () => `call_${[...randomBytes(8)].map((byte) => (byte % 36).toString(36)).join("")}`;
  const numbered = <Call extends { readonly id?: string | undefined }>(call: Call) => ({
    ...call,
    id: call.id ?? newId(),
    index: calls++,
  });
  return {
    note: (some: readonly TokenLogprob[] = []) => void logprobs.push(...some),
    chunksOf: (parts: readonly AnswerPart[]): AnswerChunk[] =>
      parts.flatMap((part): AnswerChunk[] => {
        if (part.type === "thinking") thoughts += part.text;
        if (part.type === "thinking" && hidesThoughts) return [];
        if (part.type === "content" || part.type === "thinking") return [{ ...part, ...take() }];
        if (part.type === "tool_call") return [{ type: part.type, call: numbered(part.call), ...take() }];
        return [{ type: part.type, call: numbered(part.call), ...take() }];
      }),
    /** All thoughts so far, hidden or not. */
    thoughts: () => thoughts,
    /** Log probabilities of tokens that have produced no text yet. */
    rest: (): AnswerChunk[] => (logprobs.length > 0 ? [{ type: "content", text: "", ...take() }] : []),
  };
}

function doneChunk(
  done: EngineDone,
  {
    droppedMessages,
    thoughtTokens,
    beganMs,
    loadDuration,
  }: { droppedMessages: number; thoughtTokens: number; beganMs: number; loadDuration: number },
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
    stopSequence: done.stop,
    context: done.context,
    cachedTokens: done.cached_tokens,
    thoughtTokens,
    cutTokens: done.cut_tokens,
    droppedMessages,
  };
}

type Generation = BegunWork<Started & { readonly loaded: LoadedModel; readonly loadDuration: number }>;

/** Whenever the generation ends, the engine stops and the model is released. */
async function end({ lease, value }: Generation): Promise<void> {
  try {
    await value.chunks.return?.();
  } finally {
    lease.release();
  }
}

export interface CompleteDeps {
  readonly scheduler: Scheduler;
  readonly speeds: AnswerSpeeds;
  readonly noteUsage: NoteUsage;
}

/**
 * Runs a completion, with one `done` at the end.
 * @throws OllamaError; the signal's reason when aborted.
 */
export async function* complete(
  deps: CompleteDeps,
  prepare: () => Promise<CompletionOptions>,
  signal: AbortSignal,
): AsyncGenerator<AnswerChunk, void> {
  const { scheduler, speeds, noteUsage } = deps;
  const beganMs = performance.now();
  const options = await prepare();
  const begin = (loadOptions: LoadOptions): Promise<Generation> =>
    beginWithModel(scheduler, loadOptions, signal, async (loaded) => {
      const loadDuration = since(beganMs);
      return { loaded, loadDuration, ...(await startGenerating(options, loaded, signal)) };
    });
  const loading = (fraction: number): AnswerChunk => ({ type: "loading", fraction });
  const generation = options.progress
    ? yield* reportLoading((onLoading) => begin({ ...options, onLoading }), loading, end)
    : await begin(options);
  const { loaded, loadDuration, prompt, dropped, cutsPrompt, chunks, first } = generation.value;
  const maker = createChunkMaker(options.hidesThoughts);
  const model = shortName(options.model.name);
  let firstTextMs: number | undefined;
  /** Of an answer that is cut off, each as one token; the engine has not counted them. */
  let texts = 0;
  let rephrased: CompletionOptions | undefined;
  let isDone = false;
  try {
    const parser = prompt.createParser();
    const droppedMessages = options.messagesIn(dropped);
    if (dropped > 0 || cutsPrompt) yield { type: "cut", droppedMessages, cutsPrompt };
    const judged = options.gate && holdUntilSure(first, chunks, options.gate);
    let next: IteratorResult<GenerationChunk | Unsure> = judged === undefined ? first : await judged.next();
    for (; next.done !== true; next = await (judged ?? chunks).next()) {
      const chunk = next.value;
      if (chunk.type === "progress") yield { type: "progress", completed: chunk.evaluated, total: chunk.total };
      else if (chunk.type === "text") {
        firstTextMs ??= performance.now() - beganMs;
        texts++;
        if (options.logprobs !== undefined) maker.note(chunk.logprobs);
        for (const made of maker.chunksOf(parser.push(chunk.text))) yield made;
      } else if (chunk.type === "unsure" && options.rephrased) {
        texts = chunk.tokens;
        rephrased = options.rephrased;
        break;
      } else {
        const { refusal, done } =
          chunk.type === "unsure"
            ? await refuse(
                chunk,
                { ...options, prompt: prompt.text, beganMs: beganMs + loadDuration / 1e6 },
                loaded,
                signal,
              )
            : { refusal: undefined, done: chunk };
        // A stop text ends an answer anywhere, as the limit does: in a call, too.
        const parts = refusal ? [] : parser.end(done.stop === undefined ? done.reason : "length");
        const isCut =
          done.stop !== undefined && (prompt.grammar !== undefined || parts.some(({ type }) => type === "cut_call"));
        const end = refusal ?? maker.chunksOf(parts);
        for (const made of end) yield made;
        for (const made of maker.rest()) yield made;
        // The engine cannot tell thoughts from text, so reasoning tokens are counted once the thoughts are complete.
        const thoughts = maker.thoughts() === "" ? [] : await loaded.tokenize(maker.thoughts(), signal);
        if (chunk === done) speeds.note(options.model.digest, done.eval_tokens, done.eval_ns);
        texts = 0;
        noteUsage({
          model,
          promptTokens: done.prompt_tokens,
          cachedTokens: done.cached_tokens,
          generatedTokens: done.eval_tokens,
          firstTextMs,
          generationNs: done.eval_ns,
        });
        const thoughtTokens = Math.min(thoughts.length, done.eval_tokens);
        isDone = true;
        yield doneChunk(isCut ? { ...done, reason: "length" } : done, {
          droppedMessages,
          thoughtTokens,
          beganMs,
          loadDuration,
        });
      }
    }
  } catch (error) {
    // A whole answer stays one, whatever becomes of the engine in the moment after it.
    if (!isDone) throw failedOn(generation.lease, error);
  } finally {
    if (texts > 0) noteUsage({ model, promptTokens: 0, cachedTokens: 0, generatedTokens: texts, firstTextMs });
    await end(generation);
  }
  if (rephrased) yield* complete(deps, () => Promise.resolve(rephrased), signal);
}
