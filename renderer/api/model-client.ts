/** The model service behind the application server's proxy, in its own (Ollama's) wire format. */
import type { z } from "zod";
import type { Fit } from "../../server/contract/model/model-fit.ts";
import type { createRequestSchema, ProgressLine } from "../../server/contract/model/ollama-library.ts";
import type { ChatChunk, chatRequestSchema, Ps, Show, Tags } from "../../server/contract/model/ollama.ts";
import type { SendBody } from "./body-request.ts";
import { modelPath, type Send } from "./call.ts";
import { ConsoleError, messageOf } from "./console-error.ts";
import { readNdjson } from "./ndjson.ts";

export type InstalledModel = Tags["models"][number];
export type LoadedModel = Ps["models"][number];
export type ChatRequest = z.input<typeof chatRequestSchema>;
export type CreateRequest = z.input<typeof createRequestSchema>;

/** Options of a load; `keep_alive` in Ollama's format: "5m", or -1 for ever. */
export interface LoadRequest {
  model: string;
  num_ctx?: number | undefined;
  keep_alive?: string | number | undefined;
}

export interface ModelClient {
  listModels(signal?: AbortSignal): Promise<InstalledModel[]>;
  listLoaded(signal?: AbortSignal): Promise<LoadedModel[]>;
  show(model: string, signal?: AbortSignal): Promise<Show>;
  /** Whether it would fit into memory; null if unknown. */
  fit(model: string, numCtx: number | undefined, signal?: AbortSignal): Promise<Fit | null>;
  copy(source: string, destination: string): Promise<void>;
  remove(model: string): Promise<void>;
  unload(model: string): Promise<void>;
  /** Loads a model and yields the loaded share from 0 to 1. */
  load: (request: LoadRequest, signal: AbortSignal) => AsyncGenerator<number>;
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
  chat: (request: ChatRequest, signal: AbortSignal) => AsyncGenerator<ChatChunk>;
}

// The wire's schemas are loaded with the first call, because the first page needs none of them.
const ollama = () => import("../../server/contract/model/ollama.ts");
const library = () => import("../../server/contract/model/ollama-library.ts");
const fits = () => import("../../server/contract/model/model-fit.ts");

const progressLine = async () => (await library()).progressLineSchema;
const jsonType = { "content-type": "application/json" };
const notFound = 404;

/** @throws ConsoleError from every method, even in the middle of a stream. */
export function createModelClient(send: Send, sendBody: SendBody): ModelClient {
  const get = async (path: string, signal: AbortSignal | undefined): Promise<unknown> =>
    (await send(modelPath + path, { signal: signal ?? null })).json();
  const post = (path: string, body: object, signal?: AbortSignal, method = "POST") =>
    send(modelPath + path, { method, headers: jsonType, body: JSON.stringify(body), signal: signal ?? null });
  /** Reads the whole reply, to free its connection. */
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
    for await (const value of readNdjson(reply.body)) {
      if (isErrorLine(value)) throw new ConsoleError(reply.status, value.error);
      yield line.parse(value);
    }
  }

  return {
    listModels: async (signal) => (await ollama()).tagsSchema.parse(await get("/api/tags", signal)).models,
    listLoaded: async (signal) => (await ollama()).psSchema.parse(await get("/api/ps", signal)).models,
    show: async (model, signal) =>
      (await ollama()).showSchema.parse(await (await post("/api/show", { model }, signal)).json()),
    async fit(model, num_ctx, signal) {
      try {
        const { fitSchema } = await fits();
        return fitSchema.parse(await (await post("/api/fit", { model, num_ctx }, signal)).json());
      } catch (error) {
        if (error instanceof ConsoleError && error.status === notFound) return null;
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
        await send(`${modelPath}/api/blobs/${digest}`, { method: "HEAD", signal });
        return true;
      } catch (error) {
        if (error instanceof ConsoleError && error.status === notFound) return false;
        throw error;
      }
    },
    async sendBlob(body, digest, signal, onProgress) {
      const path = `${modelPath}/api/blobs/${digest}`;
      const { status, text } = await sendBody({ method: "POST", path, body, signal, onProgress });
      if (status >= 400) throw new ConsoleError(status, messageOf(text, `HTTP ${status}`));
    },
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
