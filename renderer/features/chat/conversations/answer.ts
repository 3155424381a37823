/** Builds an answer from the lines of its stream. */
import type { ChatChunk } from "../../../../server/contract/model/ollama.ts";
import type { Turn } from "./conversation.ts";

export function withChunk(answer: Turn, chunk: ChatChunk): Turn {
  const { content, thinking = "", tool_calls = [] } = chunk.message;
  const calls = tool_calls.map(({ id, function: { name, arguments: args } }) => ({ id, name, arguments: args }));
  const metrics = chunk.done ? metricsOf(chunk) : undefined;
  const { context_cut: cut, suggestions } = chunk;
  return {
    ...answer,
    // Suggestions are shown as buttons, not as the list that other clients get.
    content: answer.content + (suggestions ? "" : content),
    ...(suggestions && { suggestions: [...suggestions] }),
    ...(thinking !== "" && { thinking: (answer.thinking ?? "") + thinking }),
    ...(calls.length > 0 && { calls: [...(answer.calls ?? []), ...calls] }),
    ...(metrics && { metrics }),
    ...(chunk.done && chunk.done_reason === "length" && { ended: "length" as const }),
    ...(cut && { leftOut: { messages: cut.dropped_messages, tokens: cut.cut_tokens } }),
  };
}

/** The first token comes after the model was loaded and the prompt evaluated. */
function metricsOf(chunk: ChatChunk): Turn["metrics"] {
  const { eval_count = 0, eval_duration = 0, load_duration = 0, prompt_eval_duration = 0 } = chunk;
  if (eval_count === 0 || eval_duration === 0) return undefined;
  return {
    tokens: eval_count,
    tokensPerSecond: eval_count / (eval_duration / 1e9),
    firstTokenMs: (load_duration + prompt_eval_duration) / 1e6,
  };
}

/** Whether the answer has no text, thoughts or calls. */
export const isSilent = ({ content, thinking = "", calls = [] }: Turn) =>
  content === "" && thinking === "" && calls.length === 0;
