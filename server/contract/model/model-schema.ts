/** POST /api/schema of the model service, no part of Ollama's API: what of a schema answers would keep to, told beforehand. */
import { z } from "zod";

export const schemaRequestSchema = z.object({ schema: z.unknown().optional() });

export const schemaReplySchema = z.object({
  /** False: a request with this format is refused, with `error`, for the sake of `keyword` at `path` (a JSON pointer). */
  enforceable: z.boolean(),
  error: z.string().optional(),
  keyword: z.string().optional(),
  path: z.string().optional(),
  /** Keywords that say nothing of values here: names that JSON Schema does not know, formats that are not checked. */
  ignored: z.array(z.object({ keyword: z.string(), path: z.string() })),
});
export type SchemaReply = z.infer<typeof schemaReplySchema>;
