/** A model that answers by rules, behind the engine's port. It has no weights, and takes no memory. */
import { setImmediate, setTimeout as pause } from "node:timers/promises";
import type { RunnerEmbed, RunnerEmbedded, RunnerGenerate } from "../../contract/model/runner.ts";
import { OutOfTimeError } from "../../foreign/within-deadline.ts";
import { EngineError, type GenerationChunk, type LoadedModel, type LoadRequest } from "../engine/engine.ts";
import type { PlacedRule, ScriptedRules } from "../models/library/installed-model.ts";
import { OllamaError } from "../ollama-error.ts";
import { answerProblem } from "./check-answer.ts";
import { lastText, readRuleRequest, type RuleRequest } from "./rule-request.ts";
import { meets } from "./match-rule.ts";
import { ScriptedCut, ScriptedError } from "./scripted-fault.ts";
import { textOfTokens, tokenNumber, tokensOf } from "./tokens.ts";
import { wordVector } from "./word-vector.ts";
import { endlessThought, writeAnswer } from "./write-answer.ts";

/** How often each rule with `times` has answered. */
export type RuleCounts = Map<PlacedRule, number>;

/** Simultaneous answers; more than any client asks for. */
const sequences = 10_000;

const nanoseconds = (sinceMs: number) => Math.max(1, Math.round((performance.now() - sinceMs) * 1e6));

/** The tokens of an answer, and why it ends behind them unless the limit ends it before. */
interface Answer {
  readonly tokens: Iterable<string>;
  readonly limit: number;
  readonly reason: "stop" | "length";
  readonly stop?: string;
}

function* repeatedTokens(open: string, repeated: string): Generator<string> {
  yield* tokensOf(open);
  for (;;) yield* tokensOf(repeated);
}

/** The text up to the first of the stop texts. */
function stopped(text: string, stops: readonly string[]): { text: string; stop?: string } {
  const found = stops.map((stop) => ({ stop, at: text.indexOf(stop) })).filter(({ at }) => at >= 0);
  const [first] = found.sort((a, b) => a.at - b.at);
  return first === undefined ? { text } : { text: text.slice(0, first.at), stop: first.stop };
}

function answerOf(rule: PlacedRule, begun: string, isThinking: boolean, request: RunnerGenerate): Answer {
  const { num_predict, window, stop: stops } = request;
  const limit = num_predict < 0 ? Infinity : num_predict;
  if (rule.fault?.kind === "endless_thought") {
    const { open, repeated } = endlessThought(rule, begun);
    return { tokens: repeatedTokens(open, repeated), limit: Math.min(limit, window), reason: "length" };
  }
  const { text, stop } = stopped(writeAnswer(rule, begun, isThinking), stops);
  const reason = rule.fault?.kind === "broken_call" && stop === undefined ? "length" : "stop";
  return { tokens: tokensOf(text), limit, reason, ...(stop !== undefined && { stop }) };
}

/** @throws the signal's reason when aborted */
async function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await pause(ms, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}

/** @throws the error that the rule asks for behind this many tokens, or behind all of them */
async function failAt({ fault, place }: PlacedRule, tokens: number): Promise<void> {
  if (fault?.kind !== "error" && fault?.kind !== "cut") return;
  if (tokens < (fault.after_tokens ?? 0)) return;
  // The pieces before it are sent first.
  await setImmediate();
  throw fault.kind === "error" ? new ScriptedError(fault, place) : new ScriptedCut(place);
}

const logprobOf = (token: string) => ({ token, bytes: [...Buffer.from(token)], logprob: 0, top: [] });

export class ScriptedModel implements LoadedModel {
  readonly id: string;
  readonly contextLength: number;
  readonly size = 0;
  readonly sizeVram = 0;
  readonly sequences = sequences;
  readonly canInfill = false;
  readonly canRank = false;
  readonly bosToken = "";
  readonly eosToken = "";
  readonly lost = new AbortController().signal;
  readonly #rules: ScriptedRules["rules"];
  readonly #counts: RuleCounts;

  constructor({ path, num_ctx }: LoadRequest, { rules }: ScriptedRules, counts: RuleCounts) {
    this.id = path;
    this.contextLength = num_ctx;
    this.#rules = rules;
    this.#counts = counts;
  }

  /** @throws OllamaError 500 for a request without a rule, or with one that is no answer to it; the fault of the rule */
  async *generate(request: RunnerGenerate, signal: AbortSignal): AsyncGenerator<GenerationChunk, void> {
    const { asked, begun } = readRuleRequest(request.prompt);
    const rule = this.#choose(asked);
    const { usage = {}, delay = {} } = rule;
    const { first_token_ms: firstMs = 0, per_token_ms: eachMs = 0 } = delay;
    const promptTokens = usage.prompt_tokens ?? asked.messages.flatMap(({ content }) => tokensOf(content)).length;
    const beganMs = performance.now();
    await wait(firstMs, signal);
    await failAt(rule, 0);
    if (request.progress === true) yield { type: "progress", evaluated: promptTokens, total: promptTokens };
    const promptNs = nanoseconds(beganMs);
    const answer = answerOf(rule, begun, asked.isThinking, request);
    const written: string[] = [];
    let isCut = false;
    for (const token of answer.tokens) {
      isCut = written.length >= answer.limit;
      if (isCut) break;
      if (written.length > 0) await wait(eachMs, signal);
      signal.throwIfAborted();
      written.push(token);
      const hasLogprobs = request.logprobs !== undefined && written.length <= (request.logprob_tokens ?? Infinity);
      yield { type: "text", text: token, ...(hasLogprobs && { logprobs: [logprobOf(token)] }) };
      await failAt(rule, written.length);
    }
    await failAt(rule, Infinity);
    const { prefix, with_context: withContext } = request;
    yield {
      type: "done",
      reason: isCut ? "length" : answer.reason,
      ...(!isCut && answer.stop !== undefined && { stop: answer.stop }),
      prompt_tokens: promptTokens,
      cached_tokens: Math.min(usage.cached_tokens ?? 0, promptTokens),
      cut_tokens: 0,
      prompt_ns: promptNs,
      eval_tokens: usage.completion_tokens ?? written.length,
      eval_ns: Math.max(1, nanoseconds(beganMs) - promptNs),
      drafted_tokens: 0,
      accepted_tokens: 0,
      ...(withContext && {
        context: [...prefix, ...[...tokensOf(lastText(asked, "user")), ...written].map(tokenNumber)],
      }),
    };
  }

  async tokenize(text: string, _signal: AbortSignal, most = Infinity): Promise<number[]> {
    // No token has more than four characters.
    return tokensOf(text.slice(0, (most + 1) * 4)).map(tokenNumber);
  }

  async countPrompt(text: string): Promise<number> {
    return readRuleRequest(text).asked.messages.flatMap(({ content }) => tokensOf(content)).length;
  }

  async detokenize(tokens: readonly number[]): Promise<string> {
    return textOfTokens(tokens);
  }

  async embed({ texts }: RunnerEmbed): Promise<RunnerEmbedded> {
    return { embeddings: texts.map(wordVector), tokens: texts.map((text) => tokensOf(text).length) };
  }

  async rank(): Promise<never> {
    throw new EngineError("not_supported", "a model that answers by rules cannot rank");
  }

  async unload(): Promise<void> {
    // It has nothing to free.
  }

  /** The first rule that matches and has answers left, as it counts this one. */
  #choose(asked: RuleRequest): PlacedRule {
    const rule = this.#rules.find((one) => this.#hasLeft(one) && this.#isMet(one, asked));
    const fail = (why: string) => new OllamaError(500, `the rules of ${JSON.stringify(asked.model)}: ${why}`);
    if (rule === undefined) {
      const text = (asked.messages.at(-1)?.content ?? "").slice(0, 200);
      throw fail(`no rule matches this request with the last text ${JSON.stringify(text)}`);
    }
    const problem = answerProblem(rule, asked);
    if (problem !== undefined) throw fail(`${rule.place}: ${problem}`);
    if (rule.times !== undefined) this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + 1);
    return rule;
  }

  #hasLeft(rule: PlacedRule): boolean {
    return (this.#counts.get(rule) ?? 0) < (rule.times ?? Infinity);
  }

  #isMet({ when = {}, place }: PlacedRule, asked: RuleRequest): boolean {
    try {
      return meets(when, asked);
    } catch (error) {
      if (!(error instanceof OutOfTimeError)) throw error;
      const name = JSON.stringify(asked.model);
      throw new OllamaError(500, `the rules of ${name}: ${place}: its regular expression: ${error.message}`, error);
    }
  }
}
