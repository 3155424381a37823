/** Reads the chunks of a streamed answer in OpenAI's shape. It knows nothing of HTTP. */
import type { AnswerChunk, DoneChunk } from "../chat-completion.ts";
import { argumentsOf } from "../chat/answer/json-in-text.ts";
import { randomId } from "../options/random-id.ts";
import type { CallPart, OpenAiChunk } from "./openai-wire.ts";

/** A call whose arguments still come in. */
interface OpenCall {
  readonly at: number | undefined;
  readonly id: string;
  readonly name: string;
  text: string;
}

export interface OpenAiAnswer {
  push(chunk: OpenAiChunk): AnswerChunk[];
  /** Whether the upstream has said why it ended. */
  readonly isFinished: boolean;
  /** The last chunks, once the stream has ended. */
  end(): AnswerChunk[];
}

type Choice = NonNullable<OpenAiChunk["choices"]>[number];

const logprobsOf = ({ logprobs }: Choice) =>
  logprobs?.content && {
    logprobs: logprobs.content.map(({ top_logprobs: top = [], ...one }) => ({
      ...one,
      bytes: one.bytes ?? [],
      top: top.map((other) => ({ ...other, bytes: other.bytes ?? [] })),
    })),
  };

/** `now` in milliseconds: the API tells no durations, so they are measured. */
export function createOpenAiAnswer(now: () => number): OpenAiAnswer {
  const began = now();
  let firstToken: number | undefined;
  let finish: string | undefined;
  let stopSequence: string | undefined;
  let usage: OpenAiChunk["usage"];
  let calls = 0;
  let open: OpenCall | undefined;

  const nanoseconds = (ms: number) => Math.max(1, Math.round(ms * 1e6));

  function closeCall(): AnswerChunk[] {
    if (open === undefined) return [];
    const { id, name, text } = open;
    open = undefined;
    const index = calls++;
    const args = argumentsOf(text.trim());
    if (args !== undefined) return [{ type: "tool_call", call: { id, index, name, arguments: args } }];
    return [{ type: "cut_call", call: { id, index, name, arguments: text } }];
  }

  /** Each call begins with its name; later parts add to its arguments. Some engines give all calls one index, or none. */
  function pushCall({ index, id = "", function: called }: CallPart): AnswerChunk[] {
    const name = called?.name ?? "";
    const isOther = index === undefined || (id !== "" && id !== open?.id);
    const isNew = open === undefined || (index !== undefined && index !== open.at) || (name !== "" && isOther);
    const closed = isNew ? closeCall() : [];
    if (isNew) open = { at: index, id: id === "" ? randomId("call_") : id, name, text: "" };
    if (open !== undefined) open.text += called?.arguments ?? "";
    return closed;
  }

  function pushChoice(choice: Choice): AnswerChunk[] {
    const { delta, finish_reason: reason, stop_reason: stop } = choice;
    let logprobs = logprobsOf(choice);
    const take = () => {
      const taken = logprobs;
      logprobs = undefined;
      return taken;
    };
    const chunks: AnswerChunk[] = [];
    const thoughts = delta?.reasoning ?? delta?.reasoning_content ?? "";
    const content = delta?.content ?? choice.text ?? "";
    if (thoughts !== "") chunks.push({ type: "thinking", text: thoughts, ...take() });
    if (content !== "") chunks.push({ type: "content", text: content, ...take() });
    for (const part of delta?.tool_calls ?? []) chunks.push(...pushCall(part));
    if (logprobs !== undefined && logprobs.logprobs.length > 0) chunks.push({ type: "content", text: "", ...take() });
    if (reason !== undefined) finish = reason;
    if (typeof stop === "string") stopSequence = stop;
    if (chunks.length > 0 || open !== undefined) firstToken ??= now();
    return chunks;
  }

  function doneChunk(): DoneChunk {
    const ended = now();
    return {
      type: "done",
      figures: {
        done_reason: finish === "length" ? "length" : "stop",
        total_duration: nanoseconds(ended - began),
        load_duration: 0,
        prompt_eval_count: usage?.prompt_tokens ?? 0,
        prompt_eval_duration: nanoseconds((firstToken ?? ended) - began),
        eval_count: usage?.completion_tokens ?? 0,
        eval_duration: nanoseconds(ended - (firstToken ?? ended)),
      },
      stopSequence,
      context: undefined,
      cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
      thoughtTokens: usage?.completion_tokens_details?.reasoning_tokens ?? 0,
      cutTokens: 0,
      droppedMessages: 0,
    };
  }

  return {
    push(chunk) {
      usage = chunk.usage ?? usage;
      return (chunk.choices ?? []).flatMap(pushChoice);
    },
    get isFinished() {
      return finish !== undefined;
    },
    end: () => [...closeCall(), doneChunk()],
  };
}
