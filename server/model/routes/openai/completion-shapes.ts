/** A plain completion in OpenAI's format: one object, or chunks of the same kind. */
import type { TokenLogprob } from "../../../contract/model/runner.ts";
import type { AnswerChunk, DoneChunk } from "../../chat-completion.ts";
import type { Answer } from "../collect-answer.ts";
import { cutOf } from "../context-cut.ts";
import type { SentEvent } from "../send-events.ts";
import { doneEvent, fingerprint, usageOf, type Head } from "./chat-shapes.ts";

const noUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

/** The four parallel lists of log probabilities on this route; `offset`: where the first token begins. */
function logprobsOf(logprobs: readonly TokenLogprob[], offset: number) {
  let at = offset;
  return {
    tokens: logprobs.map(({ token }) => token),
    token_logprobs: logprobs.map(({ logprob }) => logprob),
    top_logprobs: logprobs.map(({ top }) => Object.fromEntries(top.map(({ token, logprob }) => [token, logprob]))),
    text_offset: logprobs.map(({ token }) => (at += token.length) - token.length),
  };
}

const object = (head: Head, rest: object) => ({
  ...head,
  object: "text_completion",
  system_fingerprint: fingerprint,
  ...rest,
});

const choice = (text: string, finishReason: string | null, logprobs: readonly TokenLogprob[] = [], offset = 0) => ({
  text,
  index: 0,
  finish_reason: finishReason,
  ...(logprobs.length > 0 && { logprobs: logprobsOf(logprobs, offset) }),
});

/** The answer to a request without `stream`. */
export const textCompletion = (
  head: Head,
  { content, logprobs, done }: Pick<Answer, "content" | "logprobs" | "done">,
) =>
  object(head, {
    choices: [choice(content, done.figures.done_reason, logprobs)],
    usage: usageOf(done),
    ...cutOf(done),
  });

/** The answer to an empty prompt, which only loads the model. */
export const loadedCompletion = (head: Head) => object(head, { choices: [choice("", "load")], usage: noUsage });

/** Renders the chunks of one streamed completion. With usage, each chunk has one, and the last one counts. */
export function completionChunks(head: Head, withUsage: boolean): (chunk: AnswerChunk) => SentEvent[] {
  let sent = 0;
  const event = (choices: readonly object[], rest: object = {}): SentEvent => ({
    data: object(head, { choices, ...(withUsage && { usage: noUsage }), ...rest }),
  });
  const ending = (done: DoneChunk) => [
    event([choice("", done.figures.done_reason)], cutOf(done)),
    ...(withUsage ? [event([], { usage: usageOf(done) })] : []),
    doneEvent,
  ];
  return (chunk) => {
    if (chunk.type === "done") return ending(chunk);
    if (chunk.type !== "content") return [];
    const begun = sent;
    sent += chunk.text.length;
    return [event([choice(chunk.text, null, chunk.logprobs, begun)])];
  };
}
