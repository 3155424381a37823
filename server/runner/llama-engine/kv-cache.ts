/** How contexts compute attention, and the type of their key-value cache. */
import type { GgmlType } from "node-llama-cpp";
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
