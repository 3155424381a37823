/** Plain completions as OpenAI has them: one object, or chunks of the same kind. */
import type { TokenLogprob } from "../../../contract/model/runner.ts";
import type { AnswerChunk, DoneChunk } from "../../chat-completion.ts";
import type { CollectedAnswer } from "../collect-answer.ts";
import { cutOf } from "../answer-reply.ts";
import type { SentEvent } from "../send-events.ts";
import {
  doneEvent,
  systemFingerprint,
  sumOfUsage,
  usageAgain,
  usageOf,
  type Head,
  type OpenAiUsage,
} from "./chat-shapes.ts";

const noUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

/**
 * Makes the four parallel lists of log probabilities on this route, part by part of one text. Where a token begins is told
 * by the bytes of those before it, because the text of a part may lag behind its tokens, and a token end inside a character.
 */
function createLogprobLists() {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let length = 0;
  const begin = ({ token, bytes }: TokenLogprob): number => {
    const at = length;
    // Some upstreams send no bytes.
    length += decoder.decode(bytes.length > 0 ? Uint8Array.from(bytes) : Buffer.from(token), { stream: true }).length;
    return at;
  };
  return (logprobs: readonly TokenLogprob[] = []) =>
    logprobs.length > 0 && {
      logprobs: {
        tokens: logprobs.map(({ token }) => token),
        token_logprobs: logprobs.map(({ logprob }) => logprob),
        top_logprobs: logprobs.map(({ top }) => Object.fromEntries(top.map(({ token, logprob }) => [token, logprob]))),
        text_offset: logprobs.map(begin),
      },
    };
}

const object = (head: Head, rest: object) => ({
  ...head,
  object: "text_completion",
  system_fingerprint: systemFingerprint,
  ...rest,
});

/** The beginnings of the choices' texts, in their order, and the number of choices for each prompt. */
interface Choices {
  readonly heads: readonly string[];
  readonly perPrompt: number;
}

interface Piece {
  readonly text: string;
  readonly index: number;
  readonly finishReason: string | null;
}

const choice = ({ text, index, finishReason }: Piece) => ({ text, index, finish_reason: finishReason });

/** The usage of the answer at an index: each prompt has `perPrompt` answers, and counts once. */
const usageAt = (index: number, done: DoneChunk, perPrompt: number) =>
  index % perPrompt === 0 ? usageOf(done) : usageAgain(usageOf(done));

/**
 * The answers to a request without `stream`, in the order of its choices; each text begins with that of `heads`. Each prompt
 * has `perPrompt` answers.
 */
export const textCompletion = (
  head: Head,
  answers: readonly Pick<CollectedAnswer, "content" | "logprobs" | "done">[],
  { heads, perPrompt }: Choices,
) =>
  object(head, {
    choices: answers.map(({ content, logprobs, done }, index) => {
      const text = (heads[index] ?? "") + content;
      return { ...choice({ text, index, finishReason: done.figures.done_reason }), ...createLogprobLists()(logprobs) };
    }),
    usage: answers.map(({ done }, index) => usageAt(index, done, perPrompt)).reduce(sumOfUsage),
    ...answers.map(({ done }) => cutOf(done)).find((cut) => "context_cut" in cut),
  });

/** The answer to an empty prompt, which only loads the model. */
export const loadedCompletion = (head: Head) =>
  object(head, { choices: [choice({ text: "", index: 0, finishReason: "load" })], usage: noUsage });

/**
 * Renders the chunks of streamed completions that follow each other, one for each of `heads`, with which their texts begin.
 * With usage, each chunk has one, and the last one's counts.
 */
export function completionChunks(
  head: Head,
  { heads, perPrompt }: Choices,
  withUsage: boolean,
): (chunk: AnswerChunk) => SentEvent[] {
  let index = 0;
  let isBegun = false;
  let listsOf = createLogprobLists();
  let used: OpenAiUsage | undefined;
  const event = (choices: readonly object[], rest: object = {}): SentEvent => ({
    data: object(head, { choices, ...(withUsage && { usage: noUsage }), ...rest }),
  });
  /** The beginning of its text, once. */
  const begin = () => {
    const text = isBegun ? "" : (heads[index] ?? "");
    isBegun = true;
    return text === "" ? [] : [event([choice({ text, index, finishReason: null })])];
  };
  const end = (done: DoneChunk) => {
    const events = [
      ...begin(),
      event([choice({ text: "", index, finishReason: done.figures.done_reason })], cutOf(done)),
    ];
    used = used === undefined ? usageOf(done) : sumOfUsage(used, usageAt(index, done, perPrompt));
    isBegun = false;
    listsOf = createLogprobLists();
    if (++index < heads.length) return events;
    return [...events, ...(withUsage ? [event([], { usage: used })] : []), doneEvent];
  };
  return (chunk) => {
    if (chunk.type === "done") return end(chunk);
    if (chunk.type !== "content") return [];
    const begun = begin();
    const { text, logprobs } = chunk;
    return [...begun, event([{ ...choice({ text, index, finishReason: null }), ...listsOf(logprobs) }])];
  };
}
