/** The engine port without weights: tests say what it generates, and see what it was asked. */
import { setTimeout as later } from "node:timers/promises";
import type { RunnerFit, RunnerGenerate } from "../../../server/contract/model/runner.ts";
import {
  EngineError,
  type Engine,
  type GenerationChunk,
  type LoadedModel,
  type LoadRequest,
} from "../../../server/model/engine/engine.ts";

/**
 * What a generation does: each text is a token, of which `num_predict` counts, one with a probability where requests ask for
 * it. `wait`: nothing more until the request is aborted.
 */
export type Step =
  string | { text: string; probability: number } | { fail: EngineError } | { wait: true } | { until: Promise<void> };

export interface ScriptedEngine extends Engine {
  /** Steps of each generation from now on, of a prompt where they depend on it. */
  steps: Step[] | ((prompt: string) => Step[]);
  /** Whether loaded models take a `suffix`. */
  canInfill: boolean;
  /** Called before each load; may throw an EngineError or wait. */
  beforeLoad: (request: LoadRequest, signal: AbortSignal) => Promise<void> | void;
  /** Tokens of each prompt that are known already. */
  cached: number;
  /** Tokens of a text. */
  countTokens: (text: string) => number;
  /** Fails each embedding. */
  embedError: EngineError | undefined;
  /** Bytes that models may take, and those of weights and of a token of the window. */
  memory: { available: number; weights: number; perToken: number };
  readonly fits: RunnerFit[];
  readonly loads: LoadRequest[];
  readonly unloads: string[];
  readonly requests: RunnerGenerate[];
  /** Generations that ended because the request was aborted. */
  readonly aborted: RunnerGenerate[];
  /** The most generations that ran at one time on one model. */
  mostAtOnce: number;
  /** As when the engine's process ends. */
  loseEverything(): void;
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });

const logprobsOf = ({ text, probability }: { text: string; probability: number }) => ({
  logprobs: [{ token: text, bytes: [...Buffer.from(text)], logprob: Math.log(probability), top: [] }],
});

export function createScriptedEngine(): ScriptedEngine {
  let life = new AbortController();

  async function* generate(request: RunnerGenerate, signal: AbortSignal): AsyncGenerator<GenerationChunk, void> {
    const tokens = engine.countTokens(request.prompt);
    if (tokens >= request.window && request.overflow === "refuse") throw new EngineError("prompt_too_long", "too long");
    const stopped = aborted(signal);
    stopped.catch(() => engine.aborted.push(request));
    const limit = request.num_predict < 0 ? Number.POSITIVE_INFINITY : request.num_predict;
    let count = 0;
    const { steps } = engine;
    for (const step of typeof steps === "function" ? steps(request.prompt) : steps) {
      signal.throwIfAborted();
      if (count === limit) break;
      if (typeof step === "string") {
        count++;
        yield { type: "text", text: step };
      } else if ("text" in step) {
        count++;
        yield { type: "text", text: step.text, ...(request.logprobs !== undefined && logprobsOf(step)) };
      } else if ("fail" in step) throw step.fail;
      else await ("until" in step ? Promise.race([step.until, stopped]) : stopped);
    }
    yield {
      type: "done",
      reason: count === limit ? "length" : "stop",
      prompt_tokens: tokens,
      cached_tokens: engine.cached,
      cut_tokens: Math.max(0, tokens - request.window),
      prompt_ns: 1000,
      eval_tokens: count,
      eval_ns: 2000,
      drafted_tokens: 0,
      accepted_tokens: 0,
      ...(request.with_context && { context: [1, 2, 3] }),
    };
  }

  function open(request: LoadRequest): LoadedModel {
    let running = 0;
    return {
      id: request.path,
      contextLength: request.num_ctx,
      size: 1000,
      sizeVram: 0,
      bosToken: "<s>",
      eosToken: "</s>",
      lost: life.signal,
      async *generate(asked, signal) {
        engine.requests.push(asked);
        engine.mostAtOnce = Math.max(engine.mostAtOnce, ++running);
        try {
          yield* generate(asked, signal);
        } finally {
          running--;
        }
      },
      sequences: request.sequences ?? 1,
      get canInfill() {
        return engine.canInfill;
      },
      canRank: true,
      tokenize: async (text) => Array.from({ length: engine.countTokens(text) }, (_, i) => text.codePointAt(i) ?? 0),
      countPrompt: async (text) => engine.countTokens(text),
      detokenize: async (tokens) => tokens.map((token) => String.fromCodePoint(token)).join(""),
      async embed({ texts }) {
        if (engine.embedError) throw engine.embedError;
        return {
          embeddings: texts.map((text) => [3, 4, text.length]),
          tokens: texts.map((text) => engine.countTokens(text)),
        };
      },
      rank: async ({ query, documents }) => ({
        scores: documents.map((document) => (document.includes(query) ? 0.9 : 0.1)),
        tokens: documents.length,
      }),
      async unload() {
        engine.unloads.push(request.path);
      },
    };
  }

  const engine: ScriptedEngine = {
    steps: ["Hel", "lo"],
    canInfill: true,
    cached: 0,
    embedError: undefined,
    beforeLoad: () => undefined,
    countTokens: (text) => text.length,
    memory: { available: 1_000_000, weights: 100_000, perToken: 100 },
    fits: [],
    loads: [],
    unloads: [],
    requests: [],
    aborted: [],
    mostAtOnce: 0,
    loseEverything() {
      life.abort();
      life = new AbortController();
    },
    async load(request, signal, onProgress) {
      engine.loads.push(request);
      await engine.beforeLoad(request, signal);
      onProgress?.(0.5);
      await later(0, undefined, { signal });
      return open(request);
    },
    async fit(request) {
      engine.fits.push(request);
      const { available, weights, perToken } = engine.memory;
      if (request.path === undefined) return { available, weights: 0, context: 0, largest_ctx: null };
      const most = Math.min(request.most_ctx, Math.floor((available - weights) / perToken));
      return { available, weights, context: request.num_ctx * perToken, largest_ctx: most < 256 ? null : most };
    },
    close: () => undefined,
  };
  return engine;
}

/** A promise that the test settles. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
