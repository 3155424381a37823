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

/** POST /models: loads a GGUF file. */
export const runnerLoadSchema = z.object({
  path: z.string().min(1),
  num_ctx: z.number().int().min(1),
  num_batch: z.number().int().min(1).optional(),
  /** Layers on the GPU; absent or negative: as many as fit. */
  num_gpu: z.number().int().optional(),
  use_mmap: z.boolean().optional(),
  /** Never more than the cores that the process may use; absent or 0: the runner decides. */
  num_thread: z.number().int().optional(),
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

/** POST /models/{id}/generations. The prompt's special tokens are recognised in its text. */
export const runnerGenerateSchema = z.object({
  prompt: z.string(),
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
  sampling: samplingSchema,
  /** Whether the last line carries all tokens of prompt and answer. */
  with_context: z.boolean(),
});
export type RunnerGenerate = z.infer<typeof runnerGenerateSchema>;

export const runnerDoneSchema = z.object({
  type: z.literal("done"),
  reason: z.enum(["stop", "length"]),
  prompt_tokens: z.number().int(),
  /** Part of `prompt_tokens` that was found in the sequence's state and not evaluated again. */
  cached_tokens: z.number().int(),
  /** Tokens of the prompt that were left out to make it fit. */
  cut_tokens: z.number().int(),
  prompt_ns: z.number().int(),
  eval_tokens: z.number().int(),
  eval_ns: z.number().int(),
  context: z.array(z.number().int()).optional(),
});
export type RunnerDone = z.infer<typeof runnerDoneSchema>;
export const runnerGenerateLineSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  runnerDoneSchema,
  runnerErrorSchema,
]);
export type RunnerGenerateLine = z.infer<typeof runnerGenerateLineSchema>;

/** POST /models/{id}/tokens: how many tokens a text has. */
export const runnerCountSchema = z.object({ text: z.string() });
export const runnerCountedSchema = z.object({ tokens: z.number().int() });

/**
 * First line of GET /presence. The reply never ends while the runner lives: its end is the news of the runner's death. And
 * when the last such connection ends, the runner gives back all models: whoever loaded them is gone.
 */
export const runnerHelloSchema = z.object({ type: z.literal("hello"), pid: z.number().int() });
