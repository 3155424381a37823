import { beforeEach, describe, expect, it } from "vitest";
import { attentionFrom as attention } from "../../../../server/model/options/attention-settings.ts";
import { createEmbeddings, type EmbeddingsOptions } from "../../../../server/runner/llama-engine/embeddings.ts";
import { RunnerFailure } from "../../../../server/runner/runner-failure.ts";

const warned: string[] = [];
const attentionFrom = (settings: Parameters<typeof attention>[0], env: NodeJS.ProcessEnv) =>
  attention(settings, env, (message) => void warned.push(message));
beforeEach(() => void warned.splice(0));

const unset = { flash_attention: undefined, kv_cache_type: undefined };

describe("flash attention and the type of the KV cache", () => {
  it("are the engine's choice unless they are set", () => {
    expect(attentionFrom(unset, {})).toEqual({});
    expect(attentionFrom(unset, { OLLAMA_FLASH_ATTENTION: "", OLLAMA_KV_CACHE_TYPE: " " })).toEqual({});
  });

  it.each([
    ["1", true],
    ["true", true],
    ["whatever", true],
    ["0", false],
    ['"false"', false],
  ])("come from Ollama's variables: OLLAMA_FLASH_ATTENTION=%s is %s", (value, flash_attention) =>
    expect(attentionFrom(unset, { OLLAMA_FLASH_ATTENTION: value })).toEqual({ flash_attention }),
  );

  it.each(["f16", "q8_0", "q4_0"] as const)("come from Ollama's variables: OLLAMA_KV_CACHE_TYPE=%s", (type) =>
    expect(attentionFrom(unset, { OLLAMA_KV_CACHE_TYPE: ` "${type.toUpperCase()}" ` })).toEqual({
      kv_cache_type: type,
    }),
  );

  it("come from Hearth's settings first", () => {
    const env = { OLLAMA_FLASH_ATTENTION: "0", OLLAMA_KV_CACHE_TYPE: "q4_0" };
    expect(attentionFrom({ flash_attention: "on", kv_cache_type: "q8_0" }, env)).toEqual({
      flash_attention: true,
      kv_cache_type: "q8_0",
    });
  });

  it("do not come from a variable whose value is none of them, which is told", () => {
    expect(attentionFrom(unset, { OLLAMA_KV_CACHE_TYPE: "q5_1" })).toEqual({});
    expect(warned).toEqual(["OLLAMA_KV_CACHE_TYPE=q5_1 is none of f16, q8_0, q4_0; it is not used"]);
  });

  it("do not come from a variable that excludes what is set elsewhere, which is told", () => {
    const env = { OLLAMA_FLASH_ATTENTION: "0", OLLAMA_KV_CACHE_TYPE: "q8_0" };
    expect(attentionFrom(unset, env)).toEqual({ flash_attention: false });
    expect(attentionFrom({ ...unset, flash_attention: "off" }, env)).toEqual({ flash_attention: false });
    expect(warned.map((message) => message.split(" ")[0])).toEqual(Array(2).fill("OLLAMA_KV_CACHE_TYPE=q8_0"));
    expect(attentionFrom({ ...unset, kv_cache_type: "q4_0" }, env)).toEqual({ kv_cache_type: "q4_0" });
    expect(warned[2]).toMatch(/^OLLAMA_FLASH_ATTENTION=0 /);
    expect(attentionFrom(unset, { ...env, OLLAMA_KV_CACHE_TYPE: "f16" })).toMatchObject({ flash_attention: false });
    expect(warned).toHaveLength(3);
  });

  it("are refused together when Hearth's own settings exclude each other", () => {
    expect(() => attentionFrom({ flash_attention: "off", kv_cache_type: "q8_0" }, {})).toThrow(
      /q8_0 .* needs flash attention: do not switch off/,
    );
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
