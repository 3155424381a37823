/** The options of attention in the engine: what is kept in which type, and what cannot be. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AttentionSettings } from "../../../server/model/options/attention-settings.ts";
import { createRunnerEngine } from "../../../server/model/engine/runner-engine.ts";
import { writeRandomGguf } from "../../support/model/random-gguf.ts";
import { generateOn } from "../../support/model/runner-requests.ts";
import { startRunner, type RunnerProcess } from "../../support/model/runner-process.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder();
const path = join(folder.path, "model.gguf");
const narrow = join(folder.path, "narrow.gguf");
const never = new AbortController().signal;
const window = 4096;
let runner: RunnerProcess;
beforeAll(async () => {
  writeRandomGguf(path, { width: 128, heads: 4, kvHeads: 4, trainContext: 8192, type: "q8_0" });
  writeRandomGguf(narrow, { trainContext: 8192 });
  runner = await startRunner();
});
afterAll(async () => {
  await runner[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Loads as a service with these settings does; what is left is given back. */
async function withModel<T>(
  attention: AttentionSettings,
  use: (model: Awaited<ReturnType<ReturnType<typeof createRunnerEngine>["load"]>>) => T | Promise<T>,
  file = path,
): Promise<T> {
  const engine = createRunnerEngine({ socketPath: runner.socketPath, attention });
  try {
    const model = await engine.load({ path: file, num_ctx: window, sequences: 1, num_thread: 1 }, never);
    try {
      return await use(model);
    } finally {
      await model.unload();
    }
  } finally {
    engine.close();
  }
}

describe("the KV cache", () => {
  it("takes about half the memory as q8_0 and a quarter as q4_0, and generates as well", async () => {
    const sizes: number[] = [];
    for (const kv_cache_type of ["f16", "q8_0", "q4_0"] as const)
      await withModel({ kv_cache_type }, async (model) => {
        sizes.push(model.size);
        expect((await generateOn(model, { num_predict: 30, window })).done.eval_tokens).toBe(30);
        expect((await model.embed({ texts: ["one"], overflow: "cut" }, never)).embeddings[0]).toHaveLength(128);
      });
    const [f16 = 0, q8 = 0, q4 = 0] = sizes;
    // Two layers with keys and values of 128 numbers each.
    const cache = 2 * 2 * 128 * 2 * window;
    expect(f16 - q8).toBeGreaterThan(0.4 * cache);
    expect(f16 - q4).toBeGreaterThan(0.65 * cache);
  });

  it("has the smaller size in estimates before a load, too", async () => {
    const needs: number[] = [];
    for (const kv_cache_type of ["f16", "q8_0"] as const) {
      const engine = createRunnerEngine({ socketPath: runner.socketPath, attention: { kv_cache_type } });
      const ask = { path, num_ctx: window, most_ctx: window, sequences: 1, without: [] };
      needs.push((await engine.fit(ask, never)).context);
      engine.close();
    }
    expect(needs[1]).toBeLessThan(needs[0] ?? 0);
  });

  it("of a type that the model cannot use is refused by the name of the type, and the runner goes on", async () => {
    const refused = withModel({ kv_cache_type: "q8_0" }, () => undefined, narrow);
    await expect(refused).rejects.toMatchObject({ code: "load_failed" });
    await expect(refused).rejects.toThrow(/KV cache of type q8_0/);
    await withModel(
      {},
      async (model) => expect((await generateOn(model, { window })).done.eval_tokens).toBe(20),
      narrow,
    );
  });

  it("of a quantized type needs flash attention", async () => {
    const refused = withModel({ kv_cache_type: "q4_0", flash_attention: false }, () => undefined);
    await expect(refused).rejects.toThrow("a KV cache of type q4_0 needs flash attention, which is switched off");
  });
});

describe("flash attention", () => {
  it("gives similar text switched on or off", async () => {
    const texts: string[] = [];
    for (const flash_attention of [true, false])
      await withModel({ flash_attention }, async (model) => {
        texts.push((await generateOn(model, { num_predict: 3, window })).text);
      });
    expect(texts[0]).toBe(texts[1]);
  });
});
