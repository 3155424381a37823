/** What stands in for an answer of which the starter model is not sure: within the request's limits, as an answer would be. */
import type { AnswerChunk } from "../chat-completion.ts";
import type { GenerationChunk, LoadedModel } from "../engine/engine.ts";
import type { Unsure } from "../starter/gate.ts";
import type { ModelOptions } from "../options/model-options.ts";

export type EngineDone = Extract<GenerationChunk, { type: "done" }>;

interface GivenUp {
  readonly prompt: string;
  readonly options: Pick<ModelOptions, "num_predict" | "stop">;
  /** When the model began, by `performance.now()`. */
  readonly beganMs: number;
}

/** The first of the texts that a text holds, and where. */
const firstOf = (stops: readonly string[], text: string) =>
  stops
    .map((stop) => ({ stop, at: text.indexOf(stop) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0];

/**
 * The questions are the text's end, for clients that read text alone. The figures are those of the answer that was given
 * up; nobody has told the times of its prompt and its tokens apart.
 */
export async function refuse(
  { refusal: { text, suggestions }, tokens }: Unsure,
  { prompt, options: { num_predict: most, stop: stops }, beganMs }: GivenUp,
  loaded: Pick<LoadedModel, "tokenize" | "detokenize" | "countPrompt">,
  signal: AbortSignal,
): Promise<{ readonly refusal: AnswerChunk[]; readonly done: EngineDone }> {
  const questions = `\n\n${suggestions.map((question) => `- ${question}`).join("\n")}`;
  const whole = text + questions;
  const all = most < 0 ? [] : await loaded.tokenize(whole, signal);
  const isCut = most >= 0 && all.length > most;
  const within = isCut ? await loaded.detokenize(all.slice(0, most), signal) : whole;
  const end = firstOf(stops, within);
  const told = end === undefined ? within : within.slice(0, end.at);
  return {
    // The questions are offered whatever there was room for.
    refusal: [
      { type: "content", text: told.slice(0, text.length) },
      { type: "content", text: told.slice(text.length), suggestions },
    ],
    done: {
      type: "done",
      reason: isCut && end === undefined ? "length" : "stop",
      ...(end && { stop: end.stop }),
      prompt_tokens: await loaded.countPrompt(prompt, signal),
      cached_tokens: 0,
      cut_tokens: 0,
      prompt_ns: 1,
      eval_tokens: tokens,
      eval_ns: Math.max(1, Math.round((performance.now() - beganMs) * 1e6)),
      drafted_tokens: 0,
      accepted_tokens: 0,
    },
  };
}
