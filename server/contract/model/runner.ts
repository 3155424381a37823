/**
 * What the model service and the runner say to each other: HTTP over the runner's local socket. A load and a generation
 * answer NDJSON; closing the connection cancels either. Sizes are bytes, durations integer nanoseconds.
 */
import { z } from "zod";

/** A failure by kind, so that the model service can choose the status and decide whether another try makes sense. */
export const runnerErrorCodeSchema = z.enum([
  /** The id names no loaded model: this runner is a new one, or the model was unloaded. */
  "not_loaded",
  /** The file cannot be loaded, or the engine itself cannot. */
  "load_failed",
  "out_of_memory",
  /** The prompt has more tokens than the window, and cutting was not allowed. */
  "prompt_too_long",
  /** The model, or the engine, has no such ability: ranking, infilling, a grammar that it cannot read. */
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

/** Types of the numbers in the cache of keys and values: f16 takes two bytes each, q8_0 about half of that, q4_0 a quarter. */
export const kvCacheTypeSchema = z.enum(["f16", "q8_0", "q4_0"]);
export type KvCacheType = z.infer<typeof kvCacheTypeSchema>;

/** POST /models: loads a GGUF file. */
export const runnerLoadSchema = z.object({
  path: z.string().min(1),
  /** Tokens of the window of each sequence. */
  num_ctx: z.number().int().min(1),
  /** Generations at a time, each with a window of its own; absent: one. */
  sequences: z.number().int().min(1).optional(),
  num_batch: z.number().int().min(1).optional(),
  /** Layers on the GPU; absent or negative: as many as fit. */
  num_gpu: z.number().int().optional(),
  use_mmap: z.boolean().optional(),
  /** Never more than the cores that the process may use; absent or 0: the runner decides. */
  num_thread: z.number().int().optional(),
  /** Absent: where the engine thinks well of it, and with a quantized cache, which needs it. */
  flash_attention: z.boolean().optional(),
  /** Absent: f16. */
  kv_cache_type: kvCacheTypeSchema.optional(),
});
export type RunnerLoad = z.infer<typeof runnerLoadSchema>;

export const runnerLoadedSchema = z.object({
  type: z.literal("loaded"),
  id: z.string(),
  /** Tokens that fit into the window: what was asked for, or slightly more. */
  context_length: z.number().int(),
  size: z.number().int(),
  size_vram: z.number().int(),
  threads: z.number().int(),
  /** Generations that run at a time. */
  sequences: z.number().int(),
  /** Whether the model has the tokens that a `suffix` needs, and whether it can rank documents. */
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

/** POST /fits: what a model would need of the memory, told without loading it; without a path, how much there is. */
export const runnerFitSchema = runnerLoadSchema
  .pick({ num_ctx: true, num_batch: true, num_gpu: true, flash_attention: true, kv_cache_type: true })
  .extend({
    path: z.string().min(1).optional(),
    /** Generations at a time; one, where the engine would choose. */
    sequences: z.number().int().min(1),
    /** Tokens of the largest window that is of interest: what the model was trained for. */
    most_ctx: z.number().int().min(1),
    /** Ids of loaded models that would be sent away for it: their memory counts as free. */
    without: z.array(z.string()),
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

/** How the next token is chosen; the names and meanings are those of the Ollama options. */
export const samplingSchema = z.object({
  temperature: z.number(),
  top_k: z.number().int(),
  top_p: z.number(),
  min_p: z.number(),
  /** Negative: another one each time. */
  seed: z.number().int(),
  repeat_last_n: z.number().int(),
  repeat_penalty: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
});
export type Sampling = z.infer<typeof samplingSchema>;

/** Restricts what may be generated. */
export const grammarSchema = z.object({
  /** A grammar in llama.cpp's GBNF, whose rule `root` is the whole text. */
  gbnf: z.string().min(1),
  /**
   * The grammar begins right behind the first of these texts that is generated, as behind the end of the thinking; what
   * comes before it is free. Absent or empty: from the first token.
   */
  after: z.array(z.string().min(1)).optional(),
});
export type Grammar = z.infer<typeof grammarSchema>;

/** POST /models/{id}/generations. The prompt's special tokens are recognised in its text. */
export const runnerGenerateSchema = z.object({
  prompt: z.string(),
  /** Text that follows what is to be generated; needs a model that can infill. */
  suffix: z.string().optional(),
  /** Tokens put before the prompt: the `context` of an earlier reply. */
  prefix: z.array(z.number().int().min(0)).default([]),
  /** Window in tokens as the client asked for it; the loaded one may be larger. */
  window: z.number().int().min(1),
  /** What to do with a prompt that does not fit: keep its head and its newest half, or refuse. */
  overflow: z.enum(["cut", "refuse"]),
  /** When the window fills while generating: drop the older half and go on, or end with "length". */
  shift: z.boolean(),
  num_keep: z.number().int(),
  /** Tokens to generate; negative: ten windows at most. */
  num_predict: z.number().int(),
  stop: z.array(z.string().min(1)),
  /** Tokens to guess ahead at a time; 0 for none, absent: as many as have proved worth while. The text is the same. */
  draft_num_predict: z.number().int().min(0).optional(),
  sampling: samplingSchema,
  grammar: grammarSchema.optional(),
  /** Absent: no log probabilities; else how many alternatives to tell for each token, 0 to 20. */
  logprobs: z.number().int().min(0).max(20).optional(),
  /** Whether the text of control tokens, such as the begin of a tool call, is part of the text. */
  control_text: z.boolean().optional(),
  /** Whether lines tell how much of the prompt has been evaluated. */
  progress: z.boolean().optional(),
  /** Whether the last line carries all tokens of prompt and answer. */
  with_context: z.boolean(),
});
export type RunnerGenerate = z.infer<typeof runnerGenerateSchema>;

export const runnerDoneSchema = z.object({
  type: z.literal("done"),
  reason: z.enum(["stop", "length"]),
  /** The string of `stop` that ended it; absent: something else did. */
  stop: z.string().optional(),
  prompt_tokens: z.number().int(),
  /** Part of `prompt_tokens` that was found in the sequence's state and not evaluated again. */
  cached_tokens: z.number().int(),
  /** Tokens of the prompt that were left out to make it fit; those of one many times as long are judged by its length. */
  cut_tokens: z.number().int(),
  prompt_ns: z.number().int(),
  eval_tokens: z.number().int(),
  eval_ns: z.number().int(),
  /** Tokens that were guessed ahead, and those of them that were right. */
  drafted_tokens: z.number().int(),
  accepted_tokens: z.number().int(),
  context: z.array(z.number().int()).optional(),
});
export type RunnerDone = z.infer<typeof runnerDoneSchema>;

/**
 * A token, its bytes and the natural logarithm of its probability: of that distribution which the token was drawn from,
 * so after top_k, top_p, min_p and temperature; with temperature 0 the model's own.
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
  /** Tokens of the prompt that are in the sequence's state now, of `total`. */
  z.object({ type: z.literal("progress"), evaluated: z.number().int(), total: z.number().int() }),
  /** `logprobs`, where asked for: those of the tokens since the last such line. Text held back may lag behind them. */
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
  /** Threads that the last evaluation had. */
  threads: z.number().int(),
});
export type RunnerStatus = z.infer<typeof runnerStatusSchema>;

/** POST /models/{id}/tokens: a text's tokens. Special tokens are recognised in it. */
export const runnerTokenizeSchema = z.object({
  text: z.string(),
  /** So many are enough: of a longer text come the first ones, and more than that. */
  most: z.number().int().min(1).optional(),
  /** Whether the begin token is added that the model wants before a prompt; absent: none is added. */
  begin: z.boolean().optional(),
});
export type RunnerTokenize = z.infer<typeof runnerTokenizeSchema>;
export const runnerTokensSchema = z.object({ tokens: z.array(z.number().int()) });

/** POST /models/{id}/texts: the text of tokens, that of control tokens included. Unknown tokens are a bad_request. */
export const runnerDetokenizeSchema = z.object({ tokens: z.array(z.number().int().min(0)) });
export const runnerTextSchema = z.object({ text: z.string() });

/** POST /models/{id}/embeddings: a vector for each text. */
export const runnerEmbedSchema = z.object({
  texts: z.array(z.string()).min(1),
  /** Window in tokens as the client asked for it; absent: the loaded one. */
  window: z.number().int().min(1).optional(),
  /** What to do with a text longer than the window: drop its end, or refuse with prompt_too_long. */
  overflow: z.enum(["cut", "refuse"]),
});
export type RunnerEmbed = z.infer<typeof runnerEmbedSchema>;
/** Vectors as the model gives them, not of any particular length; `tokens` says how many each text has had. */
export const runnerEmbeddedSchema = z.object({
  embeddings: z.array(z.array(z.number())),
  tokens: z.array(z.number().int()),
});
export type RunnerEmbedded = z.infer<typeof runnerEmbeddedSchema>;

/** POST /models/{id}/rankings: how well each document answers the query; only for models that can rank. */
export const runnerRankSchema = z.object({ query: z.string(), documents: z.array(z.string()).min(1) });
export type RunnerRank = z.infer<typeof runnerRankSchema>;
/** Scores from 0 to 1, in the order of the documents; `tokens` is the sum of what was evaluated. */
export const runnerRankedSchema = z.object({ scores: z.array(z.number()), tokens: z.number().int() });
export type RunnerRanked = z.infer<typeof runnerRankedSchema>;

/**
 * First line of GET /presence. The reply never ends while the runner lives: its end is the news of the runner's death. And
 * when the last such connection ends, the runner gives back all models: whoever loaded them is gone.
 */
export const runnerHelloSchema = z.object({ type: z.literal("hello"), pid: z.number().int() });
