/** One generation on a sequence: evaluates the prompt in slices, then generates tokens until a condition ends it. */
import type { LlamaGrammarEvaluationState, SequenceEvaluateOptions, Token } from "node-llama-cpp";
import type { RunnerDone, RunnerGenerate, RunnerGenerateLine } from "../../../contract/model/runner.ts";
import { RunnerFailure } from "../../runner-failure.ts";
import { createAnswerText } from "./answer-text.ts";
import { createDraftLookup, type DraftLookup } from "./draft-lookup.ts";
import type { DraftPolicy } from "./draft-policy.ts";
import type { DraftedSequence } from "./drafted-sequence.ts";
import { keptTokens } from "./fit-prompt.ts";
import { createGenerationAccount } from "./generation-account.ts";
import { createLateGrammar } from "./late-grammar.ts";
import { createRepetitionWatch } from "./repetition-watch.ts";
import { samplingOptions } from "./sampling.ts";
import { tokenLogprob, type Drawn } from "./token-logprobs.ts";

/** A negative num_predict allows at most this many context windows. */
const windowsAtMost = 10;

/** Reading the CPU time takes time itself. Steps without a draft are alike, so only one in this many is measured. */
const timedEvery = 8;

/** CPU time of all threads, because wall time also measures other programs. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export interface PreparedPrompt {
  /** The tokens to evaluate. */
  readonly tokens: readonly Token[];
  readonly cutTokens: number;
}

export interface GenerationOptions {
  readonly drafted: DraftedSequence;
  /** The model's policy, shared by all of its generations. */
  readonly draftPolicy: DraftPolicy;
  readonly request: RunnerGenerate;
  readonly prompt: PreparedPrompt;
  /** The state of the grammar, where the request has one. */
  readonly grammar: LlamaGrammarEvaluationState | undefined;
  readonly evaluationPriority: SequenceEvaluateOptions["evaluationPriority"];
  readonly write: (line: RunnerGenerateLine) => void;
}

export interface Generation {
  /** Tokens of the prompt that are not evaluated yet; 0 while it generates. */
  readonly promptLeft: number;
  /** Tokens that the last step drafted and evaluated. */
  readonly drafted: number;
  /**
   * Evaluates at most `slice` tokens: tokens of the prompt, or the newest token of the answer and its draft. Returns
   * true once the last line is written.
   */
  step(slice: number): Promise<boolean>;
  /** Releases the sequence, which keeps its state. */
  close(): Promise<void>;
}

/** The maximum number of tokens that a request may generate. */
export const predictLimit = ({ num_predict: asked, window }: RunnerGenerate) =>
  asked < 0 ? windowsAtMost * window : asked;

/** The newest tokens of prompt and answer. */
function newest(prompt: readonly Token[], generated: readonly Token[], count: number): Token[] {
  const missing = Math.max(0, count - generated.length);
  return [...(missing > 0 ? prompt.slice(-missing) : []), ...generated.slice(-count)];
}

function startEvaluation(
  { drafted: { sequence }, request, prompt, grammar, evaluationPriority }: GenerationOptions,
  { rest, generated, isGrammarActive }: { rest: Token[]; generated: readonly Token[]; isGrammarActive: () => boolean },
) {
  const { tokens } = prompt;
  const keep = keptTokens(request.num_keep, tokens[0] === sequence.model.tokens.bos, tokens.length, request.window);
  return sequence.evaluateWithMetadata(
    rest,
    { probabilities: (request.logprobs ?? 0) > 0, confidence: request.logprobs === 0 },
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

/** The sequence keeps its state, so the prefix that this prompt shares with the last one is not evaluated again. */
export function createGeneration(options: GenerationOptions): Generation {
  const { drafted, draftPolicy, request, prompt, write } = options;
  const { sequence } = drafted;
  const { model } = sequence;
  const { tokens } = prompt;
  const account = createGenerationAccount(options);
  const answer = createAnswerText(model, { request, before: tokens, write });
  const lateGrammar = createLateGrammar(request.grammar ?? {});
  const isStuck = createRepetitionWatch(model);
  const limit = predictLimit(request);
  let rest: Token[] = [...tokens];
  let isPrepared = false;
  let evaluation: ReturnType<typeof startEvaluation> | undefined;
  let replacement: Token[] | undefined;
  let lookup: DraftLookup<Token> | undefined;
  let draftedNow = 0;
  let plainSteps = 0;

  /** Keeps the prefix of the state that belongs to this prompt, and drops the rest. */
  async function prepare(): Promise<void> {
    isPrepared = true;
    // The last token is always evaluated, because its logits choose the first new token.
    await sequence.adaptStateToTokens(tokens.slice(0, -1), false);
    account.cached = sequence.nextTokenIndex;
    rest = tokens.slice(account.cached);
    reportProgress();
  }

  function reportProgress(): void {
    if (request.progress !== true) return;
    write({ type: "progress", evaluated: tokens.length - rest.length, total: tokens.length });
  }

  function finish(reason: RunnerDone["reason"]): true {
    const stop = answer.end();
    if (stop !== undefined) return finishAt(stop);
    write(account.done(reason));
    return true;
  }

  function finishAt(stop: string): true {
    write(account.done("stop", { stop, answer: answer.emitted() }));
    return true;
  }

  /** Adds a generated token to the answer. Returns true for the last one. */
  function take(drawn: Drawn): boolean {
    const { token } = drawn;
    const { logprobs: top, logprob_tokens: most = Infinity } = request;
    const isAsked = top !== undefined && account.generated.length < most;
    const logprob = isAsked ? tokenLogprob(model, drawn, { top, textOf: answer.textOf }) : undefined;
    let piece = answer.take(token);
    const kept = request.grammar === undefined ? undefined : lateGrammar.push(piece);
    const isCut = kept !== undefined && kept < piece.length;
    if (isCut) {
      piece = piece.slice(0, kept);
      replacement = model.tokenize(piece, true);
    }
    const taken = isCut ? (replacement ?? []) : [token];
    for (const one of taken) {
      account.add(one);
      lookup?.add(one);
    }
    const stop = answer.push(piece, taken, logprob);
    if (stop !== undefined) return finishAt(stop);
    const grammar = lateGrammar.isActive ? options.grammar : undefined;
    // Within a grammar, the text is not whole.
    if (isStuck(token, piece, grammar)) return finish(grammar === undefined ? "stop" : "length");
    const length = tokens.length + account.generated.length;
    if (account.generated.length >= limit || (length >= request.window && !request.shift)) return finish("length");
    return false;
  }

  /** Draws one token. Returns true for the last one. */
  async function draw(): Promise<boolean> {
    const from = { rest, generated: account.generated, isGrammarActive: () => lateGrammar.isActive };
    evaluation ??= startEvaluation(options, from);
    const input = replacement;
    replacement = undefined;
    const next = await (input === undefined ? evaluation.next() : evaluation.next(input)).catch((error: unknown) => {
      if (request.grammar === undefined || !lateGrammar.isActive) throw error;
      const why = "no token of this model can follow, by the grammar of its format or tools";
      throw new RunnerFailure("not_supported", `${why}: allow more, or use another model`, error);
    });
    rest = [];
    if (next.done === true) return finish("stop");
    return take(next.value);
  }

  /** The draft of this step. It is never longer than what the step can use. */
  function proposed(slice: number): Token[] {
    const { draft_num_predict: asked, shift, window } = request;
    if (slice === 1 || asked === 0 || !drafted.canDraft || evaluation === undefined) return [];
    const { generated } = account;
    lookup ??= createDraftLookup([...tokens, ...generated]);
    const length = tokens.length + generated.length;
    const left = Math.min(limit - generated.length, shift ? Infinity : window - length);
    const room = Math.min(slice - 1, drafted.room, left - 1);
    const most = asked === undefined ? draftPolicy.most(lookup.matched, room) : Math.min(asked, room);
    return most > 0 && replacement === undefined ? lookup.draft(most) : [];
  }

  /** Whether the newest token was drafted, so that the next one needs no evaluation. */
  function isForeseen(): boolean {
    const newest = account.generated.at(-1);
    return replacement === undefined && newest !== undefined && drafted.isEvaluated(newest);
  }

  /** Draws a token, and goes on while the tokens match the draft. Returns true after the last token. */
  async function generateNext(slice: number): Promise<boolean> {
    // The end of the prompt has another cost, and beside other generations the time includes theirs.
    const isComparable = slice > 1 && evaluation !== undefined;
    const draft = proposed(slice);
    const isTimed = isComparable && (draft.length > 0 || plainSteps++ % timedEvery === 0);
    const began = isTimed ? cpuMs() : 0;
    draftedNow = draft.length;
    account.drafted += draft.length;
    drafted.propose(draft);
    let drawn = 0;
    let isLast: boolean;
    try {
      do {
        isLast = await draw();
        drawn++;
      } while (!isLast && isForeseen());
    } finally {
      await drafted.dropRest();
    }
    account.accepted += drawn - 1;
    const ms = isTimed ? cpuMs() - began : undefined;
    if (isComparable) draftPolicy.observe({ drafted: draft.length, drawn, ms });
    return isLast;
  }

  return {
    get promptLeft() {
      return rest.length;
    },
    get drafted() {
      return draftedNow;
    },
    async step(slice) {
      if (!isPrepared) await prepare();
      if (rest.length > slice) {
        const priority = options.evaluationPriority;
        await sequence.evaluateWithoutGeneratingNewTokens(
          rest.splice(0, slice),
          priority === undefined ? {} : { evaluationPriority: priority },
        );
        reportProgress();
        return false;
      }
      return generateNext(slice);
    },
    async close() {
      await evaluation?.return();
    },
  };
}
