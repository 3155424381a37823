/**
 * The supported part of the Ollama HTTP API: requests and replies on the wire. In requests `null` means "not given",
 * unknown members are dropped and scalars are not coerced, as in Ollama's own decoder.
 */
import { z } from "zod";
import { list } from "../bounded-lists.ts";
import { maybe } from "../given.ts";

/** A string, or the parts that some client libraries send; the route reads texts and images, and refuses others. */
const contentSchema = z.union([z.string(), list(z.looseObject({ type: z.string(), text: z.string().optional() }))]);

/** An earlier call in a request; some clients send the arguments as JSON text. */
const sentCallSchema = z.object({
  id: maybe(z.string()),
  function: z.object({ name: z.string(), arguments: maybe(z.union([z.record(z.string(), z.unknown()), z.string()])) }),
});

export const ollamaMessageSchema = z.object({
  /** Go leaves an absent one empty; the model's template says what that means. */
  role: maybe(z.string()).transform((role) => role ?? ""),
  content: maybe(contentSchema),
  thinking: maybe(z.string()),
  images: maybe(list(z.string())),
  tool_calls: maybe(list(sentCallSchema)),
  tool_name: maybe(z.string()),
  tool_call_id: maybe(z.string()),
});
export type OllamaMessage = z.output<typeof ollamaMessageSchema>;

/**
 * The members that generate and chat share. `keep_alive`, `think`, `format` and `options` have rules and error texts of
 * their own.
 */
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
  /** Returns the prompt for the model instead of an answer. */
  _debug_render_only: maybe(z.boolean()),
  /** Our own: requests lines with the loaded share of the model, and the evaluated tokens of the prompt. */
  progress: maybe(z.boolean()),
};

/** POST /api/generate */
export const generateRequestSchema = z.object({
  ...completionFields,
  prompt: maybe(z.string()),
  suffix: maybe(z.string()),
  images: maybe(list(z.string())),
  system: maybe(z.string()),
  template: maybe(z.string()),
  context: maybe(list(z.number().int().min(0))),
  raw: maybe(z.boolean()),
});
export type GenerateRequest = z.output<typeof generateRequestSchema>;

const toolSchema = z.looseObject({
  type: maybe(z.string()),
  function: maybe(
    z.looseObject({
      name: maybe(z.string()),
      description: maybe(z.string()),
      parameters: maybe(z.record(z.string(), z.unknown())),
    }),
  ),
});

/**
 * POST /api/chat. `tool_choice` and the three after it are not part of Ollama's API, but a client library sends them
 * beside `options`.
 */
export const chatRequestSchema = z.object({
  ...completionFields,
  messages: maybe(list(ollamaMessageSchema)),
  tools: maybe(list(toolSchema)),
  tool_choice: z.unknown().optional(),
  temperature: maybe(z.number()),
  top_p: maybe(z.number()),
  max_output_tokens: maybe(z.number().int()),
});
export type OllamaChatRequest = z.output<typeof chatRequestSchema>;

/** The members that the routes for texts share. */
const textFields = {
  model: maybe(z.string()),
  keep_alive: z.unknown().optional(),
  options: maybe(z.record(z.string(), z.unknown())),
};
/** POST /api/embed */
export const embedRequestSchema = z.object({
  ...textFields,
  input: z.unknown().optional(),
  truncate: maybe(z.boolean()),
  dimensions: maybe(z.number().int()),
});
/** POST /api/embeddings, the older one */
export const embeddingsRequestSchema = z.object({ ...textFields, prompt: maybe(z.string()) });
/** POST /api/tokenize: our own. `text` and `content` mean the same. */
export const tokenizeRequestSchema = z.object({ ...textFields, text: maybe(z.string()), content: maybe(z.string()) });
/** POST /api/detokenize: our own. */
export const detokenizeRequestSchema = z.object({ ...textFields, tokens: maybe(list(z.number().int().min(0))) });
/** POST /api/rerank: our own. `top_n`: how many of the best to return, all without it. */
export const rerankRequestSchema = z.object({
  ...textFields,
  query: maybe(z.string()),
  documents: maybe(list(z.string())),
  top_n: maybe(z.number().int().min(0)),
  return_documents: maybe(z.boolean()),
});

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

/** A token with its probability's natural logarithm, and the likeliest tokens at its place if requested. */
const likelihood = { token: z.string(), logprob: z.number(), bytes: z.array(z.number().int()) };
const ollamaLogprobSchema = z.object({ ...likelihood, top_logprobs: z.array(z.object(likelihood)).optional() });
export type OllamaLogprob = z.infer<typeof ollamaLogprobSchema>;

/** Members of both kinds of lines beside the text. All but the first are our own. */
const lineExtras = {
  logprobs: z.array(ollamaLogprobSchema).optional(),
  /** On lines with the loaded share of the model, from 0 to 1. */
  load_progress: z.number().optional(),
  /** On lines with the progress of the prompt's evaluation, in tokens. */
  prompt_progress: z.object({ completed: z.number().int(), total: z.number().int() }).optional(),
  /** On the last line: the omitted parts of the prompt. */
  context_cut: z.object({ cut_tokens: z.number().int(), dropped_messages: z.number().int() }).optional(),
  /** On the line whose text lists them: questions that the starter model can answer, where it was not sure of an answer. */
  suggestions: z.array(z.string()).readonly().optional(),
};

const ollamaCallSchema = z.object({
  id: z.string(),
  function: z.object({ index: z.number().int(), name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
});
export type OllamaCall = z.infer<typeof ollamaCallSchema>;

/** One line of a streamed chat, or the whole reply with `stream:false`. */
export const chatChunkSchema = z.object({
  model: z.string(),
  created_at: z.string(),
  message: z.object({
    role: z.literal("assistant"),
    content: z.string(),
    thinking: z.string().optional(),
    tool_calls: z.array(ollamaCallSchema).optional(),
  }),
  done: z.boolean(),
  ...lineExtras,
  ...finalFigures,
});
export type ChatChunk = z.infer<typeof chatChunkSchema>;

/** One line of a streamed generation, or the whole reply with `stream:false`. `context` only on the last one. */
export const generateChunkSchema = z.object({
  model: z.string(),
  created_at: z.string(),
  response: z.string(),
  thinking: z.string().optional(),
  done: z.boolean(),
  ...lineExtras,
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

/** Members of a model that runs at upstreams: Ollama's, of the first of them, and our own, the names of all. */
const remoteFields = {
  remote_model: z.string().optional(),
  remote_host: z.string().optional(),
  upstreams: z.array(z.string()).optional(),
};

/**
 * GET /api/tags. `digest` is 64 hexadecimal digits, `size` the file's bytes, `modified_at` RFC 3339. `warnings` are our own:
 * see showSchema.
 */
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
      warnings: z.array(z.string()).optional(),
      ...remoteFields,
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
      ...remoteFields,
    }),
  ),
});
export type Ps = z.infer<typeof psSchema>;

/**
 * Reply of POST /api/show. `parameters` has one "name value" a line; `template` is the model's own chat template, of Go
 * or Jinja, or that of its file; `renderer` and `parser` are Ollama's names of prompt and answer forms. `warnings` are our own: reasons against running the model here.
 */
export const showSchema = z.object({
  license: z.string().optional(),
  system: z.string().optional(),
  messages: z.array(ollamaMessageSchema).optional(),
  warnings: z.array(z.string()).optional(),
  modelfile: z.string(),
  parameters: z.string().optional(),
  template: z.string().optional(),
  renderer: z.string().optional(),
  parser: z.string().optional(),
  details: modelDetailsSchema,
  model_info: z.record(z.string(), z.unknown()),
  capabilities: z.array(z.string()).optional(),
  modified_at: z.string(),
  ...remoteFields,
});
export type Show = z.infer<typeof showSchema>;
