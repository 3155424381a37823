/** The client of the model service, in its own (Ollama's) wire format: the console's and the command line's. */
import type { z } from "zod";
import { parseJson } from "../parse-json.ts";
import { readLines, bodyChunks } from "../read-lines.ts";
import type { Fit } from "./model-fit.ts";
import type { createRequestSchema, ProgressLine } from "./ollama-library.ts";
import type { Upstream } from "./upstreams.ts";
import type { ChatChunk, chatRequestSchema, Ps, Show, Tags } from "./ollama.ts";

export type ServedModel = Tags["models"][number];
export type ModelInMemory = Ps["models"][number];
export type ChatInput = z.input<typeof chatRequestSchema>;
type CreateRequest = z.input<typeof createRequestSchema>;

/** Options of a load; `keep_alive` in Ollama's format: "5m", or -1 for ever. */
export interface LoadInput {
  model: string;
  num_ctx?: number | undefined;
  keep_alive?: string | number | undefined;
}

export interface ModelClient {
  listModels(signal?: AbortSignal): Promise<ServedModel[]>;
  listLoaded(signal?: AbortSignal): Promise<ModelInMemory[]>;
  /** The servers that run models for the service; none for an Ollama, which has no such call. */
  listUpstreams(signal?: AbortSignal): Promise<Upstream[]>;
  show(model: string, signal?: AbortSignal): Promise<Show>;
  /** Whether it would fit into memory; null if unknown. */
  fit(model: string, numCtx: number | undefined, signal?: AbortSignal): Promise<Fit | null>;
  copy(source: string, destination: string): Promise<void>;
  remove(model: string): Promise<void>;
  unload(model: string): Promise<void>;
  /** Loads a model and yields the loaded share from 0 to 1. */
  load: (request: LoadInput, signal: AbortSignal) => AsyncGenerator<number>;
  /** Downloads; after an abort, the next pull resumes from the received part. `insecure`: over plain HTTP. */
  pull: (request: { model: string; insecure: boolean }, signal: AbortSignal) => AsyncGenerator<ProgressLine>;
  create: (request: CreateRequest, signal: AbortSignal) => AsyncGenerator<ProgressLine>;
  /** Whether the service has the file with this digest (`sha256:…`). */
  hasBlob(digest: string, signal: AbortSignal): Promise<boolean>;
  /** Sends a file from which a model can be created; `onSent` receives the number of bytes sent. */
  sendBlob(file: Blob, digest: string, signal: AbortSignal, onSent: (bytes: number) => void): Promise<void>;
  /**
   * Streams the answer, preceded by the progress of the load and the prompt. Aborting the signal also stops the
   * generation on the server.
   */
  chat: (request: ChatInput, signal: AbortSignal) => AsyncGenerator<ChatChunk>;
}

/** How the service is reached. */
export interface ModelTransport {
  /** One request by its path at the service. @throws Error with the `status` of a refusal; another when there was no answer */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>;
  /** POSTs a file; `onSent` is called with the number of bytes sent. @throws as `send` */
  readonly sendFile: (path: string, file: Blob, signal: AbortSignal, onSent: (bytes: number) => void) => Promise<void>;
  /** The error for a refusal in the middle of a reply with this status. */
  readonly refusal: (status: number, message: string) => Error;
}

// The wire's schemas are loaded with the first call, because the first page needs none.
const ollama = () => import("./ollama.ts");
const library = () => import("./ollama-library.ts");
const upstreams = () => import("./upstreams.ts");
const fits = () => import("./model-fit.ts");

const progressLine = async () => (await library()).progressLineSchema;
const jsonType = { "content-type": "application/json" };

/** Whoever else answers at the address may not write JSON. */
const valueOf = async (reply: Promise<Response>) => parseJson(await (await reply).text());
const isNotFound = (error: unknown) => error instanceof Error && "status" in error && error.status === 404;

/** Every method throws the transport's errors, also in the middle of a stream. */
export function createModelClient({ send, sendFile, refusal }: ModelTransport): ModelClient {
  const get = async (path: string, signal: AbortSignal | undefined) => valueOf(send(path, { signal: signal ?? null }));
  const post = (path: string, body: object, signal?: AbortSignal, method = "POST") =>
    send(path, { method, headers: jsonType, body: JSON.stringify(body), signal: signal ?? null });
  /** @throws the transport's refusal for a reply outside of Ollama's API */
  function read<Value>(schema: z.ZodType<Value>, value: unknown, path: string): Value {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const { path: place = [], message = "" } = result.error.issues[0] ?? {};
    throw refusal(502, `the reply to ${path} is not one of Ollama's API (${place.join(".")}: ${message})`);
  }
  /** Reads the reply to its end, so that its connection is free. */
  const done = async (reply: Promise<Response>) => void (await (await reply).text());
  async function* stream<Line>(
    path: string,
    body: object,
    schema: () => Promise<z.ZodType<Line>>,
    signal: AbortSignal,
  ): AsyncGenerator<Line> {
    const line = await schema();
    const reply = await post(path, body, signal);
    if (!reply.body) return;
    for await (const text of readLines(bodyChunks(reply.body))) {
      const value: unknown = parseJson(text);
      if (isErrorLine(value)) throw refusal(reply.status, value.error);
      yield read(line, value, path);
    }
  }

  return {
    listModels: async (signal) => read((await ollama()).tagsSchema, await get("/api/tags", signal), "/api/tags").models,
    listLoaded: async (signal) => read((await ollama()).psSchema, await get("/api/ps", signal), "/api/ps").models,
    async listUpstreams(signal) {
      try {
        const { upstreamsSchema } = await upstreams();
        return read(upstreamsSchema, await get("/api/upstreams", signal), "/api/upstreams").upstreams;
      } catch (error) {
        if (isNotFound(error)) return [];
        throw error;
      }
    },
    show: async (model, signal) =>
      read((await ollama()).showSchema, await valueOf(post("/api/show", { model }, signal)), "/api/show"),
    async fit(model, num_ctx, signal) {
      try {
        const { fitSchema } = await fits();
        return read(fitSchema, await valueOf(post("/api/fit", { model, num_ctx }, signal)), "/api/fit");
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    },
    copy: (source, destination) => done(post("/api/copy", { source, destination })),
    remove: (model) => done(post("/api/delete", { model }, undefined, "DELETE")),
    unload: (model) => done(post("/api/generate", { model, keep_alive: 0 })),
    async *load({ model, num_ctx, keep_alive }, signal) {
      const body = { model, keep_alive, progress: true, ...(num_ctx !== undefined && { options: { num_ctx } }) };
      for await (const line of stream("/api/generate", body, async () => (await ollama()).generateChunkSchema, signal))
        if (line.load_progress !== undefined) yield line.load_progress;
    },
    pull: (request, signal) => stream("/api/pull", { ...request, stream: true }, progressLine, signal),
    create: (request, signal) => stream("/api/create", { ...request, stream: true }, progressLine, signal),
    async hasBlob(digest, signal) {
      try {
        await send(`/api/blobs/${digest}`, { method: "HEAD", signal });
        return true;
      } catch (error) {
        if (isNotFound(error)) return false;
        throw error;
      }
    },
    sendBlob: (file, digest, signal, onSent) => sendFile(`/api/blobs/${digest}`, file, signal, onSent),
    chat: (request, signal) =>
      stream(
        "/api/chat",
        { ...request, stream: true, progress: true },
        async () => (await ollama()).chatChunkSchema,
        signal,
      ),
  };
}

const isErrorLine = (value: unknown): value is { error: string } =>
  typeof value === "object" && value !== null && "error" in value && typeof value.error === "string";
