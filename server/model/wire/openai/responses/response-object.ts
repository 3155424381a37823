/** The response object of POST /v1/responses, during the answer and at its end. */
import type { OpenAiResponses } from "../../../../contract/model/openai.ts";
import type { DoneChunk } from "../../../chat-completion.ts";
import { cutOf } from "../../answer-reply.ts";
import { echoTools } from "./responses-tools.ts";

/** The members known before the answer. `createdAt`: Unix seconds. */
export interface ResponseHead {
  readonly id: string;
  readonly createdAt: number;
  readonly model: string;
  readonly body: OpenAiResponses;
}

const usageOf = ({ figures, cachedTokens, thoughtTokens }: DoneChunk) => ({
  input_tokens: figures.prompt_eval_count,
  output_tokens: figures.eval_count,
  total_tokens: figures.prompt_eval_count + figures.eval_count,
  input_tokens_details: { cached_tokens: cachedTokens },
  output_tokens_details: { reasoning_tokens: thoughtTokens },
});

/**
 * Without `done` the answer is in progress. A truncated one is "completed" as in Ollama, but has the reason why it is
 * incomplete (our choice, for clients that look there).
 */
export function responseObject(
  { id, createdAt, model, body }: ResponseHead,
  output: readonly object[],
  done?: DoneChunk,
  completedAt: number | null = null,
) {
  const wasCut = done?.figures.done_reason === "length";
  return {
    id,
    object: "response",
    created_at: createdAt,
    completed_at: completedAt,
    status: done === undefined ? "in_progress" : "completed",
    incomplete_details: wasCut ? { reason: "max_output_tokens" } : null,
    model,
    previous_response_id: body.previous_response_id ?? null,
    instructions: body.instructions ?? null,
    output,
    error: null,
    tools: echoTools(body.tools),
    tool_choice: body.tool_choice ?? "auto",
    truncation: "disabled",
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    text: { format: body.text?.format ?? { type: "text" } },
    top_p: body.top_p ?? 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    top_logprobs: body.top_logprobs ?? 0,
    temperature: body.temperature ?? 1,
    reasoning: body.reasoning ?? null,
    usage: done === undefined ? null : usageOf(done),
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: null,
    store: body.store ?? true,
    background: false,
    service_tier: "default",
    metadata: {},
    safety_identifier: null,
    prompt_cache_key: null,
    ...(done !== undefined && cutOf(done)),
  };
}
