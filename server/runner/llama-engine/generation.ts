/** One generation on a sequence: prompt in slices, then token by token, until something ends it. */
import type { LlamaContextSequence, LlamaModel, Token } from "node-llama-cpp";
import type { RunnerDone, RunnerGenerate, RunnerGenerateLine } from "../../contract/runner.ts";
import { RunnerFailure } from "../runner-failure.ts";
import { fitPrompt, keptTokens } from "./fit-prompt.ts";
import { samplingOptions } from "./sampling.ts";
import { createStopText } from "./stop-text.ts";
import { createTokenText } from "./token-text.ts";

/** A model that repeats one token this often has lost its way; the generation ends with "stop". */
const longestRepetition = 30;
/** A negative num_predict means at most this many windows. */
const windowsAtMost = 10;

const nanoseconds = (fromMs: number, toMs: number) => Math.max(1, Math.round((toMs - fromMs) * 1e6));

/** The prompt's tokens, the model's begin token in front where it wants one and the text has none. */
function promptTokens(model: LlamaModel, request: RunnerGenerate): Token[] {
  const text = model.tokenize(request.prompt, true);
  const tokens = [...(request.prefix as Token[]), ...text];
  const { bos, shouldPrependBosToken } = model.tokens;
  if (bos !== null && shouldPrependBosToken && tokens[0] !== bos) tokens.unshift(bos);
  if (tokens.length === 0) throw new RunnerFailure("bad_request", "the prompt has no tokens");
  return tokens;
}

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

/**
 * Generates on `sequence`, which keeps the state of what it has seen: the common beginning of this prompt and the last
 * one is not evaluated again. `slice` tokens of the prompt are evaluated at a time, so that an abort is felt soon.
 * @throws RunnerFailure; the signal's reason when aborted.
 */
export async function* generateOn(
  sequence: LlamaContextSequence,
  request: RunnerGenerate,
  slice: number,
  signal: AbortSignal,
): AsyncGenerator<RunnerGenerateLine, void> {
  const { model } = sequence;
  const began = performance.now();
  const whole = promptTokens(model, request);
  const hasBegin = whole[0] === model.tokens.bos;
  const tokens = fitPrompt(whole, request, hasBegin);
  const generated: Token[] = [];
  const limit = request.num_predict < 0 ? windowsAtMost * request.window : request.num_predict;
  let cached = 0;
  let firstAt: number | undefined;

  const done = (reason: RunnerDone["reason"]): RunnerDone => {
    const now = performance.now();
    return {
      type: "done",
      reason,
      prompt_tokens: tokens.length,
      cached_tokens: cached,
      cut_tokens: whole.length - tokens.length,
      prompt_ns: nanoseconds(began, firstAt ?? now),
      eval_tokens: generated.length,
      eval_ns: nanoseconds(firstAt ?? now, now),
      ...(request.with_context && { context: [...tokens, ...generated] }),
    };
  };
  if (limit === 0) {
    yield done("length");
    return;
  }

  // At least the last token must be evaluated: its logits choose the first new one.
  await sequence.adaptStateToTokens(tokens.slice(0, -1), false);
  cached = sequence.nextTokenIndex;
  const rest = tokens.slice(cached);
  while (rest.length > slice) {
    signal.throwIfAborted();
    await sequence.evaluateWithoutGeneratingNewTokens(rest.splice(0, slice));
  }
  signal.throwIfAborted();

  const keep = keptTokens(request.num_keep, hasBegin, tokens.length, request.window);
  const text = createTokenText<Token>((some, before) => model.detokenize(some, false, before), tokens);
  const stopText = createStopText(request.stop);
  const repetitions = createRepetitionCount();
  const evaluation = sequence.evaluate(rest, {
    ...samplingOptions(request.sampling, request.window, () => [...tokens, ...generated]),
    contextShift: {
      size: ({ contextSize }) => Math.max(1, Math.floor((contextSize - keep) / 2)),
      strategy: ({ size }) => [{ start: keep, end: keep + size }],
    },
  });
  let reason: RunnerDone["reason"] = "stop";
  for await (const token of evaluation) {
    signal.throwIfAborted();
    firstAt ??= performance.now();
    generated.push(token);
    const { text: piece, stopped } = stopText.push(text.push(token));
    if (piece !== "") yield { type: "text", text: piece };
    if (stopped) {
      yield done("stop");
      return;
    }
    if (repetitions(token) >= longestRepetition) break;
    const full = tokens.length + generated.length >= request.window;
    if (generated.length >= limit || (full && !request.shift)) {
      reason = "length";
      break;
    }
  }
  const last = stopText.push(text.rest());
  const tail = last.stopped ? last.text : last.text + stopText.rest();
  if (tail !== "") yield { type: "text", text: tail };
  yield done(last.stopped ? "stop" : reason);
}
