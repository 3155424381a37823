/** An upstream with Ollama's API: Ollama itself, or another Hearth. */
import { dateSent } from "../models/library/wire-date.ts";
import { randomId } from "../options/random-id.ts";
import type { z } from "zod";
import type { AnswerChunk, DoneChunk } from "../chat-completion.ts";
import type { Capability } from "../models/library/installed-model.ts";
import { ollamaChatBody, modelFields, promptBody } from "./ollama-requests.ts";
import {
  embeddingReplySchema,
  embedReplySchema,
  lineSchema,
  psReplySchema,
  showReplySchema,
  tagsReplySchema,
  type OllamaLine,
} from "./ollama-wire.ts";
import { countBody } from "./count-request.ts";
import { askCount, askRanks, askText, askTokens } from "./text-calls.ts";
import type { ListedModel, UpstreamApi } from "./upstream-api.ts";
import type { UpstreamClient } from "./upstream-client.ts";

const capabilityNames: readonly Capability[] = ["completion", "embedding", "tools", "insert", "thinking", "vision"];
const capabilitiesOf = (names: readonly string[] | undefined) =>
  names && capabilityNames.filter((one) => names.includes(one));

/** The digits of a digest, with or without its algorithm; undefined for anything else, which breaks clients of lists. */
const digestSent = (digest = "") => /^(?:sha256:)?([\da-f]{64})$/i.exec(digest)?.[1]?.toLowerCase();

function doneChunk(line: OllamaLine): DoneChunk {
  return {
    type: "done",
    figures: {
      done_reason: line.done_reason === "length" ? "length" : "stop",
      total_duration: line.total_duration ?? 0,
      load_duration: line.load_duration ?? 0,
      prompt_eval_count: line.prompt_eval_count ?? 0,
      prompt_eval_duration: line.prompt_eval_duration ?? 0,
      eval_count: line.eval_count ?? 0,
      eval_duration: line.eval_duration ?? 0,
    },
    context: line.context,
    cachedTokens: 0,
    thoughtTokens: 0,
    cutTokens: line.context_cut?.cut_tokens ?? 0,
    droppedMessages: line.context_cut?.dropped_messages ?? 0,
  };
}

const logprobsOf = ({ logprobs }: OllamaLine) =>
  logprobs && {
    logprobs: logprobs.map(({ top_logprobs: top = [], ...one }) => ({
      ...one,
      bytes: one.bytes ?? [],
      top: top.map((other) => ({ ...other, bytes: other.bytes ?? [] })),
    })),
  };

/** The chunks of a line; `calls` are those before it. */
function* chunksOf(line: OllamaLine, calls: number): Generator<AnswerChunk> {
  if (line.load_progress !== undefined) yield { type: "loading", fraction: line.load_progress };
  if (line.prompt_progress) yield { type: "progress", ...line.prompt_progress };
  const thinking = line.message?.thinking ?? line.thinking ?? "";
  const text = line.message?.content ?? line.response ?? "";
  let logprobs = logprobsOf(line);
  const take = () => {
    const taken = logprobs;
    logprobs = undefined;
    return taken;
  };
  if (thinking !== "") yield { type: "thinking", text: thinking, ...take() };
  if (text !== "") yield { type: "content", text, ...take() };
  for (const [at, { id, function: called }] of (line.message?.tool_calls ?? []).entries())
    yield {
      type: "tool_call",
      call: { id: id ?? randomId("call_"), index: calls + at, name: called.name, arguments: called.arguments ?? {} },
      ...take(),
    };
  if (logprobs) yield { type: "content", text: "", ...take() };
  if (line.done === true) yield doneChunk(line);
}

/** The capabilities of a model, asked for once by its name and digest: only newer versions list them. */
function rememberCapabilities(show: (model: string, signal: AbortSignal) => Promise<z.output<typeof showReplySchema>>) {
  const known = new Map<string, readonly Capability[] | undefined>();
  return async ({ id, digest = "" }: Pick<ListedModel, "id" | "digest">, signal: AbortSignal) => {
    const key = `${id} ${digest}`;
    if (known.has(key)) return known.get(key);
    try {
      known.set(key, capabilitiesOf((await show(id, signal)).capabilities));
    } catch {
      signal.throwIfAborted();
    }
    return known.get(key);
  };
}

export function createOllamaApi(client: UpstreamClient): UpstreamApi {
  /** @throws UpstreamError for a value of another shape */
  function read<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw client.broken(`answers ${what} in a form that is not Ollama's API: its address or kind may be wrong`);
  }

  function readLine(line: string, path: string): OllamaLine {
    try {
      return read(lineSchema, JSON.parse(line), path);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw client.broken(`answers ${path} without valid JSON: its address or kind may be wrong`, error);
    }
  }

  async function* answer(path: string, body: object, signal: AbortSignal): AsyncGenerator<AnswerChunk, void> {
    let calls = 0;
    for await (const text of client.stream(path, body, signal)) {
      const line = readLine(text, path);
      if (line.error !== undefined) throw client.reported(line.error);
      for (const chunk of chunksOf(line, calls)) {
        if (chunk.type === "tool_call") calls++;
        yield chunk;
        if (chunk.type === "done") return;
      }
    }
    throw client.broken("stopped in the middle of its answer");
  }

  const show = async (model: string, signal: AbortSignal) =>
    read(showReplySchema, await client.ask("/api/show", { model }, signal), "/api/show");
  const capabilities = rememberCapabilities(show);

  return {
    chat: (request, signal) => answer("/api/chat", ollamaChatBody(request), signal),
    generate: (request, signal) => answer("/api/generate", promptBody(request), signal),
    async embed(request, signal) {
      const { input, truncate, dimensions, normalise } = request;
      // Only the older route gives vectors as the model made them.
      if (!normalise && input.length === 1) {
        const reply = await client.ask("/api/embeddings", { ...modelFields(request), prompt: input[0] }, signal);
        const { embedding } = read(embeddingReplySchema, reply, "/api/embeddings");
        return { embeddings: [embedding], total_duration: 0, load_duration: 0, prompt_eval_count: 0 };
      }
      const body = { ...modelFields(request), input, truncate, dimensions };
      const reply = read(embedReplySchema, await client.ask("/api/embed", body, signal), "/api/embed");
      const { embeddings, total_duration = 0, load_duration = 0, prompt_eval_count = 0 } = reply;
      return { embeddings, total_duration, load_duration, prompt_eval_count };
    },
    countTokens: (request, signal) => {
      const { options, keep_alive } = modelFields(request);
      return askCount(
        { client, path: "/v1/messages/count_tokens", body: { ...countBody(request), options, keep_alive } },
        signal,
      );
    },
    rank: (request, signal) => askRanks({ client, path: "/api/rerank", body: modelFields(request) }, request, signal),
    tokenize: (request, signal) =>
      askTokens({ client, path: "/api/tokenize", body: { ...modelFields(request), text: request.text } }, signal),
    detokenize: (request, signal) =>
      askText({ client, path: "/api/detokenize", body: { ...modelFields(request), tokens: request.tokens } }, signal),
    async list(signal) {
      const { models } = read(tagsReplySchema, await client.ask("/api/tags", undefined, signal), "/api/tags");
      // Models that run elsewhere are left out: two upstreams that name each other would ask for ever.
      const own = models.filter(({ remote_host: host }) => host === undefined || host === "");
      const listed = async (model: (typeof own)[number]): Promise<ListedModel> => {
        return {
          id: model.name,
          size: model.size ?? 0,
          modifiedAt: dateSent(model.modified_at),
          digest: digestSent(model.digest),
          details: model.details ?? {},
          capabilities:
            capabilitiesOf(model.capabilities) ??
            (await capabilities({ id: model.name, digest: model.digest }, signal)),
          contextLength: model.details?.context_length,
        };
      };
      return Promise.all(own.map(listed));
    },
    async running(signal) {
      const { models } = read(psReplySchema, await client.ask("/api/ps", undefined, signal), "/api/ps");
      return models.map(({ name, size = 0, size_vram = 0, context_length = 0, expires_at }) => ({
        id: name,
        size,
        sizeVram: size_vram,
        contextLength: context_length,
        expiresAt: dateSent(expires_at),
      }));
    },
    show,
    async load(request, signal) {
      await client.ask("/api/generate", { ...modelFields(request), stream: false }, signal);
    },
  };
}
