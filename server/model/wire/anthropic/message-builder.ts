/** Builds the answer of POST /v1/messages chunk by chunk: the events of the stream, and the complete message. */
import {
  argumentsText,
  isCut,
  type AnswerChunk,
  type CutCall,
  type DoneChunk,
  type ToolCall,
} from "../../chat-completion.ts";
import { earlierArguments } from "../../chat/answer/json-in-text.ts";
import { cutOf } from "../answer-reply.ts";
import type { SentEvent } from "../send-events.ts";

export interface MessageHead {
  readonly id: string;
  readonly model: string;
  /** An estimate of the prompt's tokens, until they are counted. */
  readonly estimatedTokens: number;
  /** The texts to stop at that the client sent. */
  readonly stopSequences: readonly string[];
}

export interface MessageBuilder {
  /** The events for a chunk; the first one opens the message. */
  readonly render: (chunk: AnswerChunk) => SentEvent[];
  /** The message, after the last chunk. */
  readonly message: () => object | undefined;
}

/** An open block of text. */
interface OpenBlock {
  readonly type: "text" | "thinking";
  readonly index: number;
  text: string;
}

const event = (type: string, fields: object): SentEvent => ({ name: type, data: { type, ...fields } });

const contentBlock = (type: OpenBlock["type"], text: string) =>
  type === "text" ? { type, text } : { type, thinking: text, signature: "" };

const deltaOf = (type: OpenBlock["type"], text: string) =>
  type === "text" ? { type: "text_delta", text } : { type: "thinking_delta", thinking: text };

/**
 * `lastCall`: the last one of the answer, if any. Whole calls go before the limit, as in Ollama. `stopSequence`: the one of
 * the client's that ended the answer; those of the model itself end its turn.
 */
function stopReason({ figures }: DoneChunk, lastCall: ToolCall | CutCall | undefined, stopSequence: string | null) {
  if (lastCall !== undefined && !isCut(lastCall)) return "tool_use";
  if (stopSequence !== null) return "stop_sequence";
  if (figures.done_reason === "length") return "max_tokens";
  // An upstream's call whose arguments are no object is whole, too.
  return lastCall === undefined ? "end_turn" : "tool_use";
}

/** The input as an object; for a truncated call its complete members. */
const inputOf = (call: ToolCall | CutCall) => (isCut(call) ? (earlierArguments(call.arguments) ?? {}) : call.arguments);

/** Cached tokens are not part of `input_tokens`, because clients add the two. */
const usageOf = ({ figures, cachedTokens }: DoneChunk) => ({
  input_tokens: figures.prompt_eval_count - cachedTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: cachedTokens,
  output_tokens: figures.eval_count,
});

export function createMessageBuilder({ id, model, estimatedTokens, stopSequences }: MessageHead): MessageBuilder {
  const content: object[] = [];
  let lastCall: ToolCall | CutCall | undefined;
  let promptTokens = estimatedTokens;
  let hasBegun = false;
  let open: OpenBlock | undefined;
  let finished: object | undefined;
  const head = { id, type: "message", role: "assistant", model };

  function closeOpen(): SentEvent[] {
    if (open === undefined) return [];
    const { type, text, index } = open;
    content.push(contentBlock(type, text));
    open = undefined;
    return [event("content_block_stop", { index })];
  }
  function addText(type: OpenBlock["type"], text: string): SentEvent[] {
    const events: SentEvent[] = [];
    if (open?.type !== type) {
      events.push(...closeOpen());
      open = { type, index: content.length, text: "" };
      events.push(event("content_block_start", { index: open.index, content_block: contentBlock(type, "") }));
    }
    open.text += text;
    return [...events, event("content_block_delta", { index: open.index, delta: deltaOf(type, text) })];
  }
  function addCall(call: ToolCall | CutCall): SentEvent[] {
    const closing = closeOpen();
    const index = content.length;
    const block = { type: "tool_use", id: call.id, name: call.name };
    content.push({ ...block, input: inputOf(call) });
    lastCall = call;
    const delta = { type: "input_json_delta", partial_json: argumentsText(call) };
    return [
      ...closing,
      event("content_block_start", { index, content_block: { ...block, input: {} } }),
      event("content_block_delta", { index, delta }),
      event("content_block_stop", { index }),
    ];
  }
  function end(done: DoneChunk): SentEvent[] {
    const closing = closeOpen();
    const sequence = stopSequences.find((one) => one === done.stopSequence) ?? null;
    const ending = { stop_reason: stopReason(done, lastCall, sequence), stop_sequence: sequence };
    const usage = usageOf(done);
    finished = { ...head, content, ...ending, usage, ...cutOf(done) };
    return [...closing, event("message_delta", { delta: ending, usage, ...cutOf(done) }), event("message_stop", {})];
  }
  const begin = () => {
    hasBegun = true;
    const usage = { input_tokens: promptTokens, output_tokens: 0 };
    const message = { ...head, content: [], stop_reason: null, stop_sequence: null, usage };
    return event("message_start", { message });
  };
  function renderChunk(chunk: AnswerChunk): SentEvent[] {
    if (chunk.type === "content" || chunk.type === "thinking")
      return chunk.text === "" ? [] : addText(chunk.type === "content" ? "text" : "thinking", chunk.text);
    if (chunk.type === "tool_call" || chunk.type === "cut_call") return addCall(chunk.call);
    return chunk.type === "done" ? end(chunk) : [];
  }
  return {
    render(chunk) {
      if (chunk.type === "progress") {
        promptTokens = chunk.total;
        return [];
      }
      if (chunk.type === "cut" || chunk.type === "loading") return [];
      return [...(hasBegun ? [] : [begin()]), ...renderChunk(chunk)];
    },
    message: () => finished,
  };
}
