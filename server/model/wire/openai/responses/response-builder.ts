/** Builds the answer of POST /v1/responses chunk by chunk: the events of the stream, and the complete object. */
import type { TokenLogprob } from "../../../../contract/model/runner.ts";
import type { AnswerChunk, CutCall, DoneChunk, ToolCall } from "../../../chat-completion.ts";
import type { SentEvent } from "../../send-events.ts";
import { nowSeconds } from "../now-seconds.ts";
import { createMessage, createReasoning, functionCall, type ItemEvent, type TextItem } from "./response-items.ts";
import { responseObject, type ResponseHead } from "./response-object.ts";
import type { ResponsesTools } from "./responses-tools.ts";

export interface ResponseBuilder {
  /** The events for a chunk; the first ones open the response. */
  readonly render: (chunk: AnswerChunk) => SentEvent[];
  /** A failure in the middle of the stream. */
  readonly failed: (status: number, message: string) => SentEvent;
  /** The response, once the last chunk is rendered. */
  readonly response: () => ReturnType<typeof responseObject> | undefined;
}

/** Whether a chunk is part of the answer: before the first one, a failure has a status of its own. */
const isAnswer = ({ type }: AnswerChunk) => type !== "progress" && type !== "cut";

export function createResponseBuilder(
  head: ResponseHead,
  { origins }: Pick<ResponsesTools, "origins">,
): ResponseBuilder {
  const output: object[] = [];
  let current: TextItem | undefined;
  let sequence = 0;
  let finished: ReturnType<typeof responseObject> | undefined;

  const event = (type: string, fields: object): SentEvent => ({
    name: type,
    data: { type, sequence_number: sequence++, ...fields },
  });
  const sent = (events: readonly ItemEvent[]) => events.map(({ type, ...fields }) => event(`response.${type}`, fields));

  function closeCurrent(): ItemEvent[] {
    if (current === undefined) return [];
    const { events, item } = current.end();
    output.push(item);
    current = undefined;
    return events;
  }
  function addText(kind: TextItem["kind"], text: string, logprobs?: readonly TokenLogprob[]): ItemEvent[] {
    if (current?.kind === kind) return current.add(text, logprobs);
    const closing = closeCurrent();
    const next = kind === "content" ? createMessage(output.length) : createReasoning(output.length);
    current = next;
    return [...closing, ...next.begin(), ...next.add(text, logprobs)];
  }
  function addCall(call: ToolCall | CutCall): ItemEvent[] {
    const closing = closeCurrent();
    const { name, namespace } = origins.get(call.name) ?? { ...call, namespace: undefined };
    const { events, item } = functionCall(output.length, { ...call, name }, namespace);
    output.push(item);
    return [...closing, ...events];
  }
  function end(done: DoneChunk): SentEvent[] {
    const isEmpty = output.length === 0 && current === undefined;
    const last = [...(isEmpty ? addText("content", "") : []), ...closeCurrent()];
    finished = responseObject(head, output, done, nowSeconds());
    return [...sent(last), event("response.completed", { response: finished })];
  }
  function renderChunk(chunk: AnswerChunk): SentEvent[] {
    switch (chunk.type) {
      case "content":
      case "thinking":
        // Tokens without text belong to an open item; they begin none.
        if (chunk.text === "" && (chunk.logprobs === undefined || current?.kind !== chunk.type)) return [];
        return sent(addText(chunk.type, chunk.text, chunk.logprobs));
      case "tool_call":
      case "cut_call":
        return sent(addCall(chunk.call));
      case "cut":
      case "loading":
      case "progress":
        return [];
      case "done":
        return end(chunk);
    }
  }
  const opening = () => {
    const response = responseObject(head, []);
    return [event("response.created", { response }), event("response.in_progress", { response })];
  };
  return {
    render: (chunk) => [...(sequence === 0 && isAnswer(chunk) ? opening() : []), ...renderChunk(chunk)],
    failed: (_status, message) => event("error", { code: "server_error", message, param: null }),
    response: () => finished,
  };
}
