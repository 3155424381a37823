/** One generation on a sequence: prompt in slices, then token by token, until something ends it. */
import type {
  LlamaContextSequence,
  LlamaGrammarEvaluationState,
  LlamaModel,
  SequenceEvaluateOptions,
  Token,
} from "node-llama-cpp";
import type { RunnerDone, RunnerGenerate, RunnerGenerateLine, TokenLogprob } from "../../contract/runner.ts";
import { keptTokens } from "./fit-prompt.ts";
import { createLateGrammar } from "./late-grammar.ts";
import { samplingOptions } from "./sampling.ts";
import { createStopText } from "./stop-text.ts";
import { tokenLogprob } from "./token-logprobs.ts";
import { createTokenText } from "./token-text.ts";

/** A model that repeats one token this often has lost its way; the generation ends with "stop". */
const longestRepetition = 30;
/** A negative num_predict means at most this many windows. */
const windowsAtMost = 10;

const nanoseconds = (fromMs: number, toMs: number) => Math.max(1, Math.round((toMs - fromMs) * 1e6));

/** Follows a model that repeats itself. */
function createRepetitionCount() {
  let last: Token | undefined;
  let count = 0;
  return (token: Token) => {
    count = token === last ? count + 1 : 1;
    last = token;
    return count;
  };
}

export interface PreparedPrompt {
  /** What is evaluated. */
  readonly tokens: readonly Token[];
  readonly cutTokens: number;
}

export interface GenerationOptions {
  readonly sequence: LlamaContextSequence;
  readonly request: RunnerGenerate;
  readonly prompt: PreparedPrompt;
  /** The grammar's state of this generation, where the request has a grammar. */
  readonly grammar: LlamaGrammarEvaluationState | undefined;
  readonly evaluationPriority: SequenceEvaluateOptions["evaluationPriority"];
  readonly write: (line: RunnerGenerateLine) => void;
}

export interface Generation {
  /** Tokens of the prompt still to be evaluated; 0 while it generates. */
  readonly promptLeft: number;
  /** Evaluates at most `slice` tokens of the prompt, or one token. True when the last line has been written. */
  step(slice: number): Promise<boolean>;
  /** Lets go of the sequence, whose state stays. */
  close(): Promise<void>;
}

/** The most tokens that a request may generate. */
export const predictLimit = ({ num_predict: asked, window }: RunnerGenerate) =>
  asked < 0 ? windowsAtMost * window : asked;

/** The last line of a generation. */
function createAccount({ request, prompt: { tokens, cutTokens } }: GenerationOptions) {
  const generated: Token[] = [];
  const began = performance.now();
  let firstAt: number | undefined;
  return {
    generated,
    cached: 0,
    add(token: Token): void {
      firstAt ??= performance.now();
      generated.push(token);
    },
    done(reason: RunnerDone["reason"]): RunnerDone {
      const now = performance.now();
      return {
        type: "done",
        reason,
        prompt_tokens: tokens.length,
        cached_tokens: this.cached,
        cut_tokens: cutTokens,
        prompt_ns: nanoseconds(began, firstAt ?? now),
        eval_tokens: generated.length,
        eval_ns: nanoseconds(firstAt ?? now, now),
        ...(request.with_context && { context: [...tokens, ...generated] }),
      };
    },
  };
}

/** The newest tokens of prompt and answer. */
function newest(prompt: readonly Token[], generated: readonly Token[], count: number): Token[] {
  const missing = Math.max(0, count - generated.length);
  return [...(missing > 0 ? prompt.slice(-missing) : []), ...generated.slice(-count)];
}

function startEvaluation(
  { sequence, request, prompt, grammar, evaluationPriority }: GenerationOptions,
  { rest, generated, isGrammarActive }: { rest: Token[]; generated: readonly Token[]; isGrammarActive: () => boolean },
) {
  const { tokens } = prompt;
  const keep = keptTokens(request.num_keep, tokens[0] === sequence.model.tokens.bos, tokens.length, request.window);
  return sequence.evaluateWithMetadata(
    rest,
    { probabilities: request.logprobs !== undefined },
    {
      ...samplingOptions(request.sampling, request.window, (count) => newest(tokens, generated, count)),
      ...(evaluationPriority !== undefined && { evaluationPriority }),
      ...(grammar !== undefined && { grammarEvaluationState: () => (isGrammarActive() ? grammar : undefined) }),
      contextShift: {
        size: ({ contextSize }) => Math.max(1, Math.floor((contextSize - keep) / 2)),
        strategy: ({ size }) => [{ start: keep, end: keep + size }],
      },
    },
  );
}

/** The text of a generation as it grows: whole characters, nothing of a stop string. */
function createAnswer(model: LlamaModel, { request, prompt, write }: GenerationOptions) {
  const text = createTokenText<Token>(
    (some, before) => model.detokenize(some, request.control_text === true, before),
    prompt.tokens,
  );
  const stopText = createStopText(request.stop);
  let logprobs: TokenLogprob[] = [];
  const say = (piece: string) => {
    if (piece === "" && logprobs.length === 0) return;
    write({ type: "text", text: piece, ...(logprobs.length > 0 && { logprobs }) });
    logprobs = [];
  };
  return {
    /** True when a stop string is complete. */
    push(piece: string, logprob: TokenLogprob | undefined): boolean {
      if (logprob !== undefined) logprobs.push(logprob);
      const { text: given, stopped } = stopText.push(piece);
      // Without a text of its own a token's probability travels with the next one's.
      if (given !== "" || stopped) say(given);
      return stopped;
    },
    /** The text of a token, as far as it is complete. */
    textOf: (token: Token) => text.push(token),
    /** Gives out what was held back; true when that completes a stop string. */
    end(): boolean {
      const last = stopText.push(text.rest());
      say(last.stopped ? last.text : last.text + stopText.rest());
      return last.stopped;
    },
  };
}

/**
 * The sequence keeps the state of what it has seen: the common beginning of this prompt and the last one is not
 * evaluated again.
 */
export function createGeneration(options: GenerationOptions): Generation {
  const { sequence, request, prompt, write } = options;
  const { model } = sequence;
  const { tokens } = prompt;
  const account = createAccount(options);
  const answer = createAnswer(model, options);
  const lateGrammar = createLateGrammar(request.grammar ?? {});
  const repetitions = createRepetitionCount();
  const limit = predictLimit(request);
  let rest: Token[] = [...tokens];
  let isPrepared = false;
  let evaluation: ReturnType<typeof startEvaluation> | undefined;
  let replacement: Token[] | undefined;

  /** Drops what the sequence's state has, and takes what it has of this prompt. */
  async function prepare(): Promise<void> {
    isPrepared = true;
    // At least the last token must be evaluated: its logits choose the first new one.
    await sequence.adaptStateToTokens(tokens.slice(0, -1), false);
    account.cached = sequence.nextTokenIndex;
    rest = tokens.slice(account.cached);
  }

  function finish(reason: RunnerDone["reason"]): true {
    write(account.done(answer.end() ? "stop" : reason));
    return true;
  }

  /** Takes a token that was generated. True when it was the last. */
  function take(token: Token, probabilities: ReadonlyMap<Token, number> | undefined): boolean {
    let piece = answer.textOf(token);
    const kept = request.grammar === undefined ? undefined : lateGrammar.push(piece);
    const isCut = kept !== undefined && kept < piece.length;
    if (isCut) {
      piece = piece.slice(0, kept);
      replacement = model.tokenize(piece, true);
    }
    for (const taken of isCut ? (replacement ?? []) : [token]) account.add(taken);
    const top = request.logprobs;
    const logprob =
      top === undefined || probabilities === undefined ? undefined : tokenLogprob(model, token, { probabilities, top });
    if (answer.push(piece, logprob)) {
      write(account.done("stop"));
      return true;
    }
    if (repetitions(token) >= longestRepetition) return finish("stop");
    const length = tokens.length + account.generated.length;
    if (account.generated.length >= limit || (length >= request.window && !request.shift)) return finish("length");
    return false;
  }

  async function generateNext(): Promise<boolean> {
    const from = { rest, generated: account.generated, isGrammarActive: () => lateGrammar.isActive };
    evaluation ??= startEvaluation(options, from);
    const input = replacement;
    replacement = undefined;
    const next = await (input === undefined ? evaluation.next() : evaluation.next(input));
    rest = [];
    if (next.done === true) return finish("stop");
    return take(next.value.token, (next.value as { probabilities?: ReadonlyMap<Token, number> }).probabilities);
  }

  return {
    get promptLeft() {
      return rest.length;
    },
    async step(slice) {
      if (!isPrepared) await prepare();
      if (rest.length > slice) {
        const priority = options.evaluationPriority;
        await sequence.evaluateWithoutGeneratingNewTokens(
          rest.splice(0, slice),
          priority === undefined ? {} : { evaluationPriority: priority },
        );
        if (request.progress === true)
          write({ type: "progress", evaluated: tokens.length - rest.length, total: tokens.length });
        return false;
      }
      return generateNext();
    },
    async close() {
      await evaluation?.return();
    },
  };
}
