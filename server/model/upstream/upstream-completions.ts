/**
 * Answers for models that run at upstreams. A request that fails before its first token goes to another upstream of the
 * model; a later failure is the client's.
 */
import type { AnswerChunk, Completions, DoneChunk, ModelRequest } from "../chat-completion.ts";
import { ownCalls } from "../chat/answer-reader.ts";
import type { InstalledModel, RemoteModel } from "../models/library/installed-model.ts";
import { shortName } from "../models/library/model-name.ts";
import { OllamaError } from "../ollama-error.ts";
import { usageOfReading, type NoteUsage } from "../reporting/usage.ts";
import { generateAt, remoteChat, remoteOptions } from "./remote-requests.ts";
import type { UpstreamApi } from "./upstream-api.ts";
import { UpstreamAttempts } from "./upstream-attempts.ts";
import type { UpstreamPool } from "./upstream-pool.ts";

const unloadMs = 30_000;

const usageOf = ({ figures, cachedTokens }: DoneChunk) => ({
  promptTokens: figures.prompt_eval_count,
  cachedTokens,
  generatedTokens: figures.eval_count,
  generationNs: figures.eval_duration,
});

const hasToken = ({ type }: AnswerChunk) => type !== "loading" && type !== "progress" && type !== "cut";

function remoteOf({ name, remote }: InstalledModel): RemoteModel {
  if (remote === undefined) throw new Error(`${shortName(name)} runs here`);
  return remote;
}

async function refuseRendering(sent: string, model: InstalledModel): Promise<never> {
  const urls = remoteOf(model).targets.map(({ url }) => url);
  const what = "the rendering of prompts";
  throw new OllamaError(
    501,
    `"${sent}" runs at ${urls.join(", ")}: ${what} is not forwarded to upstreams; send the request there`,
  );
}

/** Starts an answer at an upstream, where the model has the name `id`. */
type Start = (
  at: { readonly api: UpstreamApi; readonly id: string },
  signal: AbortSignal,
) => AsyncIterable<AnswerChunk>;

export function createUpstreamCompletions(pool: UpstreamPool, noteUsage: NoteUsage): Completions {
  const attemptsOf = (model: InstalledModel, sent: string, signal: AbortSignal) =>
    new UpstreamAttempts(pool, sent, remoteOf(model), signal);

  async function* stream(
    attempts: UpstreamAttempts,
    model: string,
    start: Start,
    choose: (chunk: AnswerChunk) => AnswerChunk | undefined = (chunk) => chunk,
  ): AsyncGenerator<AnswerChunk, void> {
    const beganMs = performance.now();
    let firstTextMs: number | undefined;
    /** Pieces of an answer that breaks off, each as one token; the upstream has not counted them. */
    let pieces = 0;
    for (;;) {
      const lease = attempts.acquire();
      let isBegun = false;
      try {
        for await (const chunk of start({ api: lease.upstream.api, id: lease.model }, attempts.signalOf(lease))) {
          isBegun ||= hasToken(chunk);
          if (isBegun) firstTextMs ??= performance.now() - beganMs;
          if (hasToken(chunk)) pieces++;
          if (chunk.type === "done") {
            pieces = 0;
            noteUsage({ ...usageOf(chunk), model, firstTextMs });
          }
          const chosen = choose(chunk);
          if (chosen !== undefined) yield chosen;
        }
        return;
      } catch (error) {
        attempts.failed(lease, error, isBegun);
      } finally {
        if (pieces > 0) noteUsage({ model, promptTokens: 0, cachedTokens: 0, generatedTokens: pieces, firstTextMs });
        lease.release();
      }
    }
  }

  /** Asks an upstream, with the name and the options that it gets. */
  async function ask<Request extends ModelRequest, T>(
    model: InstalledModel,
    request: Request,
    signal: AbortSignal,
    work: (api: UpstreamApi, sent: Request, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const options = remoteOptions(model, request);
    return attemptsOf(model, request.model, signal).ask(({ upstream, model: id }, either) =>
      work(upstream.api, { ...request, model: id, options }, either),
    );
  }

  return {
    chat: (model, request, signal) =>
      stream(
        attemptsOf(model, request.model, signal),
        shortName(model.name),
        ({ api, id }, either) => api.chat(remoteChat(model, request, id), either),
        ownCalls(request),
      ),
    generate: (model, request, signal) =>
      stream(attemptsOf(model, request.model, signal), shortName(model.name), (at, either) =>
        generateAt(at, model, request, either),
      ),
    async embed(model, request, signal) {
      if (request.input.length === 0)
        return { embeddings: [], total_duration: 0, load_duration: 0, prompt_eval_count: 0 };
      const embedded = await ask(model, request, signal, (api, sent, either) => api.embed(sent, either));
      noteUsage(usageOfReading(shortName(model.name), embedded.prompt_eval_count));
      return embedded;
    },
    renderChat: (model, request) => refuseRendering(request.model, model),
    renderPrompt: (model, request) => refuseRendering(request.model, model),
    countTokens: async (model, request, signal) =>
      attemptsOf(model, request.model, signal).ask(({ upstream, model: id }, either) =>
        upstream.api.countTokens(remoteChat(model, request, id), either),
      ),
    rank: (model, request, signal) => ask(model, request, signal, (api, sent, either) => api.rank(sent, either)),
    tokenize: (model, request, signal) =>
      ask(model, request, signal, (api, sent, either) => api.tokenize(sent, either)),
    detokenize: (model, request, signal) =>
      ask(model, request, signal, (api, sent, either) => api.detokenize(sent, either)),
    capabilities: async (model) => remoteOf(model).capabilities,
    // oxlint-disable-next-line require-yield -- an upstream does not tell how far it is
    async *load(model, { model: sent, options, keepAliveMs }, signal) {
      await ask(model, { model: sent, options, keepAliveMs }, signal, (api, request, either) =>
        api.load(request, either),
      );
    },
    async unload(model) {
      const { targets } = remoteOf(model);
      const signal = AbortSignal.timeout(unloadMs);
      await Promise.all(
        targets.map(({ url, model: id }) => pool.at(url).api.load({ model: id, options: {}, keepAliveMs: 0 }, signal)),
      );
    },
  };
}
