/** Loads a GGUF file and creates its context, if there is memory for both. */
import { stat } from "node:fs/promises";
import type { GgufInsights, Llama, LlamaContext, LlamaGrammarEvaluationState, LlamaModel } from "node-llama-cpp";
import type { InTurn } from "../../process/create-turns.ts";
import type { RunnerLoad } from "../../contract/model/runner.ts";
import { askMemory, quickNeed, weightsTooLarge, type ContextNeed } from "../memory.ts";
import { RunnerFailure } from "../runner-failure.ts";
import type { ThreadGovernor } from "../thread-governor.ts";
import { chooseThreads } from "../threads.ts";
import { createEmbeddings, type Embeddings } from "./embeddings.ts";
import { kvCacheOf, kvCacheToGenerate, type KvCache } from "./kv-cache.ts";
import { KeptPrompts } from "./prompt-cache/kept-prompts.ts";
import type { PromptCache } from "./prompt-cache/prompt-cache.ts";
import { createSequences, inOrder, whenAllAreThere, type Sequences } from "./sequences/sequences.ts";

export interface OpenModel {
  readonly model: LlamaModel;
  readonly context: LlamaContext;
  readonly sequences: Sequences;
  readonly embeddings: Embeddings;
}

export interface OpenModelOptions {
  readonly llama: Llama;
  readonly request: RunnerLoad;
  readonly cores: number;
  readonly governor: ThreadGovernor;
  /** Bytes that may be used at the moment. */
  readonly availableMemory: () => number;
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
  readonly startGrammar: (model: LlamaModel, gbnf: string) => Promise<LlamaGrammarEvaluationState>;
  /** Runs when no model is being loaded. */
  readonly afterLoads: InTurn;
  readonly promptCache: PromptCache;
}

/** On a CPU larger batches are no faster, and an abort waits until a batch ends. */
const cpuBatch = 128;
const gpuBatch = 512;

/** All files of a model named like "-00001-of-00003.gguf", or the one file. */
function filesOf(path: string): string[] {
  const parts = /^(.*-)\d{5}(-of-(\d{5})\.gguf)$/.exec(path);
  if (parts === null) return [path];
  const [, before = "", after = "", count] = parts;
  return Array.from({ length: Number(count) }, (_, i) => `${before}${String(i + 1).padStart(5, "0")}${after}`);
}

/** Bytes of a model's files; missing ones count 0, and the engine then reports the problem. */
export async function bytesOf(path: string): Promise<number> {
  const sizes = filesOf(path).map((file) =>
    stat(file).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

const outOfMemory = (message: string) => new RunnerFailure("out_of_memory", message);

async function loadWeights({ llama, request, availableMemory, onProgress, signal }: OpenModelOptions, kv: KvCache) {
  const { path, num_ctx, num_gpu = -1, use_mmap } = request;
  const weights = await bytesOf(path);
  const available = availableMemory();
  if (llama.gpu === false && weights > available) throw outOfMemory(weightsTooLarge(weights, available));
  return llama.loadModel({
    modelPath: path,
    gpuLayers: num_gpu >= 0 ? num_gpu : llama.gpu === false ? 0 : { fitContext: { contextSize: num_ctx } },
    ...(use_mmap !== undefined && { useMmap: use_mmap }),
    defaultContextFlashAttention: kv.flashAttention,
    experimentalDefaultContextKvCacheKeyType: kv.kvCacheKeyType,
    experimentalDefaultContextKvCacheValueType: kv.kvCacheValueType,
    onLoadProgress: onProgress,
    loadSignal: signal,
  });
}

/** Number of tokens per batch. */
export const batchSizeFor = ({ num_ctx, num_batch }: Pick<RunnerLoad, "num_ctx" | "num_batch">, gpuLayers: number) =>
  Math.min(num_ctx, num_batch ?? (gpuLayers > 0 ? gpuBatch : cpuBatch));

type EstimateOptions = Parameters<GgufInsights["estimateContextResourceRequirementsV2"]>[0];

/** Bytes of memory that a model's contexts need, not counting a GPU's. */
export const contextNeedOf = (
  insights: GgufInsights,
  options: Pick<EstimateOptions, "modelGpuLayers" | "batchSize" | "isEmbeddingContext"> & KvCache,
): ContextNeed =>
  quickNeed(async (contextSize, sequences) => {
    const need = await insights.estimateContextResourceRequirementsV2({ ...options, contextSize, sequences });
    return need.cpuRam;
  });

/** The number of sequences that fit in memory. @throws RunnerFailure out_of_memory with the numbers. */
async function sequencesFor(
  model: LlamaModel,
  { request, availableMemory }: OpenModelOptions,
  shape: KvCache & { readonly batchSize: number },
) {
  const { fileInsights, gpuLayers } = model;
  const contextNeed = contextNeedOf(fileInsights, { ...shape, modelGpuLayers: gpuLayers });
  const answer = await askMemory({
    available: availableMemory(),
    // Layers on a GPU do not count here: the engine checks that memory itself.
    weights: gpuLayers > 0 ? 0 : model.size,
    contextNeed,
    contextSize: request.num_ctx,
    sequences: request.sequences,
  });
  if (!answer.fits) throw outOfMemory(answer.message);
  return answer.sequences;
}

/** The engine's undocumented memory per context token for vectors: one float for each token of the vocabulary. */
const logitBytes = 4;

/** A context for vectors or ranks needs more than the load has counted. @throws RunnerFailure out_of_memory */
async function checkEmbeddingMemory(
  { fileInfo, fileInsights, gpuLayers }: LlamaModel,
  { availableMemory }: OpenModelOptions,
  shape: KvCache & { readonly batchSize: number },
): Promise<void> {
  const estimated = contextNeedOf(fileInsights, { ...shape, modelGpuLayers: gpuLayers, isEmbeddingContext: true });
  const vocabulary = fileInfo.metadata.tokenizer?.ggml.tokens?.length ?? 0;
  const contextNeed: ContextNeed = async (size, sequences) =>
    (await estimated(size, sequences)) + size * vocabulary * logitBytes;
  const { batchSize: contextSize } = shape;
  const answer = await askMemory({ available: availableMemory(), weights: 0, contextNeed, contextSize, sequences: 1 });
  if (!answer.fits) throw outOfMemory(answer.message);
}

/** The engine does not report why it cannot create a context; a quantized cache is the likeliest reason. */
function contextFailure(error: unknown, { kv_cache_type: type = "f16" }: RunnerLoad): unknown {
  if (type === "f16" || !(error instanceof Error)) return error;
  const advice = "the model's heads may not fit that type; f16 fits every model";
  return new RunnerFailure(
    "load_failed",
    `no context with a KV cache of type ${type} (${error.message}): ${advice}`,
    error,
  );
}

/** The kept states of a context. They depend on everything that decides what a state contains. */
function keptPromptsOf({ llama, request, promptCache }: OpenModelOptions, context: LlamaContext) {
  const { path, weights } = request;
  if (weights === undefined) return undefined;
  const { contextSize, totalSequences, batchSize, flashAttention, kvCacheKeyType, kvCacheValueType } = context;
  const shape = [contextSize, totalSequences, batchSize, flashAttention, kvCacheKeyType, kvCacheValueType];
  const settings = [process.arch, llama.gpu, context.model.gpuLayers, ...shape];
  const place = promptCache.placeOf({ weights, path, settings });
  return place && new KeptPrompts({ cache: promptCache, place, context });
}

/** @throws RunnerFailure out_of_memory, bad_request; what the engine throws; the signal's reason when aborted. */
export async function openModel(options: OpenModelOptions): Promise<OpenModel> {
  const { request, cores, governor, signal, startGrammar, afterLoads } = options;
  const kv = kvCacheOf(request);
  const model = await loadWeights(options, kv);
  try {
    const threads = chooseThreads(cores, model.size, request.num_thread);
    const batchSize = batchSizeFor(request, model.gpuLayers);
    const toGenerate = kvCacheToGenerate(kv, model.fileInsights, model.gpuLayers);
    const shape = {
      contextSize: request.num_ctx,
      sequences: await sequencesFor(model, options, { ...toGenerate, batchSize }),
      flashAttention: toGenerate.flashAttention,
      batching: { itemPrioritizationStrategy: inOrder, dispatchSchedule: whenAllAreThere },
      batchSize,
      threads,
      createSignal: signal,
    };
    const context = await governor
      .unlimited(() => model.createContext(shape))
      .catch((error: unknown) => {
        throw contextFailure(error, request);
      });
    return {
      model,
      context,
      embeddings: createEmbeddings({
        model,
        contextSize: context.contextSize,
        threads,
        unlimited: (run) => afterLoads(() => governor.unlimited(run)),
        checkMemory: (size) => checkEmbeddingMemory(model, options, { ...kv, batchSize: size }),
      }),
      sequences: createSequences({
        model,
        context,
        startGrammar: (gbnf) => startGrammar(model, gbnf),
        kept: keptPromptsOf(options, context),
        beforeRound: () => governor.ready(),
        afterRound: (round) => governor.observe(request.id, round),
      }),
    };
  } catch (error) {
    await model.dispose();
    throw error;
  }
}
