/** Durations as people write them: `500ms`, `10s`, `2h`. */
import { z } from "zod";

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration, read in milliseconds. */
export const duration = z
  .string()
  .regex(/^\d{1,9}(ms|s|m|h|d)$/, "a number with a unit is required, such as 500ms, 10s, 5m, 2h or 1d")
  .transform((text) => parseInt(text, 10) * (unitMs[text.replace(/^\d+/, "")] ?? 0));
