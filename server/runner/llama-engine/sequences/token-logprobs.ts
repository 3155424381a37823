import type { LlamaModel, Token } from "node-llama-cpp";
import type { TokenLogprob } from "../../../contract/model/runner.ts";
import { tokenBytes } from "./token-bytes.ts";

/** Replaces the logarithm of zero, which JSON cannot represent. */
const least = -9999;
const logOf = (probability: number) => (probability > 0 ? Math.max(least, Math.log(probability)) : least);

/**
 * The log probabilities of a token and of the `top` likeliest ones. `probabilities` are those from which the token was
 * drawn: after top_k, top_p and temperature; with temperature 0 the model's own.
 */
export function tokenLogprob(
  model: LlamaModel,
  token: Token,
  { probabilities, top }: { probabilities: ReadonlyMap<Token, number>; top: number },
): TokenLogprob {
  const names: readonly string[] = model.fileInfo.metadata.tokenizer.ggml.tokens;
  const likelihood = (some: Token, probability: number) => {
    const text = model.detokenize([some], true);
    return { token: text, bytes: tokenBytes(names[some], text), logprob: logOf(probability) };
  };
  return {
    ...likelihood(token, probabilities.get(token) ?? 0),
    top: [...probabilities].slice(0, top).map(([some, probability]) => likelihood(some, probability)),
  };
}
