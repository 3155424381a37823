/** The tokens of a request's prompt, before anything is cut. */
import type { LlamaModel, Token } from "node-llama-cpp";
import type { RunnerGenerate } from "../../contract/runner.ts";
import { RunnerFailure } from "../runner-failure.ts";

export const canInfill = ({ tokens: { infill } }: LlamaModel) => infill.prefix !== null && infill.suffix !== null;

/** Prompt and suffix in the order that the model has learnt: the middle comes last. */
function infillTokens(model: LlamaModel, prompt: readonly Token[], suffix: string): Token[] {
  const { prefix, suffix: suffixToken, middle } = model.tokens.infill;
  if (prefix === null || suffixToken === null)
    throw new RunnerFailure("not_supported", "this model cannot fill in text before a suffix");
  const after = model.tokenize(suffix, false, "trimLeadingSpace");
  return middle === null
    ? [suffixToken, ...after, prefix, ...prompt]
    : [prefix, ...prompt, suffixToken, ...after, middle];
}

/**
 * The begin token is in front where the model wants one and the text has none.
 * @throws RunnerFailure not_supported, bad_request.
 */
export function promptTokens(model: LlamaModel, request: RunnerGenerate): Token[] {
  const text = model.tokenize(request.prompt, true);
  const whole = request.suffix === undefined ? text : infillTokens(model, text, request.suffix);
  const tokens = [...(request.prefix as Token[]), ...whole];
  const { bos, shouldPrependBosToken } = model.tokens;
  if (bos !== null && shouldPrependBosToken && tokens[0] !== bos) tokens.unshift(bos);
  if (tokens.length === 0) throw new RunnerFailure("bad_request", "the prompt has no tokens");
  return tokens;
}
