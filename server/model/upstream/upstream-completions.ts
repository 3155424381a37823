/**
 * Answers for models that run at upstreams. A request that fails before its first token goes to another upstream of the
 * model; after it, the client is told.
 */
import type {
  AnswerChunk,
  ChatMessage,
  ChatRequest,
  Completions,
  DoneChunk,
  ModelRequest,
  PromptRequest,
} from "../chat-completion.ts";
import { modelHistory } from "../chat/chat.ts";
import { findModel, unknownAsSent } from "../models/find-model.ts";
import type { InstalledModel, RemoteModel } from "../models/library/installed-model.ts";
import type { Library } from "../models/library/library.ts";
import { shortName } from "../models/library/model-name.ts";
import { OllamaError } from "../ollama-error.ts";
import { resolveOptions, type RawOptions } from "../options/model-options.ts";
import { chatMessages, withModelMessages } from "../chat/prompt/chat-messages.ts";
import { usageOfReading, type NoteUsage } from "../reporting/usage.ts";
import type { UpstreamApi } from "./upstream-api.ts";
import { UpstreamError } from "./upstream-error.ts";
import type { UpstreamLease, UpstreamPool } from "./upstream-pool.ts";

const given = (options: RawOptions) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null && value !== undefined));

/** One failure as it is; several in one text. */
function failureOf(model: string, failures: readonly UpstreamError[]): Error {
  const [first, ...others] = failures;
  if (first === undefined)
    return new OllamaError(503, `model '${model}' has no upstream: add one to the setting upstreams`);
  if (others.length === 0) return first;
  // 503: it may pass; 501: none of them has it.
  const shared = [503, 501].find((status) => failures.every((failure) => failure.status === status));
  const texts = failures.map(({ message }) => message).join("; ");
  return new OllamaError(shared ?? 502, `no upstream answers for model '${model}': ${texts}`, first);
}

type RemoteInstalled = InstalledModel & { readonly remote: RemoteModel };

const usageOf = ({ figures, cachedTokens }: DoneChunk) => ({
  promptTokens: figures.prompt_eval_count,
  cachedTokens,
  generatedTokens: figures.eval_count,
  generationNs: figures.eval_duration,
});

const hasToken = ({ type }: AnswerChunk) => type !== "loading" && type !== "progress" && type !== "cut";

export function createUpstreamCompletions(library: Library, pool: UpstreamPool, noteUsage: NoteUsage): Completions {
  async function remoteOf(sent: string): Promise<RemoteInstalled> {
    const model = await findModel(library, sent, unknownAsSent);
    if (model.remote === undefined) throw new Error(`${sent} runs here`);
    return { ...model, remote: model.remote };
  }

  const signalOf = ({ lost }: UpstreamLease, signal: AbortSignal) => AbortSignal.any([signal, lost]);

  /** The upstreams of a model, each of which is tried once. */
  function triesOf(sent: string, { targets }: RemoteModel, signal: AbortSignal) {
    const tried = new Set<UpstreamLease["upstream"]>();
    const failures: UpstreamError[] = [];
    return {
      /** @throws the failures, once none is left */
      acquire(): UpstreamLease {
        const lease = pool.acquire(targets, tried);
        if (lease === undefined) throw failureOf(sent, failures);
        tried.add(lease.upstream);
        return lease;
      },
      /** Returns if another upstream may do better. @throws the error otherwise */
      failed(lease: UpstreamLease, error: unknown, isBegun = false): void {
        signal.throwIfAborted();
        if (!(error instanceof UpstreamError)) throw error;
        lease.failed(error);
        if (!error.mayRetry || isBegun) throw error;
        failures.push(error);
      },
    };
  }

  async function* stream(
    sent: string,
    { name, remote }: RemoteInstalled,
    signal: AbortSignal,
    start: (api: UpstreamApi, model: string, signal: AbortSignal) => AsyncIterable<AnswerChunk>,
  ): AsyncGenerator<AnswerChunk, void> {
    const tries = triesOf(sent, remote, signal);
    const beganMs = performance.now();
    const model = shortName(name);
    let firstTextMs: number | undefined;
    /** Of an answer that is cut off, each as one token; the upstream has not counted them. */
    let pieces = 0;
    for (;;) {
      const lease = tries.acquire();
      let isBegun = false;
      try {
        for await (const chunk of start(lease.upstream.api, lease.model, signalOf(lease, signal))) {
          isBegun ||= hasToken(chunk);
          if (isBegun) firstTextMs ??= performance.now() - beganMs;
          if (hasToken(chunk)) pieces++;
          if (chunk.type === "done") {
            pieces = 0;
            noteUsage({ ...usageOf(chunk), model, firstTextMs });
          }
          yield chunk;
        }
        return;
      } catch (error) {
        tries.failed(lease, error, isBegun);
      } finally {
        if (pieces > 0) noteUsage({ model, promptTokens: 0, cachedTokens: 0, generatedTokens: pieces, firstTextMs });
        lease.release();
      }
    }
  }

  async function once<T>(
    sent: string,
    remote: RemoteModel,
    signal: AbortSignal,
    ask: (api: UpstreamApi, model: string, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const tries = triesOf(sent, remote, signal);
    for (;;) {
      const lease = tries.acquire();
      try {
        return await ask(lease.upstream.api, lease.model, signalOf(lease, signal));
      } catch (error) {
        tries.failed(lease, error);
      } finally {
        lease.release();
      }
    }
  }

  /** Those that somebody gave, none of a wrong type: defaults are the upstream's. @throws OllamaError */
  function optionsOf(model: InstalledModel, { options }: ModelRequest): RawOptions {
    const all = { ...model.parameters, ...given(options) };
    resolveOptions(all);
    return all;
  }

  const messagesOf = (model: InstalledModel, messages: readonly ChatMessage[], system = model.system) =>
    chatMessages(withModelMessages(messages, { system, history: modelHistory(model) }));

  /** The chat as the upstream gets it. @throws OllamaError */
  function chatOf(model: InstalledModel, request: ChatRequest, id: string): ChatRequest {
    const tools = request.toolChoice === "none" ? [] : request.tools;
    const messages = messagesOf(model, request.messages);
    return { ...request, model: id, messages, tools, options: optionsOf(model, request) };
  }

  function promptAt(model: InstalledModel, request: PromptRequest, api: UpstreamApi, id: string, signal: AbortSignal) {
    const isPlain = request.raw || request.suffix !== undefined || request.context.length > 0;
    // A prompt has no place for the messages that come before it.
    if (!isPlain && (model.messages?.length ?? 0) > 0) {
      const user = { role: "user", content: request.prompt, images: request.images };
      const messages = messagesOf(model, [user], request.system ?? model.system);
      const chat = { ...request, messages, tools: [], toolChoice: "none", severalCalls: true } as const;
      return api.chat({ ...chat, model: id, options: optionsOf(model, request) }, signal);
    }
    const system = isPlain ? request.system : (request.system ?? model.system);
    return api.generate({ ...request, model: id, system, options: optionsOf(model, request) }, signal);
  }

  /** Asks an upstream of the request's model, with the name and the options that it gets. */
  async function askOf<Request extends ModelRequest, T>(
    request: Request,
    signal: AbortSignal,
    ask: (api: UpstreamApi, sent: Request, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const model = await remoteOf(request.model);
    const options = optionsOf(model, request);
    return once(request.model, model.remote, signal, (api, id, either) =>
      ask(api, { ...request, model: id, options }, either),
    );
  }

  async function notThere(sent: string, what: string): Promise<never> {
    const { targets } = (await remoteOf(sent)).remote;
    throw new OllamaError(
      501,
      `"${sent}" runs at ${targets.map(({ url }) => url).join(", ")}: ${what} is not passed on to upstreams; ask there`,
    );
  }

  return {
    async *chat(request, signal) {
      const model = await remoteOf(request.model);
      yield* stream(request.model, model, signal, (api, id, either) => api.chat(chatOf(model, request, id), either));
    },
    async *generate(request, signal) {
      const model = await remoteOf(request.model);
      yield* stream(request.model, model, signal, (api, id, either) => promptAt(model, request, api, id, either));
    },
    async embed(request, signal) {
      if (request.input.length === 0)
        return { embeddings: [], total_duration: 0, load_duration: 0, prompt_eval_count: 0 };
      const model = await remoteOf(request.model);
      const options = optionsOf(model, request);
      const embedded = await once(request.model, model.remote, signal, (api, id, either) =>
        api.embed({ ...request, model: id, options }, either),
      );
      noteUsage(usageOfReading(shortName(model.name), embedded.prompt_eval_count));
      return embedded;
    },
    renderChat: (request) => notThere(request.model, "the rendering of prompts"),
    renderPrompt: (request) => notThere(request.model, "the rendering of prompts"),
    async countTokens(request, signal) {
      const model = await remoteOf(request.model);
      return once(request.model, model.remote, signal, (api, id, either) =>
        api.countTokens(chatOf(model, request, id), either),
      );
    },
    rank: (request, signal) => askOf(request, signal, (api, sent, either) => api.rank(sent, either)),
    tokenize: (request, signal) => askOf(request, signal, (api, sent, either) => api.tokenize(sent, either)),
    detokenize: (request, signal) => askOf(request, signal, (api, sent, either) => api.detokenize(sent, either)),
    async capabilities(sent) {
      return (await remoteOf(sent)).remote.capabilities;
    },
    // oxlint-disable-next-line require-yield -- an upstream does not tell how far it is
    async *load(request, signal) {
      const model = await remoteOf(request.model);
      const { keepAliveMs } = request;
      const options = optionsOf(model, request);
      await once(request.model, model.remote, signal, (api, id, either) =>
        api.load({ model: id, options, keepAliveMs }, either),
      );
    },
    async unload(sent) {
      const { targets } = (await remoteOf(sent)).remote;
      const signal = AbortSignal.timeout(unloadMs);
      await Promise.all(
        targets.map(({ url, model }) => pool.at(url).api.load({ model, options: {}, keepAliveMs: 0 }, signal)),
      );
    },
  };
}

const unloadMs = 30_000;
