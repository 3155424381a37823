import type { SequenceEvaluateOptions, Token } from "node-llama-cpp";
import { randomInt } from "node:crypto";
import type { Sampling } from "../../../contract/model/model-options.ts";

const maxSeed = 2 ** 31 - 1;

/**
 * The engine's sampling options. Neutral values are set as well, because the engine's own defaults differ from
 * Ollama's. `recent` returns that many of the newest tokens of prompt and answer, for the penalties.
 */
export function samplingOptions(
  sampling: Sampling,
  window: number,
  recent: (count: number) => Token[],
): SequenceEvaluateOptions {
  const { temperature, top_k, top_p, min_p, seed, repeat_last_n, ...penalties } = sampling;
  const {
    repeat_penalty: penalty,
    presence_penalty: presencePenalty,
    frequency_penalty: frequencyPenalty,
    ...others
  } = penalties;
  // An option that is not passed on to the engine does not compile.
  others satisfies Readonly<Record<string, never>>;
  // The engine reserves memory for all of them, however few there are.
  const lastTokens = repeat_last_n < 0 ? window : Math.min(repeat_last_n, window);
  const isNeutral = penalty === 1 && presencePenalty === 0 && frequencyPenalty === 0;
  return {
    temperature,
    topK: top_k,
    topP: top_p,
    minP: min_p,
    // The engine's own default changes only once a second.
    seed: seed < 0 ? randomInt(maxSeed) : seed,
    ...(!isNeutral &&
      lastTokens > 0 && {
        repeatPenalty: {
          punishTokens: () => recent(lastTokens),
          maxPunishTokens: lastTokens,
          penalty,
          presencePenalty,
          frequencyPenalty,
        },
      }),
  };
}
