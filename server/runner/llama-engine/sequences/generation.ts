/** One generation on a sequence: evaluates the prompt in slices, then generates tokens until a condition ends it. */
import type { LlamaGrammarEvaluationState, LlamaModel, SequenceEvaluateOptions, Token } from "node-llama-cpp";
import type { RunnerDone, RunnerGenerate, RunnerGenerateLine, TokenLogprob } from "../../../contract/model/runner.ts";
import { RunnerFailure } from "../../runner-failure.ts";
import { createAnswerText } from "./answer-text.ts";
import { createDraftLookup, type DraftLookup } from "./draft-lookup.ts";
import type { DraftPolicy } from "./draft-policy.ts";
import type { DraftedSequence } from "./drafted-sequence.ts";
import { keptTokens } from "./fit-prompt.ts";
import { createGenerationAccount } from "./generation-account.ts";
import { createLateGrammar, type LateGrammar } from "./late-grammar.ts";
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
      yieldEogToken: true,
      ...(grammar !== undefined && { grammarEvaluationState: () => (isGrammarActive() ? grammar : undefined) }),
      contextShift: {
        size: ({ contextSize }) => Math.max(1, Math.floor((contextSize - keep) / 2)),
        strategy: ({ size }) => [{ start: keep, end: keep + size }],
      },
    },
  );
}

/** A grammar that the drawn tokens cannot follow. */
function noTokenFollows(cause: unknown): RunnerFailure {
  const why = "the grammar of the format or tools allows no token of this model";
  return new RunnerFailure("not_supported", `${why}: allow more, or use another model`, cause);
}

/**
 * States: new → prompt → answer → finished. `step` moves on, one call at a time. The sequence keeps its state, so the
 * prefix that this prompt shares with the last one is not evaluated again.
 */
export class Generation {
  readonly #options: GenerationOptions;
  readonly #model: LlamaModel;
  readonly #account: ReturnType<typeof createGenerationAccount<Token>>;
  readonly #answer: ReturnType<typeof createAnswerText>;
  readonly #lateGrammar: LateGrammar;
  readonly #isStuck: ReturnType<typeof createRepetitionWatch>;
  readonly #limit: number;
  #rest: Token[];
  #isPrepared = false;
  #evaluation: ReturnType<typeof startEvaluation> | undefined;
  /** Tokens that the engine evaluates in the place of the newest one, whose end a grammar cut off. */
  #replacement: Token[] | undefined;
  #lookup: DraftLookup<Token> | undefined;
  #drafted = 0;
  #plainSteps = 0;

  constructor(options: GenerationOptions) {
    const { drafted, request, prompt, write } = options;
    this.#options = options;
    this.#model = drafted.sequence.model;
    this.#account = createGenerationAccount(options);
    this.#answer = createAnswerText(this.#model, { request, before: prompt.tokens, write });
    this.#lateGrammar = createLateGrammar(request.grammar ?? {});
    this.#isStuck = createRepetitionWatch(this.#model);
    this.#limit = predictLimit(request);
    this.#rest = [...prompt.tokens];
  }

  /** Tokens of the prompt that are not evaluated yet; 0 while it generates. */
  get promptLeft(): number {
    return this.#rest.length;
  }

  /** Tokens of the prompt that the sequence holds from the disk. */
  set restored(count: number) {
    this.#account.restored = count;
  }

  /** Tokens that the last step drafted and evaluated. */
  get drafted(): number {
    return this.#drafted;
  }

  /**
   * Evaluates at most `slice` tokens: tokens of the prompt, or the newest token of the answer and its draft. Returns
   * true once the last line is written.
   */
  async step(slice: number): Promise<boolean> {
    if (!this.#isPrepared) await this.#prepare();
    if (this.#rest.length <= slice) return this.#generateNext(slice);
    const { drafted, evaluationPriority } = this.#options;
    const options = evaluationPriority === undefined ? {} : { evaluationPriority };
    await drafted.sequence.evaluateWithoutGeneratingNewTokens(this.#rest.splice(0, slice), options);
    this.#reportProgress();
    return false;
  }

  /** Releases the sequence, which keeps its state. */
  async close(): Promise<void> {
    await this.#evaluation?.return();
  }

  /** Keeps the prefix of the state that belongs to this prompt, and drops the rest. */
  async #prepare(): Promise<void> {
    const { drafted, prompt } = this.#options;
    this.#isPrepared = true;
    // The last token is always evaluated, because its logits choose the first new token.
    await drafted.sequence.adaptStateToTokens(prompt.tokens.slice(0, -1), false);
    this.#account.cached = drafted.sequence.nextTokenIndex;
    this.#rest = prompt.tokens.slice(this.#account.cached);
    this.#reportProgress();
  }

  #reportProgress(): void {
    const { request, prompt, write } = this.#options;
    if (request.progress !== true) return;
    const total = prompt.tokens.length;
    write({ type: "progress", evaluated: total - this.#rest.length, total });
  }

  #finish(reason: RunnerDone["reason"]): true {
    const stop = this.#answer.end();
    if (stop !== undefined) return this.#finishAt(stop);
    this.#options.write(this.#account.done(reason));
    return true;
  }

  #finishAt(stop: string): true {
    this.#options.write(this.#account.done("stop", { stop, answer: this.#answer.emitted() }));
    return true;
  }

  #logprobOf(drawn: Drawn): TokenLogprob | undefined {
    const { logprobs: top, logprob_tokens: most = Infinity } = this.#options.request;
    if (top === undefined || this.#account.generated.length >= most) return undefined;
    return tokenLogprob(this.#model, drawn, { top, textOf: this.#answer.textOf });
  }

  /** The text and the tokens that a drawn token adds: what comes after the begin of a late grammar is cut off. */
  #addedBy(token: Token): { piece: string; tokens: readonly Token[] } {
    const piece = this.#answer.take(token);
    const kept = this.#options.request.grammar === undefined ? undefined : this.#lateGrammar.push(piece);
    if (kept === undefined || kept >= piece.length) return { piece, tokens: [token] };
    const cut = piece.slice(0, kept);
    this.#replacement = this.#model.tokenize(cut, true);
    return { piece: cut, tokens: this.#replacement };
  }

  /** Adds a drawn token to the answer. Returns true for the last one. */
  #add(drawn: Drawn): boolean {
    const logprob = this.#logprobOf(drawn);
    const { piece, tokens } = this.#addedBy(drawn.token);
    if (this.#append(piece, tokens, logprob)) return true;
    const { isActive } = this.#lateGrammar;
    const grammar = isActive ? this.#options.grammar : undefined;
    if (!this.#isStuck(drawn.token, piece, grammar)) return false;
    if (!isActive) return this.#beginGrammar([drawn.token]);
    // Within a grammar, the text is not whole.
    return this.#finish(grammar === undefined ? "stop" : "length");
  }

  /** Ends the text before a late grammar with the text that the grammar waits for, behind `last`. */
  #beginGrammar(last: readonly Token[]): boolean {
    const closing = this.#answer.rest() + this.#lateGrammar.begin();
    const tokens = this.#model.tokenize(closing, true, "trimLeadingSpace");
    this.#replacement = [...last, ...tokens];
    return this.#append(closing, tokens, undefined);
  }

  /** Adds text and its tokens to the answer. Returns true if the answer ends with it. */
  #append(piece: string, tokens: readonly Token[], logprob: TokenLogprob | undefined): boolean {
    const { request, prompt } = this.#options;
    for (const token of tokens) {
      this.#account.add(token);
      this.#lookup?.add(token);
    }
    const stop = this.#answer.push(piece, tokens, logprob);
    if (stop !== undefined) return this.#finishAt(stop);
    const { length } = this.#account.generated;
    const isFull = prompt.tokens.length + length >= request.window && !request.shift;
    return length >= this.#limit || isFull ? this.#finish("length") : false;
  }

  /** Draws one token. Returns true for the last one. */
  async #draw(): Promise<boolean> {
    this.#evaluation ??= startEvaluation(this.#options, {
      rest: this.#rest,
      generated: this.#account.generated,
      isGrammarActive: () => this.#lateGrammar.isActive,
    });
    const input = this.#replacement;
    this.#replacement = undefined;
    const drawing = input === undefined ? this.#evaluation.next() : this.#evaluation.next(input);
    const next = await drawing.catch((error: unknown) => {
      const hasGrammar = this.#options.request.grammar !== undefined && this.#lateGrammar.isActive;
      throw hasGrammar ? noTokenFollows(error) : error;
    });
    this.#rest = [];
    if (next.done !== true && !this.#model.isEogToken(next.value.token)) return this.#add(next.value);
    return this.#lateGrammar.isActive ? this.#finish("stop") : this.#beginGrammar([]);
  }

  /** The draft of this step. It is never longer than what the step can use. */
  #draft(slice: number): Token[] {
    const { drafted, draftPolicy, request, prompt } = this.#options;
    const { draft_num_predict: asked, shift, window } = request;
    if (slice === 1 || asked === 0 || !drafted.canDraft || this.#evaluation === undefined) return [];
    const { generated } = this.#account;
    this.#lookup ??= createDraftLookup([...prompt.tokens, ...generated]);
    const length = prompt.tokens.length + generated.length;
    const left = Math.min(this.#limit - generated.length, shift ? Infinity : window - length);
    const room = Math.min(slice - 1, drafted.room, left - 1);
    const most = asked === undefined ? draftPolicy.most(this.#lookup.matched, room) : Math.min(asked, room);
    return most > 0 && this.#replacement === undefined ? this.#lookup.draft(most) : [];
  }

  /** Whether the newest token was drafted, so that the next one needs no evaluation. */
  #isForeseen(): boolean {
    const last = this.#account.generated.at(-1);
    return this.#replacement === undefined && last !== undefined && this.#options.drafted.isEvaluated(last);
  }

  /** Draws a token, and more while the tokens match the draft. Returns true after the last token. */
  async #generateNext(slice: number): Promise<boolean> {
    const { drafted, draftPolicy } = this.#options;
    // The end of the prompt has another cost, and the time of parallel generations includes theirs.
    const isComparable = slice > 1 && this.#evaluation !== undefined;
    const draft = this.#draft(slice);
    const isTimed = isComparable && (draft.length > 0 || this.#plainSteps++ % timedEvery === 0);
    const began = isTimed ? cpuMs() : 0;
    this.#drafted = draft.length;
    this.#account.drafted += draft.length;
    drafted.propose(draft);
    let drawn = 0;
    let isLast: boolean;
    try {
      do {
        isLast = await this.#draw();
        drawn++;
      } while (!isLast && this.#isForeseen());
    } finally {
      await drafted.dropRest();
    }
    this.#account.accepted += drawn - 1;
    const ms = isTimed ? cpuMs() - began : undefined;
    if (isComparable) draftPolicy.observe({ drafted: draft.length, drawn, ms });
    return isLast;
  }
}
