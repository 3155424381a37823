/**
 * POST /api/fit of the model service, no part of Ollama's API: whether a model would fit into the memory, before it is
 * loaded or pulled. Sizes are bytes.
 */
import { z } from "zod";
import { maybe } from "../given.ts";

/** `num_ctx` counts over that of `options`; without either the model's own, as in a request. */
export const fitRequestSchema = z.object({
  model: maybe(z.string()),
  num_ctx: maybe(z.number().int()),
  options: maybe(z.record(z.string(), z.unknown())),
});

export const fitSchema = z.object({
  model: z.string(),
  /** False: not here yet. Then weights are an estimate from the size in the name, and of windows nothing is known. */
  installed: z.boolean(),
  /** Tokens of the window that this is about. */
  num_ctx: z.number().int(),
  /** `weights` and `context` (the window's caches and work space) together. */
  required: z.number().int(),
  weights: z.number().int(),
  context: z.number().int(),
  /** What may be taken, models included that nobody uses and that would go; and what the machine has. */
  available: z.number().int(),
  total: z.number().int(),
  fits: z.boolean(),
  /** The largest window that fits, at most the one that the model was trained for; null when none does. */
  largest_num_ctx: z.number().int().nullable(),
  /** What the machine should have by the guidance: 8 GB for 7b, 16 GB for 13b, 32 GB for 33b. Null for smaller models. */
  guided_memory: z.number().int().nullable(),
  /** A sentence of what to do. */
  advice: z.string(),
  /** Sentences that the guidance gives; it warns and never refuses. */
  warnings: z.array(z.string()),
});
export type Fit = z.infer<typeof fitSchema>;
