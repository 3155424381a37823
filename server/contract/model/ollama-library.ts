/** The part of the Ollama HTTP API that changes the installed models: pull, push, create, copy, delete. */
import { z } from "zod";
import { dictionary, list } from "../bounded-lists.ts";
import { maybe } from "../given.ts";
import { ollamaMessageSchema } from "./ollama.ts";

/** `name` is the older spelling of `model`, which some clients still send. */
const named = { model: maybe(z.string()), name: maybe(z.string()) };

/** POST /api/pull and /api/push */
export const transferRequestSchema = z.object({
  ...named,
  insecure: maybe(z.boolean()),
  stream: maybe(z.boolean()),
});

/** A line of progress of a pull or a creation. Sizes are bytes of the layer `digest`; `completed` is left out while it is 0. */
export const progressLineSchema = z.object({
  status: z.string(),
  digest: z.string().optional(),
  total: z.number().optional(),
  completed: z.number().optional(),
});
export type ProgressLine = z.output<typeof progressLineSchema>;

/** DELETE /api/delete */
export const deleteRequestSchema = z.object(named);

/** POST /api/copy */
export const copyRequestSchema = z.object({ source: maybe(z.string()), destination: maybe(z.string()) });

/** POST /api/create. Members of type unknown are refused by name when they are given. */
export const createRequestSchema = z.object({
  ...named,
  stream: maybe(z.boolean()),
  from: maybe(z.string()),
  /** Base URL of the upstream that has the model `from`; `from` may be `URL#model` instead. */
  remote_host: maybe(z.string()),
  /** Digests of blobs by the relative paths of the client's files. */
  files: maybe(dictionary(z.string(), z.string())),
  template: maybe(z.string()),
  /** Ollama's names of prompt forms and answer forms. */
  renderer: maybe(z.string()),
  parser: maybe(z.string()),
  license: maybe(z.union([z.string(), list(z.string())])),
  system: maybe(z.string()),
  parameters: maybe(z.record(z.string(), z.unknown())),
  messages: maybe(list(ollamaMessageSchema)),
  /** Our own: the text of a Modelfile instead of `from` and other members; its FROM names a model. */
  modelfile: maybe(z.string()),
  /** The least version of Ollama. */
  requires: maybe(z.string()),
  adapters: z.unknown().optional(),
  quantize: z.unknown().optional(),
  quantization: z.unknown().optional(),
  draft_files: z.unknown().optional(),
  draft_quantize: z.unknown().optional(),
});
export type CreateRequest = z.output<typeof createRequestSchema>;
