/** The items of an answer of POST /v1/responses, each with its events. */
import type { TokenLogprob } from "../../../../contract/model/runner.ts";
import { argumentsText, isCut, type CutCall, type ToolCall } from "../../../chat-completion.ts";
import { wireLogprobs } from "../chat-shapes.ts";
import { itemId } from "./item-id.ts";

/** An event without its sequence number; `type` lacks the prefix "response.". */
export type ItemEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/** An item whose text arrives in pieces. */
export interface TextItem {
  readonly kind: "content" | "thinking";
  begin(): ItemEvent[];
  add(text: string, logprobs?: readonly TokenLogprob[]): ItemEvent[];
  /** The last events, and the complete item. */
  end(): { readonly events: ItemEvent[]; readonly item: object };
}

/**
 * The item begins with an empty summary part: Ollama sends no event for the part, and OpenAI's client fails on text for
 * an unknown part.
 */
export function createReasoning(index: number): TextItem {
  const id = itemId("rs_");
  const at = { item_id: id, output_index: index, summary_index: 0 };
  let text = "";
  const item = () => ({
    id,
    type: "reasoning",
    summary: [{ type: "summary_text", text }],
    encrypted_content: text,
  });
  return {
    kind: "thinking",
    begin: () => [{ type: "output_item.added", output_index: index, item: item() }],
    add(delta) {
      text += delta;
      return [{ type: "reasoning_summary_text.delta", ...at, delta }];
    },
    end: () => ({
      events: [
        { type: "reasoning_summary_text.done", ...at, text },
        { type: "output_item.done", output_index: index, item: item() },
      ],
      item: item(),
    }),
  };
}

export function createMessage(index: number): TextItem {
  const id = itemId("msg_");
  const at = { item_id: id, output_index: index, content_index: 0 };
  let text = "";
  const logprobs: object[] = [];
  const part = () => ({ type: "output_text", text, annotations: [], logprobs: [...logprobs] });
  const item = (status: string, content: readonly object[]) => ({
    id,
    type: "message",
    status,
    role: "assistant",
    content,
  });
  return {
    kind: "content",
    begin: () => [
      { type: "output_item.added", output_index: index, item: item("in_progress", []) },
      { type: "content_part.added", ...at, part: part() },
    ],
    add(delta, tokens) {
      text += delta;
      const added = wireLogprobs(tokens);
      logprobs.push(...added);
      return [{ type: "output_text.delta", ...at, delta, logprobs: added }];
    },
    end() {
      const whole = item("completed", [part()]);
      return {
        events: [
          { type: "output_text.done", ...at, text, logprobs },
          { type: "content_part.done", ...at, part: part() },
          { type: "output_item.done", output_index: index, item: whole },
        ],
        item: whole,
      };
    },
  };
}

/** A call arrives complete, with all of its events. */
export function functionCall(index: number, call: ToolCall | CutCall, namespace: string | undefined) {
  const id = itemId("fc_");
  const text = argumentsText(call);
  const at = { item_id: id, output_index: index };
  const item = (status: string, values: string) => ({
    id,
    type: "function_call",
    status,
    call_id: call.id,
    name: call.name,
    arguments: values,
    ...(namespace !== undefined && { namespace }),
  });
  const last = item(isCut(call) ? "incomplete" : "completed", text);
  const events: ItemEvent[] = [
    { type: "output_item.added", output_index: index, item: item("in_progress", "") },
    { type: "function_call_arguments.delta", ...at, delta: text },
    { type: "function_call_arguments.done", ...at, name: call.name, arguments: text },
    { type: "output_item.done", output_index: index, item: last },
  ];
  return { events, item: last };
}
