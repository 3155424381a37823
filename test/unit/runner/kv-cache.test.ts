import type { GgufInsights } from "node-llama-cpp";
import { expect, it } from "vitest";
import { kvCacheOf, kvCacheToGenerate } from "../../../server/runner/llama-engine/kv-cache.ts";

const fileWith = (architectureMetadata: object) => ({ ggufFileInfo: { architectureMetadata } }) as GgufInsights;
const narrow = fileWith({ embedding_length: 320, attention: { head_count: 10 } });
const wide = fileWith({ embedding_length: 2048, attention: { head_count: 32 } });

const flashOf = (insights: GgufInsights, gpuLayers = 0, request = {}) =>
  kvCacheToGenerate(kvCacheOf(request), insights, gpuLayers).flashAttention;

it.each([
  ["of narrow heads on a CPU", narrow, 0, false],
  ["of narrow heads on a GPU", narrow, 7, "auto"],
  ["of wide heads", wide, 0, "auto"],
  [
    "of wide heads whose keys are narrower",
    fileWith({ embedding_length: 2048, attention: { head_count: 32, key_length: 32 } }),
    0,
    false,
  ],
  ["whose file does not say how wide its heads are", fileWith({}), 0, "auto"],
  [
    "with another number of heads in each layer",
    fileWith({ embedding_length: 320, attention: { head_count: [10, 5] } }),
    0,
    "auto",
  ],
])("flash attention of a model %s is left to the engine, unless it is slower", (_, insights, gpuLayers, expected) => {
  expect(flashOf(insights, gpuLayers)).toBe(expected);
});

it("flash attention is what the settings say, where they say it", () => {
  expect(flashOf(narrow, 0, { flash_attention: true })).toBe(true);
  expect(flashOf(wide, 0, { flash_attention: false })).toBe(false);
  expect(flashOf(narrow, 0, { kv_cache_type: "q8_0" })).toBe(true);
});
