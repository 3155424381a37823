/** POST /v1/messages and what counts its tokens, Anthropic's routes of the model service: what requests hold. Rules as in openai.ts. */
import { z } from "zod";
import { list } from "../bounded-lists.ts";
import { anyWhole, maybe } from "../given.ts";

/** `content`: text or blocks, which the route reads. */
export const anthropicMessageSchema = z.object({ role: maybe(z.string()), content: z.unknown().optional() });
export type AnthropicMessage = z.output<typeof anthropicMessageSchema>;

/** `keep_alive`, `num_ctx` and `options` are not part of Anthropic's API; they have Ollama's meanings. */
export const anthropicRequestSchema = z.object({
  model: maybe(z.string()),
  max_tokens: maybe(anyWhole),
  messages: maybe(list(anthropicMessageSchema)),
  system: z.unknown().optional(),
  stream: maybe(z.boolean()),
  temperature: maybe(z.number()),
  top_p: maybe(z.number()),
  top_k: maybe(anyWhole),
  stop_sequences: maybe(list(z.string())),
  tools: maybe(z.array(z.unknown())),
  tool_choice: z.unknown().optional(),
  /** A history that the server keeps, which this one does not. */
  thread: z.unknown().optional(),
  thinking: maybe(z.object({ type: maybe(z.string()) })),
  output_config: maybe(z.object({ effort: maybe(z.string()), format: z.unknown().optional() })),
  /** The older place of `output_config.format`. */
  output_format: z.unknown().optional(),
  mcp_servers: z.unknown().optional(),
  container: z.unknown().optional(),
  keep_alive: z.unknown().optional(),
  num_ctx: maybe(anyWhole),
  options: maybe(z.record(z.string(), z.unknown())),
});
export type AnthropicRequest = z.output<typeof anthropicRequestSchema>;
