/** GET /api/upstreams: our own. The servers that run models for this one. */
import { z } from "zod";

export const upstreamSchema = z.object({
  name: z.string(),
  /** Its base URL. */
  url: z.string(),
  kind: z.enum(["ollama", "openai"]),
  /** By the newest check; `unknown` before the first one. */
  state: z.enum(["up", "down", "unknown"]),
  /** Why it is down. */
  reason: z.string().optional(),
  /** RFC 3339; left out before the first check. */
  checked_at: z.string().optional(),
  /** Requests that are there now. */
  in_flight: z.number().int(),
  /** How many models it lists. */
  models: z.number().int(),
  /** Whether it is in the setting `upstreams`, and not only in a Modelfile. */
  listed: z.boolean(),
});
export type Upstream = z.infer<typeof upstreamSchema>;

export const upstreamsSchema = z.object({ upstreams: z.array(upstreamSchema) });
