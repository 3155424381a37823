/** Tokenizes a request's prompt, before anything is cut. */
import type { LlamaModel, Token } from "node-llama-cpp";
import type { RunnerGenerate } from "../../contract/model/runner.ts";
import { RunnerFailure } from "../runner-failure.ts";
import { bothEnds } from "./tokenize.ts";

export const canInfill = ({ tokens: { infill } }: LlamaModel) => infill.prefix !== null && infill.suffix !== null;

/** Prompt and suffix in the order that the model was trained on: the middle comes last. */
function infillTokens(model: LlamaModel, prompt: readonly Token[], after: readonly Token[]): Token[] {
  const { prefix, suffix: suffixToken, middle } = model.tokens.infill;
  if (prefix === null || suffixToken === null)
    throw new RunnerFailure("not_supported", "this model cannot fill in text before a suffix");
  return middle === null
    ? [suffixToken, ...after, prefix, ...prompt]
    : [prefix, ...prompt, suffixToken, ...after, middle];
}

/** Prepends the begin token if the model wants one and the text has none. */
export function withBegin(model: LlamaModel, tokens: readonly Token[]): Token[] {
  const { bos, shouldPrependBosToken } = model.tokens;
  return bos !== null && shouldPrependBosToken && tokens[0] !== bos ? [bos, ...tokens] : [...tokens];
}

/** Tokens that a client sent. @throws RunnerFailure bad_request naming one that the model does not have */
export function knownTokens(model: LlamaModel, tokens: readonly number[]): Token[] {
  const unknown = tokens.find((token) => token >= model.fileInfo.metadata.tokenizer.ggml.tokens.length);
  if (unknown !== undefined) throw new RunnerFailure("bad_request", `the model has no token ${String(unknown)}`);
  return tokens as Token[];
}

/** The tokens of a prompt. If it is longer than the window, only the usable tokens from both ends. */
export interface PromptTokens {
  readonly tokens: readonly Token[];
  /** The number of tokens omitted in the middle. */
  readonly leftOut: number;
}

/**
 * With the begin token.
 * @throws RunnerFailure not_supported, bad_request; the signal's reason when aborted.
 */
export async function promptTokens(
  model: LlamaModel,
  request: RunnerGenerate,
  signal: AbortSignal,
): Promise<PromptTokens> {
  const { prefix, window, suffix } = request;
  const text = await bothEnds(model, request.prompt, { special: true, most: window, signal });
  const prompt = [...text.head, ...text.tail];
  const after =
    suffix === undefined
      ? undefined
      : await bothEnds(model, suffix, { special: false, trim: true, most: window, signal });
  const whole = after === undefined ? prompt : infillTokens(model, prompt, [...after.head, ...after.tail]);
  // A template writes the begin token before every prompt, also before one that goes on from earlier tokens.
  const isBegunTwice = prefix.length > 0 && whole[0] === model.tokens.bos;
  const tokens = withBegin(model, [...knownTokens(model, prefix), ...whole.slice(isBegunTwice ? 1 : 0)]);
  if (tokens.length === 0) throw new RunnerFailure("bad_request", "the prompt has no tokens");
  return { tokens, leftOut: text.between + (after?.between ?? 0) };
}
