/** The sequences of a loaded model. Assigns each generation to a sequence and runs them in parallel. */
import type {
  BatchItem,
  LlamaContext,
  LlamaContextSequence,
  LlamaGrammarEvaluationState,
  LlamaModel,
  SequenceEvaluateOptions,
} from "node-llama-cpp";
import type { RunnerGenerate, RunnerGenerateLine } from "../../../contract/model/runner.ts";
import { RunnerFailure } from "../../runner-failure.ts";
import type { KeptPrompts } from "../prompt-cache/kept-prompts.ts";
import { createBatchLoop, type BatchLoopOptions, type Lane } from "./batch-loop.ts";
import { createDraftPolicy } from "./draft-policy.ts";
import { createDraftedSequence } from "./drafted-sequence.ts";
import { fitPrompt } from "./fit-prompt.ts";
import { Generation, predictLimit, type PreparedPrompt } from "./generation.ts";
import { createLineBuffer, type LineBuffer } from "./line-buffer.ts";
import { promptTokens } from "../prompt-tokens.ts";
import { createSequencePool } from "./sequence-pool.ts";

/**
 * Orders a batch by the positions of its sequences: the engine evaluates any other order in extra passes. Pass it to
 * the context, whose own strategies keep no order.
 */
export function inOrder({ items, size }: { items: readonly BatchItem[]; size: number }) {
  let left = size;
  const ordered = [...items].sort((a, b) => b.evaluationPriority - a.evaluationPriority);
  return ordered.map((item) => {
    const processAmount = Math.min(item.tokens.length, left);
    left -= processAmount;
    return { item, processAmount };
  });
}

/** Starts the engine's step once all generations of a round have queued theirs, in the same turn of the event loop. */
export const whenAllAreThere = (dispatch: () => void) => process.nextTick(dispatch);

/** Decreases with the position. The type allows five values, but only our own strategy reads them. */
const priorityOf = (index: number) => (5 - index) as NonNullable<SequenceEvaluateOptions["evaluationPriority"]>;

export interface SequencesOptions extends Pick<BatchLoopOptions, "beforeRound" | "afterRound"> {
  readonly model: LlamaModel;
  readonly context: LlamaContext;
  /** A grammar's state before the first token. @throws RunnerFailure not_supported when the engine cannot parse it. */
  readonly startGrammar: (gbnf: string) => Promise<LlamaGrammarEvaluationState>;
  /** The states of earlier prompts on the disk, where any are kept. */
  readonly kept: Pick<KeptPrompts, "restore" | "keep"> | undefined;
}

async function preparePrompt(model: LlamaModel, request: RunnerGenerate, signal: AbortSignal): Promise<PreparedPrompt> {
  const { tokens: whole, leftOut } = await promptTokens(model, request, signal);
  const tokens = fitPrompt(whole, request, whole[0] === model.tokens.bos);
  return { tokens, cutTokens: whole.length + leftOut - tokens.length };
}

const nothingAsked = ({ tokens, cutTokens }: PreparedPrompt, request: RunnerGenerate): RunnerGenerateLine => ({
  type: "done",
  reason: "length",
  prompt_tokens: tokens.length,
  cached_tokens: 0,
  cut_tokens: cutTokens,
  prompt_ns: 1,
  eval_tokens: 0,
  eval_ns: 1,
  drafted_tokens: 0,
  accepted_tokens: 0,
  ...(request.with_context && { context: [...tokens] }),
});

interface LaneOptions {
  readonly index: number;
  readonly sequence: LlamaContextSequence;
  readonly generation: Generation;
  readonly lines: LineBuffer<RunnerGenerateLine>;
  readonly signal: AbortSignal;
  readonly onEnd: () => void;
}

/** Adapts a generation to the loop. A failure only reaches the generation's own reader. */
function createLane({ index, sequence, generation, lines, signal, onEnd }: LaneOptions): Lane {
  let hasFailed = false;
  const fail = (error: unknown) => {
    hasFailed = true;
    lines.end(error);
  };
  return {
    index,
    get promptLeft() {
      return generation.promptLeft;
    },
    get drafted() {
      return generation.drafted;
    },
    get isBlocked() {
      return lines.isFull;
    },
    get isCancelled() {
      return signal.aborted;
    },
    async step(slice) {
      try {
        return await generation.step(slice);
      } catch (error) {
        fail(error);
        return true;
      }
    },
    async end() {
      try {
        await generation.close();
        // A failed evaluation leaves the sequence in an unknown state.
        if (hasFailed) await sequence.clearHistory();
      } catch (error) {
        fail(error);
      } finally {
        lines.end();
        onEnd();
      }
    },
  };
}

export function createSequences({ model, context, startGrammar, kept, beforeRound, afterRound }: SequencesOptions) {
  const pool = createSequencePool(
    Array.from({ length: context.totalSequences }, () => createDraftedSequence(context.getSequence())),
  );
  const draftPolicy = createDraftPolicy();
  const loop = createBatchLoop({ batchSize: context.batchSize, beforeRound, afterRound });

  /** Runs in the loop until it finishes or `signal` aborts. Yields its lines, each time all that are ready. */
  async function* run(
    request: RunnerGenerate,
    prompt: PreparedPrompt,
    signal: AbortSignal,
  ): AsyncGenerator<readonly RunnerGenerateLine[], void> {
    const grammar = request.grammar === undefined ? undefined : await startGrammar(request.grammar.gbnf);
    const { tokens } = prompt;
    const slot = await pool.take(tokens, signal);
    const { index, sequence: drafted } = slot;
    const lines = createLineBuffer<RunnerGenerateLine>(loop.wake);
    draftPolicy.begin();
    const generation = new Generation({
      drafted,
      draftPolicy,
      request,
      prompt,
      grammar,
      evaluationPriority: priorityOf(index),
      write: (line) => lines.push(line),
    });
    try {
      generation.restored = (await kept?.restore(drafted.sequence, tokens)) ?? 0;
    } catch (error) {
      pool.give(slot);
      throw error;
    }
    loop.add(
      createLane({ index, sequence: drafted.sequence, generation, lines, signal, onEnd: () => pool.give(slot) }),
    );
    signal.addEventListener("abort", loop.wake, { once: true });
    try {
      yield* lines.read(signal);
    } finally {
      signal.removeEventListener("abort", loop.wake);
    }
  }

  return {
    get free() {
      return pool.free;
    },
    get waiting() {
      return pool.waiting;
    },
    /**
     * If the consumer leaves early, the generation ends, too.
     * @throws RunnerFailure not_loaded, prompt_too_long, not_supported, bad_request; the signal's reason when aborted.
     */
    async *generate(request: RunnerGenerate, signal: AbortSignal): AsyncGenerator<readonly RunnerGenerateLine[], void> {
      if (context.disposed) throw new RunnerFailure("not_loaded", "the model was unloaded");
      const prompt = await preparePrompt(model, request, signal);
      if (predictLimit(request) === 0) {
        yield [nothingAsked(prompt, request)];
        return;
      }
      const leaving = new AbortController();
      try {
        yield* run(request, prompt, AbortSignal.any([signal, leaving.signal]));
      } finally {
        leaving.abort();
        loop.wake();
      }
    },
    /** Waits for generations in progress, and keeps the states; waiting generations are refused. */
    async close() {
      const sequences = await pool.close();
      await kept?.keep(sequences.map(({ sequence }) => sequence));
    },
  };
}
export type Sequences = ReturnType<typeof createSequences>;
