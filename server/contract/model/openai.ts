/**
 * The OpenAI routes of the model service: their requests. As in Ollama's API `null` means "not given", unknown members
 * are dropped and scalars are not coerced. Members with rules and error texts of their own stay `unknown` for the route
 * to read.
 */
import { z } from "zod";
import { list } from "../bounded-lists.ts";
import { anyWhole, maybe } from "../given.ts";

/** The members that are options of the model, by OpenAI's names; the routes read them by a table. `stop`: one or several. */
const optionFields = {
  /** This one is Ollama's. */
  num_ctx: maybe(anyWhole),
  temperature: maybe(z.number()),
  top_p: maybe(z.number()),
  seed: maybe(anyWhole),
  stop: z.unknown().optional(),
  frequency_penalty: maybe(z.number()),
  presence_penalty: maybe(z.number()),
};
export type OpenAiOptions = z.output<z.ZodObject<typeof optionFields>>;

/** `keep_alive`, `num_ctx` and `options` are not part of OpenAI's API; they have Ollama's meanings. */
const modelFields = {
  model: maybe(z.string()),
  keep_alive: z.unknown().optional(),
  num_ctx: optionFields.num_ctx,
  options: maybe(z.record(z.string(), z.unknown())),
};

/** The members that chat and plain completions share. */
const completionFields = {
  ...modelFields,
  ...optionFields,
  stream: maybe(z.boolean()),
  stream_options: maybe(z.object({ include_usage: maybe(z.boolean()) })),
  max_tokens: maybe(anyWhole),
  logit_bias: z.unknown().optional(),
};

const effortSchema = maybe(z.object({ effort: maybe(z.string()) }));

/** A message of a chat. `content`: text or parts; a call's `arguments`: JSON as text. */
export const openAiMessageSchema = z.object({
  role: maybe(z.string()),
  content: z.unknown().optional(),
  reasoning: maybe(z.string()),
  reasoning_content: maybe(z.string()),
  tool_calls: maybe(
    list(
      z.object({
        id: maybe(z.string()),
        function: z.object({ name: maybe(z.string()), arguments: z.unknown().optional() }),
      }),
    ),
  ),
  function_call: z.unknown().optional(),
  tool_call_id: maybe(z.string()),
  name: maybe(z.string()),
});
export type OpenAiMessage = z.output<typeof openAiMessageSchema>;

/** POST /v1/chat/completions */
export const openAiChatSchema = z.object({
  ...completionFields,
  messages: maybe(list(openAiMessageSchema)),
  n: maybe(z.number().int()),
  max_completion_tokens: maybe(anyWhole),
  response_format: z.unknown().optional(),
  tools: maybe(z.array(z.unknown())),
  tool_choice: z.unknown().optional(),
  parallel_tool_calls: maybe(z.boolean()),
  reasoning_effort: maybe(z.string()),
  reasoning: effortSchema,
  logprobs: maybe(z.boolean()),
  top_logprobs: maybe(z.number().int()),
  functions: z.unknown().optional(),
  function_call: z.unknown().optional(),
  modalities: z.unknown().optional(),
  audio: z.unknown().optional(),
  web_search_options: z.unknown().optional(),
});
export type OpenAiChat = z.output<typeof openAiChatSchema>;

/** POST /v1/completions. `prompt`: a text or several. `logprobs`: how many alternatives to tell for each token. */
export const openAiCompletionSchema = z.object({
  ...completionFields,
  prompt: z.unknown().optional(),
  n: maybe(z.number().int()),
  best_of: maybe(z.number().int()),
  echo: maybe(z.boolean()),
  suffix: maybe(z.string()),
  logprobs: maybe(z.number().int()),
});
export type OpenAiCompletion = z.output<typeof openAiCompletionSchema>;

/** POST /v1/embeddings */
export const openAiEmbeddingsSchema = z.object({
  ...modelFields,
  input: z.unknown().optional(),
  dimensions: maybe(z.number().int()),
  encoding_format: maybe(z.string()),
});

/** POST /v1/responses. `input`: text or items. */
export const openAiResponsesSchema = z.object({
  ...modelFields,
  stream: maybe(z.boolean()),
  temperature: optionFields.temperature,
  top_p: optionFields.top_p,
  input: z.unknown().optional(),
  instructions: maybe(z.string()),
  max_output_tokens: maybe(anyWhole),
  reasoning: effortSchema,
  text: maybe(z.object({ format: z.unknown().optional() })),
  tools: maybe(z.array(z.unknown())),
  tool_choice: z.unknown().optional(),
  parallel_tool_calls: maybe(z.boolean()),
  previous_response_id: maybe(z.string()),
  conversation: z.unknown().optional(),
  prompt: z.unknown().optional(),
  background: z.unknown().optional(),
  include: maybe(list(z.string())),
  top_logprobs: maybe(z.number().int()),
  store: maybe(z.boolean()),
});
export type OpenAiResponses = z.output<typeof openAiResponsesSchema>;
