/**
 * Wraps node-llama-cpp in the few operations that the runner offers. Owns the engine's instance and every loaded model;
 * knows nothing of HTTP.
 */
import type * as NodeLlamaCpp from "node-llama-cpp";
import type { Llama, LlamaModel } from "node-llama-cpp";
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
import { EngineLog } from "./engine-log.ts";
import { openModel, type OpenModel } from "./open-model.ts";
import { canInfill, knownTokens, withBegin } from "./prompt-tokens.ts";
import type { PromptCache } from "./prompt-cache/prompt-cache.ts";
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
  readonly promptCache: PromptCache;
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);

const loadedLine = (id: string, { model, context }: OpenModel): RunnerLoaded => ({
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
});

interface StartedEngine {
  readonly binding: typeof NodeLlamaCpp;
  readonly llama: Llama;
  readonly governor: ThreadGovernor;
}

/**
 * The engine with its loaded models. It starts on the first use. Loads run one after another; everything else may run at
 * the same time, also while a model is loaded.
 */
export class LlamaEngine {
  readonly #options: LlamaEngineOptions;
  readonly #engineLog: EngineLog;
  readonly #models = new Map<string, OpenModel>();
  /** Unloads under way. */
  readonly #unloading = new Set<Promise<void>>();
  #starting: Promise<StartedEngine> | undefined;
  /** While a model is being loaded, the engine makes no context, and generations must not wait for that. */
  readonly #afterLoads = createTurns();

  constructor(options: LlamaEngineOptions) {
    this.#options = options;
    this.#engineLog = new EngineLog(options.log);
  }

  /** Loads the engine into memory, so that the first load does not wait for it. */
  async warmUp(): Promise<void> {
    await this.#engine();
  }

  /** @throws RunnerFailure load_failed, out_of_memory; the signal's reason when aborted. */
  async load(request: RunnerLoad, onProgress: (fraction: number) => void, signal: AbortSignal): Promise<RunnerLoaded> {
    const { binding, llama, governor } = await this.#engine();
    signal.throwIfAborted();
    governor.start();
    const open = async () => {
      signal.throwIfAborted();
      this.#engineLog.begin();
      return openModel({
        llama,
        request,
        cores: this.#options.cores,
        governor,
        availableMemory: () => this.#memoryLeft(),
        onProgress,
        signal,
        startGrammar: (model, gbnf) => this.#startGrammar(model, gbnf),
        afterLoads: this.#afterLoads,
        promptCache: this.#options.promptCache,
      });
    };
    const loaded = await this.#afterLoads(() => this.#options.gpuEngine.guard("load", open)).catch(
      async (error: unknown) => {
        governor.stop();
        signal.throwIfAborted();
        if (error instanceof RunnerFailure) throw error;
        const text = "the model cannot be loaded";
        const { message } = error as Error;
        if (error instanceof binding.InsufficientMemoryError)
          throw new RunnerFailure("out_of_memory", `${text}: ${message}`, error);
        throw new RunnerFailure("load_failed", `${text}: ${(await this.#engineLog.reason()) ?? message}`, error);
      },
    );
    this.#models.set(request.id, loaded);
    return loadedLine(request.id, loaded);
  }

  /** A model's memory need, without loading it. @throws RunnerFailure load_failed if the file is no model. */
  async fit(request: RunnerFit): Promise<RunnerFitted> {
    const { binding, llama } = await this.#engine();
    return askFit({ binding, llama, request, available: this.#memoryLeft() + this.#memoryOf(request.without) });
  }

  /**
   * Yields lines in order, several at a time.
   * @throws RunnerFailure not_loaded and others; the signal's reason when aborted.
   */
  generate(id: string, request: RunnerGenerate, signal: AbortSignal): AsyncIterable<readonly RunnerGenerateLine[]> {
    return this.#found(id).sequences.generate(request, signal);
  }

  /** @throws RunnerFailure not_loaded */
  status(id: string): RunnerStatus {
    const { context, sequences } = this.#found(id);
    return {
      sequences: context.totalSequences,
      free: sequences.free,
      waiting: sequences.waiting,
      threads: context.currentThreads,
    };
  }

  /** @throws RunnerFailure not_loaded; the signal's reason when aborted. */
  async tokenize(
    id: string,
    { text, most = Infinity, begin = false }: RunnerTokenize,
    signal: AbortSignal,
  ): Promise<{ tokens: number[] }> {
    const { model } = this.#found(id);
    const tokens = await firstTokens(model, text, { special: true, most, signal });
    return { tokens: begin ? withBegin(model, tokens) : tokens };
  }

  /** @throws RunnerFailure not_loaded, bad_request for a token that the model does not have. */
  detokenize(id: string, tokens: readonly number[]): { text: string } {
    const { model } = this.#found(id);
    return { text: model.detokenize(knownTokens(model, tokens), true) };
  }

  /** @throws RunnerFailure not_loaded, prompt_too_long, bad_request; the signal's reason when aborted. */
  embed(id: string, request: RunnerEmbed, signal: AbortSignal): Promise<RunnerEmbedded> {
    return this.#found(id).embeddings.embed(request, signal);
  }

  /** @throws RunnerFailure not_loaded, not_supported, prompt_too_long; the signal's reason when aborted. */
  rank(id: string, request: RunnerRank, signal: AbortSignal): Promise<RunnerRanked> {
    return this.#found(id).embeddings.rank(request, signal);
  }

  /** Waits for generations in progress, and keeps the states of their prompts; an unknown id is no error. */
  async unload(id: string): Promise<void> {
    const loaded = this.#models.get(id);
    if (loaded === undefined) return;
    this.#models.delete(id);
    const unloading = this.#unload(loaded).finally(() => this.#unloading.delete(unloading));
    this.#unloading.add(unloading);
    await unloading;
  }

  /** Resolves when no model is loaded, and no unload is under way. */
  async unloadAll(): Promise<void> {
    await Promise.all([...this.#unloading, ...[...this.#models.keys()].map((id) => this.unload(id))]);
  }

  async #unload(loaded: OpenModel): Promise<void> {
    await loaded.sequences.close();
    await loaded.embeddings.dispose();
    await loaded.context.dispose();
    await loaded.model.dispose();
    (await this.#engine()).governor.stop();
    if (this.#models.size === 0) collectGarbage();
  }

  async #start(): Promise<StartedEngine> {
    const began = performance.now();
    const binding = await import("node-llama-cpp");
    const llama = await startLlama(binding, this.#options.gpuEngine, this.#engineLog);
    const ms = Math.round(performance.now() - began);
    this.#options.log.info({ gpu: llama.gpu, engine: llama.llamaCppRelease.release, ms }, "engine ready");
    if (!hasInternals(binding.LlamaContextSequence))
      this.#options.log.warn("this version of node-llama-cpp cannot draft tokens: answers may be slower");
    const governor = this.#options.createGovernor((threads) => {
      llama.maxThreads = threads;
    });
    return { binding, llama, governor };
  }

  /** The engine: started on the first call, and again after a failure. */
  #engine(): Promise<StartedEngine> {
    this.#starting ??= this.#start().catch((error: unknown) => {
      this.#starting = undefined;
      throw new RunnerFailure("load_failed", `the engine cannot start: ${(error as Error).message}`, error);
    });
    return this.#starting;
  }

  #found(id: string): OpenModel {
    const loaded = this.#models.get(id);
    if (loaded === undefined) throw new RunnerFailure("not_loaded", `no model is loaded as ${id}`);
    return loaded;
  }

  async #startGrammar(model: LlamaModel, gbnf: string) {
    const { binding, llama } = await this.#engine();
    try {
      return new binding.LlamaGrammarEvaluationState({ model, grammar: await llama.createGrammar({ grammar: gbnf }) });
    } catch (error) {
      throw new RunnerFailure("not_supported", `the grammar cannot be read: ${(error as Error).message}`, error);
    }
  }

  /** Bytes that are left. Files of loaded models appear as reclaimable caches, but are in use. */
  #memoryLeft(): number {
    const mapped = [...this.#models.values()].map(({ model }) => (model.useMmap ? model.size : 0));
    return this.#options.availableMemory() - sum(mapped);
  }

  /** Bytes that unloading these models would release. */
  #memoryOf(ids: readonly string[]): number {
    const loaded = ids.flatMap((id) => this.#models.get(id) ?? []);
    return sum(loaded.map(({ model, context }) => model.memoryUsage.ram + context.memoryUsage.ram));
  }
}
