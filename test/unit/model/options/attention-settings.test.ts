import { beforeEach, describe, expect, it } from "vitest";
import { attentionFrom as attention } from "../../../../server/model/options/attention-settings.ts";
import { createEmbeddings, type EmbeddingsOptions } from "../../../../server/runner/llama-engine/embeddings.ts";
import { RunnerFailure } from "../../../../server/runner/runner-failure.ts";

const warned: string[] = [];
const attentionFrom = (env: NodeJS.ProcessEnv) => attention(env, (message) => void warned.push(message));
beforeEach(() => void warned.splice(0));

describe("flash attention and the type of the KV cache", () => {
  it("are the engine's choice unless they are set", () => {
    expect(attentionFrom({})).toEqual({});
    expect(attentionFrom({ OLLAMA_FLASH_ATTENTION: "", OLLAMA_KV_CACHE_TYPE: " " })).toEqual({});
  });

  it.each([
    ["1", true],
    ["true", true],
    ["whatever", true],
    ["0", false],
    ['"false"', false],
  ])("come from Ollama's variables: OLLAMA_FLASH_ATTENTION=%s is %s", (value, flash_attention) =>
    expect(attentionFrom({ OLLAMA_FLASH_ATTENTION: value })).toEqual({ flash_attention }),
  );

  it.each(["f16", "q8_0", "q4_0"] as const)("come from Ollama's variables: OLLAMA_KV_CACHE_TYPE=%s", (type) =>
    expect(attentionFrom({ OLLAMA_KV_CACHE_TYPE: ` "${type.toUpperCase()}" ` })).toEqual({
      kv_cache_type: type,
    }),
  );

  it("do not come from a variable whose value is none of them, which is told", () => {
    expect(attentionFrom({ OLLAMA_KV_CACHE_TYPE: "q5_1" })).toEqual({});
    expect(warned).toEqual(["OLLAMA_KV_CACHE_TYPE=q5_1 is not one of f16, q8_0, q4_0 and is ignored"]);
  });

  it("are not both used where a quantized cache excludes flash attention that is off, and a warning says so", () => {
    const env = { OLLAMA_FLASH_ATTENTION: "0", OLLAMA_KV_CACHE_TYPE: "q8_0" };
    expect(attentionFrom(env)).toEqual({ flash_attention: false });
    expect(warned.map((message) => message.split(" ")[0])).toEqual(["OLLAMA_KV_CACHE_TYPE=q8_0"]);
    expect(attentionFrom({ ...env, OLLAMA_KV_CACHE_TYPE: "f16" })).toMatchObject({ flash_attention: false });
    expect(warned).toHaveLength(1);
  });
});

describe("a context for vectors or ranks", () => {
  it("is refused with the numbers where it does not fit, before it is made", async () => {
    const checked: number[] = [];
    const model = { tokenize: () => [1, 2, 3], fileInsights: { supportsRanking: true } };
    const embeddings = createEmbeddings({
      model: model as unknown as EmbeddingsOptions["model"],
      contextSize: 100_000,
      threads: 1,
      unlimited: () => Promise.reject(new Error("made")),
      checkMemory: async (size) => {
        checked.push(size);
        throw new RunnerFailure("out_of_memory", "too large");
      },
    });
    const never = new AbortController().signal;
    const refusal = { code: "out_of_memory" };
    await expect(embeddings.embed({ texts: ["a"], overflow: "cut" }, never)).rejects.toMatchObject(refusal);
    await expect(embeddings.rank({ query: "a", documents: ["b"] }, never)).rejects.toMatchObject(refusal);
    expect(checked).toEqual([256, 256]);
  });
});
