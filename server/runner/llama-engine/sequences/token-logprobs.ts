import type { LlamaModel, Token } from "node-llama-cpp";
import type { TokenLogprob } from "../../../contract/model/runner.ts";
import { tokenBytes } from "./token-bytes.ts";

/** Replaces the logarithm of zero, which JSON cannot represent. */
const least = -9999;
const logOf = (probability: number) => (probability > 0 ? Math.max(least, Math.log(probability)) : least);

export interface TokenLogprobOptions {
  readonly probabilities: ReadonlyMap<Token, number>;
  readonly top: number;
  /** The text that a token adds to the answer at this place. */
  readonly textOf: (token: Token) => string;
}

/**
 * The log probabilities of a token and of the `top` likeliest ones. `probabilities` are those from which the token was
 * drawn: after top_k, top_p and temperature; with temperature 0 the model's own. The engine's API has no others.
 */
export function tokenLogprob(
  model: LlamaModel,
  token: Token,
  { probabilities, top, textOf }: TokenLogprobOptions,
): TokenLogprob {
  const names: readonly string[] = model.fileInfo.metadata.tokenizer.ggml.tokens;
  const likelihood = (some: Token, probability: number) => {
    const alone = model.detokenize([some], true);
    // The answer decides on the leading space. A part of a character has no text there, and a control token may have none.
    const text = alone.includes("\uFFFD") ? alone : textOf(some) || alone;
    return { token: text, bytes: tokenBytes(names[some], text), logprob: logOf(probability) };
  };
  return {
    ...likelihood(token, probabilities.get(token) ?? 0),
    top: [...probabilities].slice(0, top).map(([some, probability]) => likelihood(some, probability)),
  };
}
