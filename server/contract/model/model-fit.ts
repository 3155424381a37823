/**
 * POST /api/fit of the model service, not part of Ollama's API: whether a model would fit into the memory, before it is
 * loaded or pulled. Sizes are bytes.
 */
import { z } from "zod";
import { maybe } from "../given.ts";

/** `num_ctx` overrides that of `options`; without either the model's own applies, as in a request. */
export const fitRequestSchema = z.object({
  model: maybe(z.string()),
  num_ctx: maybe(z.number().int()),
  options: maybe(z.record(z.string(), z.unknown())),
});

export const fitSchema = z.object({
  model: z.string(),
  /** False: not installed. Weights are then estimated from the size in the name, and windows are unknown. */
  installed: z.boolean(),
  /** Tokens of the window of this estimate. */
  num_ctx: z.number().int(),
  /** `weights` and `context` (the window's caches and work space) together. */
  required: z.number().int(),
  weights: z.number().int(),
  context: z.number().int(),
  /** The available memory, including that of idle models, which would be unloaded; and the machine's total. */
  available: z.number().int(),
  total: z.number().int(),
  fits: z.boolean(),
  /** The largest window that fits, at most the model's trained one; null when none does. */
  largest_num_ctx: z.number().int().nullable(),
  /** The recommended memory: 8 GB for 7b, 16 GB for 13b, 32 GB for 33b. Null for smaller models. */
  guided_memory: z.number().int().nullable(),
  /** How fast its newest answers came since the service started; null before the first. */
  tokens_per_second: z.number().nullable(),
  /** A sentence of advice. */
  advice: z.string(),
  /** Warnings by the recommendation; it never refuses. */
  warnings: z.array(z.string()),
});
export type Fit = z.infer<typeof fitSchema>;
