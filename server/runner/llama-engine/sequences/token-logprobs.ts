import type { LlamaModel, Token } from "node-llama-cpp";
import type { TokenLogprob } from "../../../contract/model/runner.ts";
import { tokenBytes } from "./token-bytes.ts";

/** Replaces the logarithm of zero, which JSON cannot represent. */
const least = -9999;
const logOf = (probability: number) => (probability > 0 ? Math.max(least, Math.log(probability)) : least);

/** A drawn token with the probabilities of all tokens, or of this one alone, which costs far less. */
export interface Drawn {
  readonly token: Token;
  readonly probabilities?: ReadonlyMap<Token, number>;
  readonly confidence?: number;
}

export interface TokenLogprobOptions {
  readonly top: number;
  /** The text that a token adds to the answer at this place. */
  readonly textOf: (token: Token) => string;
}

/**
 * The log probabilities of a token and of the `top` likeliest ones, as the token was drawn from them: after top_k, top_p
 * and temperature; with temperature 0 the model's own. The engine's API has no others.
 */
export function tokenLogprob(
  model: LlamaModel,
  { token, probabilities = new Map(), confidence = probabilities.get(token) ?? 0 }: Drawn,
  { top, textOf }: TokenLogprobOptions,
): TokenLogprob {
  const names: readonly string[] = model.fileInfo.metadata.tokenizer.ggml.tokens;
  const likelihood = (some: Token, probability: number) => {
    const alone = model.detokenize([some], true);
    // The answer decides on the leading space. A part of a character has no text there, and a control token may have none.
    const text = alone.includes("\uFFFD") ? alone : textOf(some) || alone;
    return { token: text, bytes: tokenBytes(names[some], text), logprob: logOf(probability) };
  };
  return {
    ...likelihood(token, confidence),
    top: [...probabilities].slice(0, top).map(([some, probability]) => likelihood(some, probability)),
  };
}
