/** The memory that a model would need, computed from the file's header without loading it. */
import type * as Binding from "node-llama-cpp";
import type { RunnerFit, RunnerFitted } from "../../contract/model/runner.ts";
import { largestContext } from "../memory.ts";
import { RunnerFailure } from "../runner-failure.ts";
import { kvCacheOf, kvCacheToGenerate } from "./kv-cache.ts";
import { batchSizeFor, bytesOf, contextNeedOf } from "./open-model.ts";

export interface FitQuestion {
  readonly binding: Pick<typeof Binding, "readGgufFileInfo" | "GgufInsights">;
  readonly llama: Binding.Llama;
  readonly request: RunnerFit;
  /** Bytes that the model may use. */
  readonly available: number;
}

async function insightsOf({ binding, llama }: FitQuestion, path: string): Promise<Binding.GgufInsights> {
  try {
    const info = await binding.readGgufFileInfo(path, { sourceType: "filesystem", logWarnings: false });
    return await binding.GgufInsights.from(info, llama);
  } catch (error) {
    throw new RunnerFailure("load_failed", `the model cannot be read: ${(error as Error).message}`, error);
  }
}

/** Layers that a load would put on the GPU. */
async function gpuLayersFor(
  insights: Binding.GgufInsights,
  { llama, request: { num_ctx, num_gpu = -1 } }: FitQuestion,
) {
  if (llama.gpu === false || num_gpu === 0) return 0;
  if (num_gpu > 0) return Math.min(num_gpu, insights.totalLayers);
  const options = { fitContext: { contextSize: num_ctx } };
  return (await insights.configurationResolver.resolveModelGpuLayersV2(options)).gpuLayers;
}

/** @throws RunnerFailure load_failed */
export async function askFit(question: FitQuestion): Promise<RunnerFitted> {
  const { request, available } = question;
  const { path, num_ctx, most_ctx, sequences } = request;
  if (path === undefined) return { available, weights: 0, context: 0, largest_ctx: null };
  const insights = await insightsOf(question, path);
  const modelGpuLayers = await gpuLayersFor(insights, question);
  const contextNeed = contextNeedOf(insights, {
    modelGpuLayers,
    batchSize: batchSizeFor(request, modelGpuLayers),
    ...kvCacheToGenerate(kvCacheOf(request), insights, modelGpuLayers),
  });
  // As for a load: layers on a GPU do not count, because the engine checks that memory itself.
  const weights = modelGpuLayers > 0 ? 0 : await bytesOf(path);
  const context = await contextNeed(num_ctx, sequences);
  const isAllOfIt = weights + (await contextNeed(most_ctx, sequences)) <= available;
  const smaller = { available, weights, contextNeed, contextSize: most_ctx, sequences };
  const largest = isAllOfIt ? most_ctx : await largestContext(smaller, sequences);
  return { available, weights, context, largest_ctx: largest ?? null };
}
