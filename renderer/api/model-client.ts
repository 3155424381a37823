/** The model service behind the application server's proxy, in its own (Ollama's) wire format; only the fields that are used. */
import { z } from "zod";
import { modelPath, type Send } from "./call.ts";
import { ConsoleError } from "./console-error.ts";
import { readNdjson } from "./ndjson.ts";

const tagsSchema = z.object({ models: z.array(z.object({ name: z.string(), size: z.number().optional() })) });
export type InstalledModel = z.infer<typeof tagsSchema>["models"][number];

/** One line of a streamed chat. Durations are nanoseconds and come, like the counts, with the last line; zero is omitted. */
const chatChunkSchema = z.object({
  message: z.object({ content: z.string().default("") }).optional(),
  done: z.boolean().default(false),
  done_reason: z.string().optional(),
  load_duration: z.number().default(0),
  prompt_eval_duration: z.number().default(0),
  eval_count: z.number().default(0),
  eval_duration: z.number().default(0),
});
export type ChatChunk = z.infer<typeof chatChunkSchema>;
const errorLineSchema = z.object({ error: z.string() });

export const chatMessageSchema = z.object({ role: z.enum(["user", "assistant"]), content: z.string() });
export type ChatMessage = z.infer<typeof chatMessageSchema>;

export interface ModelClient {
  listModels(signal?: AbortSignal): Promise<InstalledModel[]>;
  /** Streams the answer; aborting the signal stops the generation on the server too. */
  chat: (request: { model: string; messages: ChatMessage[] }, signal: AbortSignal) => AsyncGenerator<ChatChunk>;
}

/** @throws ConsoleError from every method, also in the middle of a stream. */
export function createModelClient(send: Send): ModelClient {
  return {
    async listModels(signal) {
      const reply = await send(`${modelPath}/api/tags`, { signal: signal ?? null });
      return tagsSchema.parse(await reply.json()).models;
    },
    async *chat(request, signal) {
      const body = JSON.stringify({ ...request, stream: true });
      const headers = { "content-type": "application/json" };
      const reply = await send(`${modelPath}/api/chat`, { method: "POST", headers, body, signal });
      if (!reply.body) return;
      for await (const line of readNdjson(reply.body)) {
        const failed = errorLineSchema.safeParse(line);
        if (failed.success) throw new ConsoleError(reply.status, failed.data.error);
        yield chatChunkSchema.parse(line);
      }
    },
  };
}
