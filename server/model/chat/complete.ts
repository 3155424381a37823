/** Runs one completion: loads the model, reads the answer, and finishes it. It knows nothing of HTTP. */
import type { RunnerDone } from "../../contract/model/runner.ts";
import type { AnswerChunk, DoneChunk } from "../chat-completion.ts";
import type { LoadedModel } from "../engine/engine.ts";
import type { LoadOptions } from "../engine/scheduler/load-options.ts";
import type { Scheduler } from "../engine/scheduler/scheduler.ts";
import { shortName } from "../models/library/model-name.ts";
import type { AnswerSpeeds } from "../reporting/answer-speeds.ts";
import type { NoteUsage } from "../reporting/usage.ts";
import { AnswerReader, since } from "./answer-reader.ts";
import type { Completion } from "./completion.ts";
import { startGenerating, type Started } from "./start-generating.ts";
import { beginWithModel, failedOn, reportLoading, type BegunWork } from "./with-model.ts";

export interface CompleteDeps {
  readonly scheduler: Scheduler;
  readonly speeds: AnswerSpeeds;
  readonly noteUsage: NoteUsage;
}

type Generation = BegunWork<Started & { readonly loaded: LoadedModel; readonly loadDuration: number }>;

/** A completion that runs; `beganMs` by `performance.now()`. */
interface Run {
  readonly completion: Completion;
  readonly beganMs: number;
  readonly signal: AbortSignal;
}

/** Stops the engine and releases the model. */
async function release({ lease, value }: Generation): Promise<void> {
  try {
    await value.chunks.return?.();
  } finally {
    lease.release();
  }
}

/** Starts the generation on a model that may have to be loaded, and yields the loaded share where the request asks. */
async function* load(
  { completion, beganMs, signal }: Run,
  scheduler: Scheduler,
): AsyncGenerator<AnswerChunk, Generation> {
  const begin = (options: LoadOptions): Promise<Generation> =>
    beginWithModel(scheduler, options, signal, async (loaded) => {
      const loadDuration = since(beganMs);
      return { loaded, loadDuration, ...(await startGenerating(completion, loaded, signal)) };
    });
  if (!completion.request.progress) return begin(completion.load);
  return yield* reportLoading(
    (onLoading) => begin({ ...completion.load, onLoading }),
    (fraction): AnswerChunk => ({ type: "loading", fraction }),
    release,
  );
}

/** The last chunk, once the thoughts are counted: the engine cannot tell them from text. */
async function finish(
  { completion, beganMs, signal }: Run,
  { loaded, loadDuration, dropped }: Generation["value"],
  done: RunnerDone,
  { reason, thoughts }: { reason: RunnerDone["reason"]; thoughts: string },
): Promise<DoneChunk> {
  const thoughtTokens = thoughts === "" ? 0 : (await loaded.tokenize(thoughts, signal)).length;
  return {
    type: "done",
    figures: {
      done_reason: reason,
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
    thoughtTokens: Math.min(thoughtTokens, done.eval_tokens),
    cutTokens: done.cut_tokens,
    droppedMessages: completion.source.messagesIn(dropped),
  };
}

/** Counts an answer, whole with `done`; one that breaks off has its pieces of text as its tokens. */
function countUsage({ speeds, noteUsage }: CompleteDeps, run: Run, reader: AnswerReader, done?: RunnerDone): void {
  const { model } = run.completion.load;
  if (done !== undefined) speeds.note(model.digest, done.eval_tokens, done.eval_ns);
  else if (reader.pieces === 0) return;
  noteUsage({
    model: shortName(model.name),
    promptTokens: done?.prompt_tokens ?? 0,
    cachedTokens: done?.cached_tokens ?? 0,
    restoredTokens: done?.restored_tokens,
    generatedTokens: done?.eval_tokens ?? reader.pieces,
    ...(reader.recoveredCalls > 0 && { recoveredCalls: reader.recoveredCalls }),
    firstTextMs: reader.firstTextAtMs === undefined ? undefined : reader.firstTextAtMs - run.beganMs,
    ...(done !== undefined && { generationNs: done.eval_ns }),
  });
}

/**
 * Runs a completion, with one `done` at the end.
 * @throws OllamaError; the signal's reason when aborted.
 */
export async function* complete(
  deps: CompleteDeps,
  prepare: () => Promise<Completion>,
  signal: AbortSignal,
): AsyncGenerator<AnswerChunk, void> {
  const startedMs = performance.now();
  const completion = await prepare();
  const run = { completion, beganMs: completion.request.beganMs ?? startedMs, signal };
  const generation = yield* load(run, deps.scheduler);
  const { prompt, dropped, cutsPrompt, chunks, first } = generation.value;
  const reader = new AnswerReader(completion, prompt.createParser());
  let isWhole = false;
  try {
    if (dropped > 0 || cutsPrompt)
      yield { type: "cut", droppedMessages: completion.source.messagesIn(dropped), cutsPrompt };
    for (let next = first; next.done !== true; next = await chunks.next()) {
      if (next.value.type !== "done") for (const chunk of reader.read(next.value)) yield chunk;
      else {
        const rest = reader.end(next.value, prompt.grammar !== undefined);
        for (const chunk of rest.chunks) yield chunk;
        const last = await finish(run, generation.value, next.value, { ...rest, thoughts: reader.thoughts });
        isWhole = true;
        countUsage(deps, run, reader, next.value);
        yield last;
      }
    }
  } catch (error) {
    // A whole answer stays one, whatever becomes of the engine in the moment after it.
    if (!isWhole) throw failedOn(generation.lease, error);
  } finally {
    if (!isWhole) countUsage(deps, run, reader);
    await release(generation);
  }
}
