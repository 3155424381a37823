/** How contexts compute attention, and the type of their key-value cache. */
import type { GgmlType, GgufInsights } from "node-llama-cpp";
import type { KvCacheType, RunnerLoad } from "../../contract/model/runner.ts";
import { RunnerFailure } from "../runner-failure.ts";

/** The engine's numbers of the types. */
const typeIds: Record<KvCacheType, GgmlType> = { f16: 1, q8_0: 8, q4_0: 2 };

export interface KvCache {
  readonly flashAttention: boolean | "auto";
  readonly kvCacheKeyType: GgmlType;
  readonly kvCacheValueType: GgmlType;
}

/** @throws RunnerFailure bad_request for a quantized cache without flash attention. */
export function kvCacheOf({
  flash_attention: flash,
  kv_cache_type: type = "f16",
}: Pick<RunnerLoad, "flash_attention" | "kv_cache_type">): KvCache {
  const isQuantized = type !== "f16";
  if (isQuantized && flash === false)
    throw new RunnerFailure("bad_request", `a KV cache of type ${type} needs flash attention, which is switched off`);
  const id = typeIds[type];
  return { flashAttention: flash ?? (isQuantized || "auto"), kvCacheKeyType: id, kvCacheValueType: id };
}

/** Numbers of an attention head from which flash attention is fast on a CPU. */
const leastHead = 64;

/** Numbers of a head; undefined where the file does not say. */
function headSizeOf({ ggufFileInfo: { architectureMetadata } }: GgufInsights): number | undefined {
  const { attention, embedding_length: width } = architectureMetadata;
  const perHead = width !== undefined && attention?.head_count ? width / attention.head_count : undefined;
  return attention?.key_length ?? perHead;
}

/**
 * The options of the context that generates. Flash attention of narrower heads is slow on a CPU: with heads of 32, a token
 * after 1,700 others took 21 ms instead of 4.
 */
export function kvCacheToGenerate(kv: KvCache, insights: GgufInsights, gpuLayers: number): KvCache {
  const size = headSizeOf(insights) ?? leastHead;
  return kv.flashAttention === "auto" && gpuLayers === 0 && size < leastHead ? { ...kv, flashAttention: false } : kv;
}
