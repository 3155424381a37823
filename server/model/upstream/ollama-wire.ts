/** Replies of an upstream with Ollama's API. Members that older versions lack are optional; unknown ones are ignored. */
import { z } from "zod";
import { list } from "../../contract/bounded-lists.ts";
import { maybe } from "../../contract/given.ts";

const figure = maybe(z.number());
const text = maybe(z.string());
const likelihood = { token: z.string(), logprob: z.number(), bytes: maybe(list(z.number())) };

export const callSchema = z.object({
  id: text,
  function: z.object({ name: z.string(), arguments: maybe(z.record(z.string(), z.unknown())) }),
});

/** A line of a chat or a generation. */
export const lineSchema = z.object({
  error: z.unknown().optional(),
  message: maybe(z.object({ content: text, thinking: text, tool_calls: maybe(list(callSchema)) })),
  response: text,
  thinking: text,
  logprobs: maybe(list(z.object({ ...likelihood, top_logprobs: maybe(list(z.object(likelihood))) }))),
  load_progress: figure,
  prompt_progress: maybe(z.object({ completed: z.number(), total: z.number() })),
  context_cut: maybe(z.object({ cut_tokens: z.number(), dropped_messages: z.number() })),
  done: maybe(z.boolean()),
  done_reason: text,
  context: maybe(list(z.number())),
  total_duration: figure,
  load_duration: figure,
  prompt_eval_count: figure,
  prompt_eval_duration: figure,
  eval_count: figure,
  eval_duration: figure,
});
export type OllamaLine = z.output<typeof lineSchema>;

const detailsSchema = maybe(
  z.object({
    format: text,
    family: text,
    families: maybe(list(z.string())),
    parameter_size: text,
    quantization_level: text,
    context_length: figure,
    embedding_length: figure,
  }),
);

/** GET /api/tags. A model with `remote_host` runs at an upstream of the upstream. */
export const tagsReplySchema = z.object({
  models: list(
    z.object({
      name: z.string(),
      size: figure,
      digest: text,
      modified_at: text,
      details: detailsSchema,
      capabilities: maybe(list(z.string())),
      remote_host: text,
    }),
  ),
});

export const psReplySchema = z.object({
  models: list(
    z.object({ name: z.string(), size: figure, size_vram: figure, context_length: figure, expires_at: text }),
  ),
});

export const showReplySchema = z.looseObject({ capabilities: maybe(list(z.string())) });

export const embedReplySchema = z.object({
  embeddings: list(list(z.number())),
  total_duration: figure,
  load_duration: figure,
  prompt_eval_count: figure,
});

export const embeddingReplySchema = z.object({ embedding: list(z.number()) });
