/**
 * Wraps node-llama-cpp in the few operations that the runner offers. Owns the engine's instance and every loaded model;
 * knows nothing of HTTP.
 */
import type { LlamaModel } from "node-llama-cpp";
import type {
  RunnerEmbed,
  RunnerEmbedded,
  RunnerFit,
  RunnerFitted,
  RunnerGenerate,
  RunnerGenerateLine,
  RunnerLoad,
  RunnerLoaded,
  RunnerRank,
  RunnerRanked,
  RunnerStatus,
  RunnerTokenize,
} from "../../contract/model/runner.ts";
import { collectGarbage } from "../../process/collect-garbage.ts";
import { createTurns } from "../../process/create-turns.ts";
import type { Log } from "../../process/log.ts";
import type { GpuEngine } from "../gpu-engine.ts";
import { RunnerFailure } from "../runner-failure.ts";
import type { ThreadGovernor } from "../thread-governor.ts";
import { askFit } from "./ask-fit.ts";
import { openModel, type OpenModel } from "./open-model.ts";
import { canInfill, knownTokens, withBegin } from "./prompt-tokens.ts";
import { hasInternals } from "./sequences/drafted-sequence.ts";
import { startLlama } from "./start-llama.ts";
import { firstTokens } from "./tokenize.ts";

export interface LlamaEngineOptions {
  /** The maximum number of threads of the engine. */
  readonly cores: number;
  readonly log: Log;
  readonly gpuEngine: GpuEngine;
  readonly createGovernor: (apply: (threads: number) => void) => ThreadGovernor;
  /** Bytes of memory that a load may use. */
  readonly availableMemory: () => number;
}

export interface LlamaEngine {
  /** Loads the engine into memory, so that the first load does not wait for it. */
  warmUp(): Promise<void>;
  /** @throws RunnerFailure load_failed, out_of_memory; the signal's reason when aborted. */
  load(request: RunnerLoad, onProgress: (fraction: number) => void, signal: AbortSignal): Promise<RunnerLoaded>;
  /** A model's memory need, without loading it. @throws RunnerFailure load_failed if the file is no model. */
  fit(request: RunnerFit): Promise<RunnerFitted>;
  /**
   * Yields lines in order, several at a time.
   * @throws RunnerFailure not_loaded and others; the signal's reason when aborted.
   */
  generate(id: string, request: RunnerGenerate, signal: AbortSignal): AsyncIterable<readonly RunnerGenerateLine[]>;
  /** @throws RunnerFailure not_loaded */
  status(id: string): RunnerStatus;
  /** @throws RunnerFailure not_loaded; the signal's reason when aborted. */
  tokenize(id: string, request: RunnerTokenize, signal: AbortSignal): Promise<{ tokens: number[] }>;
  /** @throws RunnerFailure not_loaded, bad_request for a token that the model does not have. */
  detokenize(id: string, tokens: readonly number[]): { text: string };
  /** @throws RunnerFailure not_loaded, prompt_too_long, bad_request; the signal's reason when aborted. */
  embed(id: string, request: RunnerEmbed, signal: AbortSignal): Promise<RunnerEmbedded>;
  /** @throws RunnerFailure not_loaded, not_supported, prompt_too_long; the signal's reason when aborted. */
  rank(id: string, request: RunnerRank, signal: AbortSignal): Promise<RunnerRanked>;
  /** Waits for generations in progress; an unknown id is no error. */
  unload(id: string): Promise<void>;
  unloadAll(): Promise<void>;
}

export function createLlamaEngine(options: LlamaEngineOptions): LlamaEngine {
  const { cores, log, gpuEngine } = options;
  const models = new Map<string, OpenModel>();
  let starting: ReturnType<typeof start> | undefined;
  /** While a model is being loaded, the engine makes no context, and generations must not wait for that. */
  const afterLoads = createTurns();

  async function start() {
    const began = performance.now();
    const binding = await import("node-llama-cpp");
    const llama = await startLlama(binding, gpuEngine, log);
    const ms = Math.round(performance.now() - began);
    log.info({ gpu: llama.gpu, engine: llama.llamaCppRelease.release, ms }, "engine ready");
    if (!hasInternals(binding.LlamaContextSequence))
      log.warn("this version of node-llama-cpp lacks the method by which tokens are drafted: answers may be slower");
    const governor = options.createGovernor((threads) => {
      llama.maxThreads = threads;
    });
    return { binding, llama, governor };
  }

  /** The engine: started on the first call, and again after a failure. */
  const engine = () =>
    (starting ??= start().catch((error: unknown) => {
      starting = undefined;
      throw new RunnerFailure("load_failed", `the engine cannot start: ${(error as Error).message}`, error);
    }));

  function found(id: string): OpenModel {
    const loaded = models.get(id);
    if (loaded === undefined) throw new RunnerFailure("not_loaded", `no model is loaded as ${id}`);
    return loaded;
  }

  async function startGrammar(model: LlamaModel, gbnf: string) {
    const { binding, llama } = await engine();
    try {
      return new binding.LlamaGrammarEvaluationState({ model, grammar: await llama.createGrammar({ grammar: gbnf }) });
    } catch (error) {
      throw new RunnerFailure("not_supported", `the grammar cannot be read: ${(error as Error).message}`, error);
    }
  }

  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);

  /** Bytes that are left. Files of loaded models appear as reclaimable caches, but are in use. */
  const memoryLeft = () =>
    options.availableMemory() - sum([...models.values()].map(({ model }) => (model.useMmap ? model.size : 0)));

  /** Bytes that unloading these models would release. */
  const memoryOf = (ids: readonly string[]) =>
    sum(
      ids.flatMap((id) => {
        const loaded = models.get(id);
        return loaded === undefined ? [] : [loaded.model.memoryUsage.ram, loaded.context.memoryUsage.ram];
      }),
    );

  async function unload(id: string): Promise<void> {
    const loaded = models.get(id);
    if (loaded === undefined) return;
    models.delete(id);
    await loaded.sequences.close();
    await loaded.embeddings.dispose();
    await loaded.context.dispose();
    await loaded.model.dispose();
    (await engine()).governor.stop();
    if (models.size === 0) collectGarbage();
  }

  return {
    async warmUp() {
      await engine();
    },
    async load(request, onProgress, signal) {
      const { binding, llama, governor } = await engine();
      signal.throwIfAborted();
      const { id } = request;
      governor.start();
      const open = async () => {
        signal.throwIfAborted();
        return openModel({
          llama,
          request,
          cores,
          governor,
          availableMemory: memoryLeft,
          onProgress,
          signal,
          startGrammar,
          afterLoads,
        });
      };
      const loaded = await afterLoads(() => gpuEngine.guard("load", open)).catch((error: unknown) => {
        governor.stop();
        signal.throwIfAborted();
        if (error instanceof RunnerFailure) throw error;
        const code = error instanceof binding.InsufficientMemoryError ? "out_of_memory" : "load_failed";
        throw new RunnerFailure(code, `the model cannot be loaded: ${(error as Error).message}`, error);
      });
      models.set(id, loaded);
      const { model, context } = loaded;
      return {
        type: "loaded",
        id,
        context_length: context.contextSize,
        size: model.memoryUsage.ram + model.memoryUsage.vram + context.memoryUsage.ram + context.memoryUsage.vram,
        size_vram: model.memoryUsage.vram + context.memoryUsage.vram,
        threads: context.idealThreads,
        sequences: context.totalSequences,
        can_infill: canInfill(model),
        can_rank: model.fileInsights.supportsRanking,
        bos_token: model.tokens.bosString ?? "",
        eos_token: model.tokens.eosString ?? "",
      };
    },
    async fit(request) {
      const { binding, llama } = await engine();
      return askFit({ binding, llama, request, available: memoryLeft() + memoryOf(request.without) });
    },
    generate: (id, request, signal) => found(id).sequences.generate(request, signal),
    status(id) {
      const { context, sequences } = found(id);
      return {
        sequences: context.totalSequences,
        free: sequences.free,
        waiting: sequences.waiting,
        threads: context.currentThreads,
      };
    },
    async tokenize(id, { text, most = Infinity, begin = false }, signal) {
      const { model } = found(id);
      const tokens = await firstTokens(model, text, { special: true, most, signal });
      return { tokens: begin ? withBegin(model, tokens) : tokens };
    },
    detokenize(id, tokens) {
      const { model } = found(id);
      return { text: model.detokenize(knownTokens(model, tokens), true) };
    },
    embed: (id, request, signal) => found(id).embeddings.embed(request, signal),
    rank: (id, request, signal) => found(id).embeddings.rank(request, signal),
    unload,
    async unloadAll() {
      await Promise.all([...models.keys()].map(unload));
    },
  };
}
