/** A chat's answer in OpenAI's format: one object, or chunks. */
import type { TokenLogprob } from "../../../contract/model/runner.ts";
import { argumentsText, type AnswerChunk, type CutCall, type DoneChunk, type ToolCall } from "../../chat-completion.ts";
import type { CollectedAnswer } from "../collect-answer.ts";
import { cutOf } from "../answer-reply.ts";
import type { SentEvent } from "../send-events.ts";

/** The first members of all objects of one answer. `created`: Unix seconds. */
export interface Head {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

export const systemFingerprint = "fp_ollama";

/** Sent after the last chunk. */
export const doneEvent: SentEvent = { data: "[DONE]" };

export const usageOf = ({ figures, cachedTokens, thoughtTokens }: DoneChunk) => ({
  prompt_tokens: figures.prompt_eval_count,
  completion_tokens: figures.eval_count,
  total_tokens: figures.prompt_eval_count + figures.eval_count,
  prompt_tokens_details: { cached_tokens: cachedTokens },
  completion_tokens_details: { reasoning_tokens: thoughtTokens },
});

export type OpenAiUsage = ReturnType<typeof usageOf>;

/** The usage of an answer whose prompt another answer of the request has counted. */
export const usageAgain = (usage: OpenAiUsage): OpenAiUsage => ({
  ...usage,
  prompt_tokens: 0,
  total_tokens: usage.completion_tokens,
  prompt_tokens_details: { cached_tokens: 0 },
});

/** The usage of two answers to one request. */
export const sumOfUsage = (a: OpenAiUsage, b: OpenAiUsage): OpenAiUsage => ({
  prompt_tokens: a.prompt_tokens + b.prompt_tokens,
  completion_tokens: a.completion_tokens + b.completion_tokens,
  total_tokens: a.total_tokens + b.total_tokens,
  prompt_tokens_details: {
    cached_tokens: a.prompt_tokens_details.cached_tokens + b.prompt_tokens_details.cached_tokens,
  },
  completion_tokens_details: {
    reasoning_tokens: a.completion_tokens_details.reasoning_tokens + b.completion_tokens_details.reasoning_tokens,
  },
});

const callOf = (call: ToolCall | CutCall) => ({
  id: call.id,
  index: call.index,
  type: "function",
  function: { name: call.name, arguments: argumentsText(call) },
});

/** Tokens in OpenAI's names. */
export const wireLogprobs = (logprobs: readonly TokenLogprob[] = []) =>
  logprobs.map(({ top, ...token }) => ({ ...token, top_logprobs: top }));

const logprobsOf = (logprobs: readonly TokenLogprob[] | undefined) =>
  logprobs === undefined || logprobs.length === 0 ? {} : { logprobs: { content: wireLogprobs(logprobs) } };

const finishReason = ({ figures }: DoneChunk, hasCalls: boolean) =>
  hasCalls && figures.done_reason === "stop" ? "tool_calls" : figures.done_reason;

/** The answer to a request without `stream`. */
export const chatCompletion = (head: Head, { content, thinking, calls, logprobs, done }: CollectedAnswer) => ({
  ...head,
  object: "chat.completion",
  system_fingerprint: systemFingerprint,
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content,
        ...(thinking !== "" && { reasoning: thinking }),
        ...(calls.length > 0 && { tool_calls: calls.map(callOf) }),
      },
      finish_reason: finishReason(done, calls.length > 0),
      ...logprobsOf(logprobs),
    },
  ],
  usage: usageOf(done),
  ...cutOf(done),
});

function deltaOf(chunk: AnswerChunk): object | undefined {
  switch (chunk.type) {
    case "content":
      return { content: chunk.text };
    case "thinking":
      return { reasoning: chunk.text };
    case "tool_call":
    case "cut_call":
      return { tool_calls: [callOf(chunk.call)] };
    case "cut":
    case "loading":
    case "progress":
    case "done":
      return undefined;
  }
}

/** Renders the chunks of one streamed answer; the last one includes the end of the stream. */
export function chatChunks(head: Head, withUsage: boolean): (chunk: AnswerChunk) => SentEvent[] {
  let hasBegun = false;
  let hasCalls = false;
  const event = (rest: object): SentEvent => ({
    data: { ...head, object: "chat.completion.chunk", system_fingerprint: systemFingerprint, ...rest },
  });
  const withDelta = (delta: object, rest: object = {}) => {
    const role = hasBegun ? {} : { role: "assistant" };
    hasBegun = true;
    return event({ choices: [{ index: 0, delta: { ...role, ...delta }, finish_reason: null, ...rest }] });
  };
  const ending = (done: DoneChunk) => [
    ...(hasBegun ? [] : [withDelta({ content: "" })]),
    event({ choices: [{ index: 0, delta: {}, finish_reason: finishReason(done, hasCalls) }], ...cutOf(done) }),
    ...(withUsage ? [event({ choices: [], usage: usageOf(done) })] : []),
    doneEvent,
  ];
  return (chunk) => {
    if (chunk.type === "done") return ending(chunk);
    const delta = deltaOf(chunk);
    if (delta === undefined) return [];
    hasCalls ||= "call" in chunk;
    return [withDelta(delta, "logprobs" in chunk ? logprobsOf(chunk.logprobs) : {})];
  };
}
