import type { SequenceEvaluateOptions, Token } from "node-llama-cpp";
import { randomInt } from "node:crypto";
import type { Sampling } from "../../../contract/model/runner.ts";

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
  const { repeat_penalty: penalty, presence_penalty: presencePenalty, frequency_penalty: frequencyPenalty } = sampling;
  // The engine reserves memory for that many, however few there are.
  const lastTokens = sampling.repeat_last_n < 0 ? window : Math.min(sampling.repeat_last_n, window);
  const neutral = penalty === 1 && presencePenalty === 0 && frequencyPenalty === 0;
  return {
    temperature: sampling.temperature,
    topK: sampling.top_k,
    topP: sampling.top_p,
    minP: sampling.min_p,
    // The engine's own default changes only once a second.
    seed: sampling.seed < 0 ? randomInt(maxSeed) : sampling.seed,
    ...(!neutral &&
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
