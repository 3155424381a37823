/** The refusal that replaces an answer of which the starter model is not sure, within the request's limits. */
import type { AnswerChunk, ChatRequest, Completions } from "../chat-completion.ts";
import type { InstalledModel } from "../models/library/installed-model.ts";
import type { ModelOptions } from "../../contract/model/model-options.ts";
import type { GateRefusal } from "./gate.ts";

interface Refused {
  readonly model: InstalledModel;
  readonly request: ChatRequest;
  readonly options: Pick<ModelOptions, "num_predict" | "stop">;
  /** Tokens of the answer that was given up. */
  readonly tokens: number;
  readonly droppedMessages: number;
  /** When the request and the answer began, by `performance.now()`. */
  readonly beganMs: number;
  readonly answerBeganMs: number;
}

const nanoseconds = (ms: number) => Math.max(1, Math.round(ms * 1e6));

/** The first of the texts that a text holds, and where. */
const firstOf = (stops: readonly string[], text: string) =>
  stops
    .map((stop) => ({ stop, at: text.indexOf(stop) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0];

/**
 * The questions are the text's end, for clients that read text alone. The figures are those of the answer that was given
 * up; the times of its prompt and its tokens are not known apart.
 */
export async function refuse(
  completions: Completions,
  { text, suggestions }: GateRefusal,
  { model, request, options, tokens, droppedMessages, beganMs, answerBeganMs }: Refused,
  signal: AbortSignal,
): Promise<{ readonly chunks: AnswerChunk[]; readonly promptTokens: number }> {
  const { num_predict: most, stop: stops } = options;
  const whole = `${text}\n\n${suggestions.map((question) => `- ${question}`).join("\n")}`;
  const all = most < 0 ? [] : await completions.tokenize(model, { ...request, text: whole }, signal);
  const isCut = most >= 0 && all.length > most;
  const within = isCut
    ? await completions.detokenize(model, { ...request, tokens: all.slice(0, most) }, signal)
    : whole;
  const end = firstOf(stops, within);
  const sent = end === undefined ? within : within.slice(0, end.at);
  const promptTokens = await completions.countTokens(model, request, signal);
  const nowMs = performance.now();
  const chunks: AnswerChunk[] = [
    // The questions are offered whatever there was room for.
    { type: "content", text: sent.slice(0, text.length) },
    { type: "content", text: sent.slice(text.length), suggestions },
    {
      type: "done",
      figures: {
        done_reason: isCut && end === undefined ? "length" : "stop",
        total_duration: nanoseconds(nowMs - beganMs),
        load_duration: nanoseconds(answerBeganMs - beganMs),
        prompt_eval_count: promptTokens,
        prompt_eval_duration: 1,
        eval_count: tokens,
        eval_duration: nanoseconds(nowMs - answerBeganMs),
      },
      stopSequence: end?.stop,
      context: undefined,
      cachedTokens: 0,
      thoughtTokens: 0,
      cutTokens: 0,
      droppedMessages,
    },
  ];
  return { chunks, promptTokens };
}
