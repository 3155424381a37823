/** The settings for a service's limits. */
import { z } from "zod";
import { number } from "./setting-values.ts";

export const limitSettings = {
  max_connections: number
    .pipe(z.number().int().min(1))
    .default(2_000)
    .describe("The most connections that each service serves at a time; beyond them it answers 503."),
  foreign_deadline_ms: number
    .pipe(z.number().int().min(10).max(60_000))
    .default(250)
    .describe(
      "How long a pattern, a schema of a collection or a chat template may work on one text, in ms; then it is given up.",
    ),
  foreign_output_mb: number
    .pipe(z.number().positive().max(64))
    .default(4)
    .describe("How much a chat template may make beyond the messages that it is given, in MB of 1,048,576 characters."),
};
