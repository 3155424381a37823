/** The settings for a service's limits. */
import { z } from "zod";
import { number } from "./setting-values.ts";

export const limitSettings = {
  max_connections: number
    .pipe(z.number().int().min(1))
    .default(2_000)
    .describe("The most connections that each service serves at a time; beyond them it answers 503."),
  max_body_memory_mb: number
    .pipe(z.number().positive())
    .default(256)
    .describe(
      "The most MB of 1,048,576 bytes of request bodies that each service keeps in memory at a time; beyond them it answers 503. Uploads are not kept.",
    ),
  body_idle_seconds: number
    .pipe(z.number().positive().max(86_400))
    .default(30)
    .describe("How long a client may send no byte of a body, in seconds; then it is 400, and the connection ends."),
  body_total_seconds: number
    .pipe(z.number().positive().max(86_400))
    .default(300)
    .describe("How long a JSON, form or XML body may take, in seconds. Uploads may take any time."),
  max_event_streams: number
    .pipe(z.number().int().min(1))
    .default(1_100)
    .describe(
      "The most event streams that the application server, and the provider simulator, serve at a time; beyond them it answers 503.",
    ),
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
