/** An upstream with OpenAI's API: vLLM, llama-server, and whatever else speaks it. */
import type { z } from "zod";
import type { AnswerChunk, ChatRequest, ModelRequest, PromptRequest } from "../chat-completion.ts";
import { dateSent } from "../models/library/wire-date.ts";
import { shortened } from "../engine/vector.ts";
import { OllamaError } from "../ollama-error.ts";
import { createOpenAiAnswer } from "./openai-answer.ts";
import { allowsNoToken, openAiChatBody, completionBody } from "./openai-requests.ts";
import { chunkSchema, embeddingsReplySchema, modelsReplySchema, type OpenAiChunk } from "./openai-wire.ts";
import { countBody } from "./count-request.ts";
import { askCount, askRanks, askText, askTokens } from "./text-calls.ts";
import type { UpstreamApi } from "./upstream-api.ts";
import type { UpstreamClient } from "./upstream-client.ts";

/** A prompt as a chat of one turn. */
function asChat(request: PromptRequest): ChatRequest {
  if (request.template !== undefined || request.context.length > 0)
    throw new OllamaError(
      400,
      `"${request.model}" runs at an upstream with OpenAI's API, which supports neither template nor context`,
    );
  const { system, prompt, images } = request;
  const user = { role: "user", content: prompt, ...(images.length > 0 && { images }) };
  return {
    ...request,
    messages: [...(system === undefined ? [] : [{ role: "system", content: system }]), user],
    tools: [],
    toolChoice: "none",
    severalCalls: true,
  };
}

/** The end of an answer alone, as if the one token had not come that was asked for. */
async function* endOf(chunks: AsyncIterable<AnswerChunk>): AsyncGenerator<AnswerChunk, void> {
  for await (const chunk of chunks)
    if (chunk.type === "done")
      yield {
        ...chunk,
        figures: { ...chunk.figures, done_reason: "length", eval_count: 0 },
        stopSequence: undefined,
        thoughtTokens: 0,
      };
}

export function createOpenAiApi(client: UpstreamClient): UpstreamApi {
  const { name, url } = client.options;
  const notThis = (path: string) =>
    `answers ${path} in a form that is not OpenAI's API: its address or kind may be wrong`;

  /** @throws UpstreamError for a value of another shape */
  function read<Schema extends z.ZodType>(schema: Schema, value: unknown, path: string): z.output<Schema> {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw client.broken(notThis(path));
  }

  /** The chunk in a line of server-sent events; undefined for a comment or another field. */
  function readLine(line: string, path: string): OpenAiChunk | "end" | undefined {
    if (!line.startsWith("data:")) {
      // Events have no other lines than fields and comments.
      if (/^(event|id|retry)?:|^\r$/.test(line)) return undefined;
      throw client.broken(notThis(path));
    }
    const data = line.slice("data:".length).trim();
    if (data === "[DONE]") return "end";
    try {
      return read(chunkSchema, JSON.parse(data), path);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw client.broken(notThis(path), error);
    }
  }

  async function* answer(path: string, body: object, signal: AbortSignal): AsyncGenerator<AnswerChunk, void> {
    const reader = createOpenAiAnswer(() => performance.now());
    for await (const line of client.stream(path, body, signal)) {
      const chunk = readLine(line, path);
      if (chunk === "end") break;
      if (chunk?.error !== undefined) throw client.reported(chunk.error);
      if (chunk !== undefined) yield* reader.push(chunk);
    }
    if (!reader.isFinished) throw client.broken("stopped in the middle of its answer");
    yield* reader.end();
  }

  function answerTo(request: ModelRequest, path: string, body: object, signal: AbortSignal) {
    const chunks = answer(path, body, signal);
    return allowsNoToken(request) ? endOf(chunks) : chunks;
  }

  return {
    chat: (request, signal) => answerTo(request, "/chat/completions", openAiChatBody(request), signal),
    generate: (request, signal) =>
      request.raw || request.suffix !== undefined
        ? answerTo(request, "/completions", completionBody(request), signal)
        : answerTo(request, "/chat/completions", openAiChatBody(asChat(request)), signal),
    async embed({ model, input, dimensions, normalise }, signal) {
      const fewer = dimensions !== undefined && dimensions > 0 ? dimensions : undefined;
      const body = { model, input, dimensions: fewer, encoding_format: "float" };
      const reply = await client.ask("/embeddings", body, signal);
      const { data, usage } = read(embeddingsReplySchema, reply, "/embeddings");
      const vectors = data.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)).map(({ embedding }) => embedding);
      return {
        // Not every engine knows the member.
        embeddings: normalise ? vectors.map((vector) => shortened(vector, dimensions)) : vectors,
        total_duration: 0,
        load_duration: 0,
        prompt_eval_count: usage?.prompt_tokens ?? 0,
      };
    },
    countTokens: (request, signal) =>
      askCount({ client, path: "/messages/count_tokens", body: countBody(request) }, signal),
    rank: (request, signal) => askRanks({ client, path: "/rerank", body: { model: request.model } }, request, signal),
    tokenize: ({ model, text }, signal) => {
      // vLLM reads the first line, llama-server the second; both then recognise special tokens, and add none.
      const body = {
        ...{ model, prompt: text, add_special_tokens: false },
        ...{ content: text, add_special: false, parse_special: true },
      };
      return askTokens({ client, path: "/../tokenize", body }, signal);
    },
    detokenize: ({ model, tokens }, signal) =>
      askText({ client, path: "/../detokenize", body: { model, tokens } }, signal),
    async list(signal) {
      const { data } = read(modelsReplySchema, await client.ask("/models", undefined, signal), "/models");
      return data.map(({ id, created, max_model_len, meta }) => ({
        id,
        size: meta?.size ?? 0,
        modifiedAt: dateSent(created && created * 1000),
        digest: undefined,
        details: {},
        capabilities: undefined,
        contextLength: max_model_len ?? meta?.n_ctx_train,
      }));
    },
    running: async () => undefined,
    show: async () => undefined,
    async load({ keepAliveMs }) {
      if (keepAliveMs === 0)
        throw new OllamaError(501, `upstream ${name} (${url}) cannot unload: OpenAI's API has no such call`);
    },
  };
}
