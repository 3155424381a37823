/**
 * The Ollama HTTP API, as far as Hearth speaks it: what requests hold and what replies look like on the wire. In requests
 * `null` means "not given", unknown members are dropped and scalars are not coerced, as Ollama's own decoder has it.
 */
import { z } from "zod";
import { maybe } from "./given.ts";

/** Text as a string, or as the text parts that some client libraries send; other parts stay for the route to refuse. */
const contentSchema = z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]);

export const ollamaMessageSchema = z.object({
  role: z.string(),
  content: maybe(contentSchema),
  images: maybe(z.array(z.string())),
  tool_calls: maybe(z.array(z.unknown())),
});
export type OllamaMessage = z.output<typeof ollamaMessageSchema>;

/** What generate and chat share. `keep_alive`, `think`, `format` and `options` have rules and error texts of their own. */
const completionFields = {
  model: maybe(z.string()),
  stream: maybe(z.boolean()),
  format: z.unknown().optional(),
  think: z.unknown().optional(),
  keep_alive: z.unknown().optional(),
  options: maybe(z.record(z.string(), z.unknown())),
  truncate: maybe(z.boolean()),
  shift: maybe(z.boolean()),
  logprobs: maybe(z.boolean()),
  top_logprobs: maybe(z.number().int()),
};

/** POST /api/generate */
export const generateRequestSchema = z.object({
  ...completionFields,
  prompt: maybe(z.string()),
  suffix: maybe(z.string()),
  images: maybe(z.array(z.string())),
  system: maybe(z.string()),
  template: maybe(z.string()),
  context: maybe(z.array(z.number().int().min(0))),
  raw: maybe(z.boolean()),
});
export type GenerateRequest = z.output<typeof generateRequestSchema>;

/** POST /api/chat. The last three are no part of Ollama's API, but a client library sends them beside `options`. */
export const chatRequestSchema = z.object({
  ...completionFields,
  messages: maybe(z.array(ollamaMessageSchema)),
  tools: maybe(z.array(z.unknown())),
  temperature: maybe(z.number()),
  top_p: maybe(z.number()),
  max_output_tokens: maybe(z.number().int()),
});
export type ChatRequest = z.output<typeof chatRequestSchema>;

/** POST /api/show; `name` is the older spelling of `model`. */
export const showRequestSchema = z.object({
  model: maybe(z.string()),
  name: maybe(z.string()),
  verbose: maybe(z.boolean()),
});

/** The last chunk's figures. Durations are integer nanoseconds. */
const finalFigures = {
  done_reason: z.enum(["stop", "length", "load", "unload"]).optional(),
  total_duration: z.number().int().optional(),
  load_duration: z.number().int().optional(),
  prompt_eval_count: z.number().int().optional(),
  prompt_eval_duration: z.number().int().optional(),
  eval_count: z.number().int().optional(),
  eval_duration: z.number().int().optional(),
};

/** One line of a streamed chat, or the whole reply with `stream:false`. */
export const chatChunkSchema = z.object({
  model: z.string(),
  created_at: z.string(),
  message: z.object({ role: z.literal("assistant"), content: z.string() }),
  done: z.boolean(),
  ...finalFigures,
});
export type ChatChunk = z.infer<typeof chatChunkSchema>;

/** One line of a streamed generation, or the whole reply with `stream:false`. `context` only on the last one. */
export const generateChunkSchema = z.object({
  model: z.string(),
  created_at: z.string(),
  response: z.string(),
  done: z.boolean(),
  ...finalFigures,
  context: z.array(z.number().int()).optional(),
});
export type GenerateChunk = z.infer<typeof generateChunkSchema>;

export const modelDetailsSchema = z.object({
  parent_model: z.string(),
  format: z.string(),
  family: z.string(),
  families: z.array(z.string()).nullable(),
  parameter_size: z.string(),
  quantization_level: z.string(),
  context_length: z.number().int().optional(),
  embedding_length: z.number().int().optional(),
});
export type ModelDetails = z.infer<typeof modelDetailsSchema>;

/** GET /api/tags. `digest` is 64 hexadecimal digits, `size` the file's bytes, `modified_at` RFC 3339. */
export const tagsSchema = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      model: z.string(),
      modified_at: z.string(),
      size: z.number().int(),
      digest: z.string(),
      details: modelDetailsSchema,
      capabilities: z.array(z.string()).optional(),
    }),
  ),
});
export type Tags = z.infer<typeof tagsSchema>;

/** GET /api/ps. `size` is the memory in use, `size_vram` the part of it on a GPU. */
export const psSchema = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      model: z.string(),
      size: z.number().int(),
      digest: z.string(),
      details: modelDetailsSchema,
      expires_at: z.string(),
      size_vram: z.number().int(),
      context_length: z.number().int(),
    }),
  ),
});
export type Ps = z.infer<typeof psSchema>;

/**
 * Reply of POST /api/show. `parameters` has one "name value" a line; `template` is the chat template in use: Jinja, or the
 * Go template of a model that has no other. `warnings` are our own: what speaks against running the model here.
 */
export const showSchema = z.object({
  license: z.string().optional(),
  system: z.string().optional(),
  messages: z.array(ollamaMessageSchema).optional(),
  warnings: z.array(z.string()).optional(),
  modelfile: z.string(),
  parameters: z.string().optional(),
  template: z.string().optional(),
  details: modelDetailsSchema,
  model_info: z.record(z.string(), z.unknown()),
  capabilities: z.array(z.string()).optional(),
  modified_at: z.string(),
});
export type Show = z.infer<typeof showSchema>;
