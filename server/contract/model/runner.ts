/**
 * The protocol between the model service and the runner: HTTP over the runner's local socket. A load and a generation
 * answer NDJSON; closing the connection cancels either. Sizes are bytes, durations integer nanoseconds.
 */
import { z } from "zod";
import { list } from "../bounded-lists.ts";
import { samplingSchema } from "./model-options.ts";

/** The kind of a failure, from which the model service chooses the status and whether to retry. */
export const runnerErrorCodeSchema = z.enum([
  /** The id matches no loaded model: the runner is a new one, or the model was unloaded. */
  "not_loaded",
  /** The file, or the engine itself, cannot be loaded. */
  "load_failed",
  "out_of_memory",
  /** The prompt has more tokens than the window, and cutting was not allowed. */
  "prompt_too_long",
  /** The model or the engine lacks the ability: ranking, infilling, a grammar that it cannot parse. */
  "not_supported",
  "bad_request",
  "failed",
]);
export type RunnerErrorCode = z.infer<typeof runnerErrorCodeSchema>;

/** Body of every status ≥ 400, and the last line of a stream that fails. */
export const runnerErrorSchema = z.object({
  type: z.literal("error"),
  code: runnerErrorCodeSchema,
  message: z.string(),
});
export type RunnerError = z.infer<typeof runnerErrorSchema>;

/** Number types of the key-value cache: f16 takes two bytes each, q8_0 about half of that, q4_0 a quarter. */
export const kvCacheTypeSchema = z.enum(["f16", "q8_0", "q4_0"]);
export type KvCacheType = z.infer<typeof kvCacheTypeSchema>;

/** POST /models: loads a GGUF file. */
export const runnerLoadSchema = z.object({
  /** The model's id from now on, with which it can be unloaded before the answer comes. */
  id: z.uuid(),
  path: z.string().min(1),
  /** Identifies the content of the file, for the states of its prompts; absent: none are kept. */
  weights: z.string().min(1).optional(),
  /** Tokens of the window of each sequence. */
  num_ctx: z.number().int().min(1),
  /** Generations at a time, each with a window of its own; absent: one. */
  sequences: z.number().int().min(1).optional(),
  num_batch: z.number().int().min(1).optional(),
  /** Layers on the GPU; absent or negative: as many as fit. */
  num_gpu: z.number().int().optional(),
  use_mmap: z.boolean().optional(),
  /** At most the cores that the process may use; absent or 0: the runner decides. */
  num_thread: z.number().int().optional(),
  /** Absent: the engine decides; a quantized cache requires it. */
  flash_attention: z.boolean().optional(),
  /** Absent: f16. */
  kv_cache_type: kvCacheTypeSchema.optional(),
});
export type RunnerLoad = z.infer<typeof runnerLoadSchema>;

export const runnerLoadedSchema = z.object({
  type: z.literal("loaded"),
  id: z.string(),
  /** Tokens that fit into the window: as requested, or slightly more. */
  context_length: z.number().int(),
  size: z.number().int(),
  size_vram: z.number().int(),
  threads: z.number().int(),
  /** Simultaneous generations. */
  sequences: z.number().int(),
  /** Whether the model has the tokens for a `suffix`, and whether it can rank documents. */
  can_infill: z.boolean(),
  can_rank: z.boolean(),
  /** Text of the special tokens that chat templates insert; empty where the model has none. */
  bos_token: z.string(),
  eos_token: z.string(),
});
export type RunnerLoaded = z.infer<typeof runnerLoadedSchema>;
export const runnerLoadLineSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("progress"), fraction: z.number() }),
  runnerLoadedSchema,
  runnerErrorSchema,
]);

/** POST /fits: estimates a model's memory without loading it; without a path, the available memory. */
export const runnerFitSchema = runnerLoadSchema
  .pick({ num_ctx: true, num_batch: true, num_gpu: true, flash_attention: true, kv_cache_type: true })
  .extend({
    path: z.string().min(1).optional(),
    /** Simultaneous generations; one if the engine would choose. */
    sequences: z.number().int().min(1),
    /** Tokens of the largest window to consider: that of the model's training. */
    most_ctx: z.number().int().min(1),
    /** Ids of loaded models that would be unloaded for it: their memory counts as free. */
    without: list(z.string()),
  });
export type RunnerFit = z.infer<typeof runnerFitSchema>;
/** Bytes. `context`: caches and work space of the window. `largest_ctx`: the largest window that fits, null when none does. */
export const runnerFittedSchema = z.object({
  available: z.number().int(),
  weights: z.number().int(),
  context: z.number().int(),
  largest_ctx: z.number().int().nullable(),
});
export type RunnerFitted = z.infer<typeof runnerFittedSchema>;

/** Restricts the generated text. */
export const grammarSchema = z.object({
  /** A grammar in llama.cpp's GBNF, whose rule `root` is the whole text. */
  gbnf: z.string().min(1),
  /**
   * The grammar begins after the first generated of these texts, for example the end of the thinking; the text before
   * is free. Absent or empty: from the first token.
   */
  after: list(z.string().min(1)).optional(),
});
export type Grammar = z.infer<typeof grammarSchema>;

/** POST /models/{id}/generations. The prompt's special tokens are recognised in its text. */
export const runnerGenerateSchema = z.object({
  prompt: z.string(),
  /** Text that follows the generated part; needs a model that can infill. */
  suffix: z.string().optional(),
  /** Tokens put before the prompt: the `context` of an earlier reply. */
  prefix: list(z.number().int().min(0)).default([]),
  /** The requested window in tokens; the loaded one may be larger. */
  window: z.number().int().min(1),
  /** For a prompt that does not fit: keep its head and its newest half, or refuse. */
  overflow: z.enum(["cut", "refuse"]),
  /** When the window fills during the generation: drop the older half and go on, or end with "length". */
  shift: z.boolean(),
  num_keep: z.number().int(),
  /** Tokens to generate; negative: ten windows at most. */
  num_predict: z.number().int(),
  stop: list(z.string().min(1)),
  /** Tokens to draft at a time; 0 for none, absent: as many as pay off. The text is the same. */
  draft_num_predict: z.number().int().min(0).optional(),
  sampling: samplingSchema,
  grammar: grammarSchema.optional(),
  /** The number of alternatives for each token, 0 to 20; absent: no log probabilities. */
  logprobs: z.number().int().min(0).max(20).optional(),
  /** How many tokens have log probabilities, where they are requested; absent: all of them. */
  logprob_tokens: z.number().int().min(0).optional(),
  /** Whether the text includes that of control tokens, such as the beginning of a tool call. */
  control_text: z.boolean().optional(),
  /** Whether to send lines with the progress of the prompt's evaluation. */
  progress: z.boolean().optional(),
  /** Whether the last line contains all tokens of prompt and answer, without a stop string. */
  with_context: z.boolean(),
});
export type RunnerGenerate = z.infer<typeof runnerGenerateSchema>;

export const runnerDoneSchema = z.object({
  type: z.literal("done"),
  reason: z.enum(["stop", "length"]),
  /** The string of `stop` that ended it; absent: something else did. */
  stop: z.string().optional(),
  prompt_tokens: z.number().int(),
  /** Cached tokens of `prompt_tokens`, which were not evaluated again. */
  cached_tokens: z.number().int(),
  /** Those of `cached_tokens` whose state was on the disk; absent: none. */
  restored_tokens: z.number().int().optional(),
  /** Tokens of the prompt that were omitted to make it fit; estimated by length for a prompt many times too long. */
  cut_tokens: z.number().int(),
  prompt_ns: z.number().int(),
  eval_tokens: z.number().int(),
  eval_ns: z.number().int(),
  /** Drafted tokens, and those of them that were accepted. */
  drafted_tokens: z.number().int(),
  accepted_tokens: z.number().int(),
  context: z.array(z.number().int()).optional(),
});
export type RunnerDone = z.infer<typeof runnerDoneSchema>;

/**
 * A token, its bytes and the natural logarithm of its probability in the distribution that it was drawn from, after
 * top_k, top_p, min_p and temperature; with temperature 0 in the model's own.
 */
const tokenLikelihoodSchema = z.object({
  token: z.string(),
  bytes: z.array(z.number().int()),
  logprob: z.number(),
});
/** A generated token, and the likeliest tokens at its place, the likeliest first. */
export const tokenLogprobSchema = tokenLikelihoodSchema.extend({ top: z.array(tokenLikelihoodSchema) });
export type TokenLogprob = z.infer<typeof tokenLogprobSchema>;

export const runnerGenerateLineSchema = z.discriminatedUnion("type", [
  /** Tokens of the prompt in the sequence's state so far, of `total`. */
  z.object({ type: z.literal("progress"), evaluated: z.number().int(), total: z.number().int() }),
  /** `logprobs`, if requested: those of the tokens since the last such line that begin in the text so far. */
  z.object({ type: z.literal("text"), text: z.string(), logprobs: z.array(tokenLogprobSchema).optional() }),
  runnerDoneSchema,
  runnerErrorSchema,
]);
export type RunnerGenerateLine = z.infer<typeof runnerGenerateLineSchema>;

/** GET /models/{id}: what the model is doing. `waiting` generations have no sequence yet. */
export const runnerStatusSchema = z.object({
  sequences: z.number().int(),
  free: z.number().int(),
  waiting: z.number().int(),
  /** Threads of the last evaluation. */
  threads: z.number().int(),
});
export type RunnerStatus = z.infer<typeof runnerStatusSchema>;

/** POST /models/{id}/tokens: a text's tokens. Special tokens are recognised in it. */
export const runnerTokenizeSchema = z.object({
  text: z.string(),
  /** The number of tokens that suffices: for a longer text only the first ones are returned, but more than this. */
  most: z.number().int().min(1).optional(),
  /** Whether the begin token is added that the model wants before a prompt; absent: none is added. */
  begin: z.boolean().optional(),
});
export type RunnerTokenize = z.infer<typeof runnerTokenizeSchema>;
export const runnerTokensSchema = z.object({ tokens: z.array(z.number().int()) });

/** POST /models/{id}/texts: the text of tokens, control tokens included. Unknown tokens are a bad_request. */
export const runnerDetokenizeSchema = z.object({ tokens: list(z.number().int().min(0)) });
export const runnerTextSchema = z.object({ text: z.string() });

/** POST /models/{id}/embeddings: a vector for each text. */
export const runnerEmbedSchema = z.object({
  texts: list(z.string()).min(1),
  /** The requested window in tokens; absent: the loaded one. */
  window: z.number().int().min(1).optional(),
  /** For a text longer than the window: drop its end, or refuse with prompt_too_long. */
  overflow: z.enum(["cut", "refuse"]),
});
export type RunnerEmbed = z.infer<typeof runnerEmbedSchema>;
/** The model's vectors, not normalized; `tokens` is the number of tokens of each text. */
export const runnerEmbeddedSchema = z.object({
  embeddings: z.array(z.array(z.number())),
  tokens: z.array(z.number().int()),
});
export type RunnerEmbedded = z.infer<typeof runnerEmbeddedSchema>;

/** POST /models/{id}/rankings: how well each document answers the query; only for models that can rank. */
export const runnerRankSchema = z.object({ query: z.string(), documents: list(z.string()).min(1) });
export type RunnerRank = z.infer<typeof runnerRankSchema>;
/** Scores from 0 to 1, in the order of the documents; `tokens` is the number of evaluated tokens. */
export const runnerRankedSchema = z.object({ scores: z.array(z.number()), tokens: z.number().int() });
export type RunnerRanked = z.infer<typeof runnerRankedSchema>;

/**
 * First line of GET /presence. The reply ends when the runner does, which shows its death at once. When the last such
 * connection ends, the runner unloads all models, because their user is gone.
 */
export const runnerHelloSchema = z.object({ type: z.literal("hello"), pid: z.number().int() });
