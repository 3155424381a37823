/** States of prompts on the disk: what is used again, what is not, and what stays in the folder. */
import { copyFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createRunnerEngine } from "../../../server/model/engine/runner-engine.ts";
import { promptCacheRoot, removeKeptPrompts, removePromptCache } from "../../../server/process/prompt-cache-files.ts";
import {
  beginning,
  createPromptCacheScene,
  keptWindow as window,
  restoredOf,
  statesIn,
} from "../../support/model/prompt-cache-scene.ts";
import { generateOn, greedy } from "../../support/model/runner-requests.ts";
import { startRunner } from "../../support/model/runner-process.ts";

const scene = createPromptCacheScene();
const { path, request, other, loadOnce } = scene;
const never = new AbortController().signal;
afterAll(() => scene[Symbol.dispose]());

describe("a model that is loaded again", () => {
  it("goes on from the state of the prompt, with the same text", async () => {
    await using runner = await startRunner();
    const ask = { prompt: beginning("red"), num_predict: 12 };
    const [cold] = await loadOnce(runner, [ask]);
    const [restored] = await loadOnce(runner, [ask]);
    expect(cold?.done.cached_tokens).toBe(0);
    expect(restored?.text).toBe(cold?.text);
    expect(restored?.done).toMatchObject({
      // Up to the beginning of a batch of 128 tokens.
      cached_tokens: 512,
      restored_tokens: 512,
      prompt_tokens: cold?.done.prompt_tokens,
    });
  });

  it("goes on after the end of the runner, also for a longer prompt and one that branches off", async () => {
    await using runner = await startRunner();
    const prompt = beginning("red");
    const engine = createRunnerEngine({ socketPath: runner.socketPath });
    const model = await engine.load(request, never);
    await generateOn(model, { prompt, window, num_predict: 5 });
    expect(await runner.stop()).toBe(0);
    engine.close();
    await runner.start();
    for (const more of ["and on", "or back"]) {
      const [first] = await loadOnce(runner, [{ prompt: prompt + more, num_predict: 8 }]);
      rmSync(promptCacheRoot(runner.dataDir), { recursive: true });
      const [cold] = await loadOnce(runner, [{ prompt: prompt + more, num_predict: 8 }], { weights: undefined });
      expect(first?.done.restored_tokens).toBeGreaterThan(500);
      expect(cold?.done.restored_tokens).toBeUndefined();
      expect(first?.text).toBe(cold?.text);
      if (more === "and on") await loadOnce(runner, [{ prompt, num_predict: 5 }]);
    }
  });

  it("reproduces a seed from a restored state", async () => {
    await using runner = await startRunner();
    const ask = { prompt: beginning("blue"), num_predict: 20, sampling: { ...greedy, temperature: 1.1, seed: 9 } };
    const [cold] = await loadOnce(runner, [ask]);
    const [restored] = await loadOnce(runner, [ask]);
    expect(restored?.text).toBe(cold?.text);
  });

  it("restores two conversations at once, each into a sequence of its own", async () => {
    await using runner = await startRunner();
    const asks = ["red", "green"].map((word) => ({ prompt: beginning(word), num_predict: 8, window }));
    const before = await loadOnce(runner, asks);
    const engine = createRunnerEngine({ socketPath: runner.socketPath });
    const model = await engine.load(request, never);
    const after = await Promise.all(asks.map((ask) => generateOn(model, ask)));
    engine.close();
    expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
    for (const { done } of after) expect(done.restored_tokens).toBeGreaterThan(500);
  });

  it("after a swap with another model goes on from its own state", async () => {
    await using runner = await startRunner();
    const ask = { prompt: beginning("red"), num_predict: 8 };
    const texts: (string | undefined)[] = [];
    for (let round = 0; round < 2; round++)
      for (const load of [{ path, weights: "one" }, other]) {
        const [answer] = await loadOnce(runner, [ask], load);
        expect(answer?.done.restored_tokens ?? 0).toBe(round === 0 ? 0 : 512);
        texts.push(answer?.text);
      }
    expect(texts.slice(2)).toEqual(texts.slice(0, 2));
    expect(texts[0]).not.toBe(texts[1]);
  });

  it("uses what memory holds where that is as much, and evaluates a short prompt", async () => {
    await using runner = await startRunner();
    const [long, short] = [beginning("red"), beginning("blue", 150)];
    await loadOnce(runner, [{ prompt: long }, { prompt: short }]);
    expect(statesIn(runner)).toHaveLength(1);
    const answers = await loadOnce(runner, [{ prompt: long }, { prompt: `${long} more` }, { prompt: short }]);
    expect(answers.map(({ done }) => done.restored_tokens !== undefined)).toEqual([true, false, false]);
    expect(answers[1]?.done.cached_tokens).toBeGreaterThan(500);
  });
});

describe("a kept state is not used", () => {
  const prompt = beginning("red");
  const ask = [{ prompt, num_predict: 4 }];

  it("for other weights under the same path, and other settings of the context", async () => {
    await using runner = await startRunner();
    await loadOnce(runner, ask);
    for (const load of [{ weights: "new" }, { num_ctx: 2048 }, { sequences: 1 }, { num_batch: 64 }])
      expect([load, restoredOf(await loadOnce(runner, ask, load))]).toEqual([load, 0]);
    expect(restoredOf(await loadOnce(runner, ask, {}, { flash_attention: true }))).toBe(0);
    expect(restoredOf(await loadOnce(runner, ask))).toBeGreaterThan(500);
  });

  it("beyond the tokens that a changed template has in common with it", async () => {
    await using runner = await startRunner();
    const [cold] = await loadOnce(runner, [{ prompt: `<|im_start|>${prompt}`, num_predict: 4 }]);
    const [changed] = await loadOnce(runner, [{ prompt: `<|im_end|>${prompt}`, num_predict: 4 }]);
    expect([cold?.done.restored_tokens, changed?.done.restored_tokens]).toEqual([undefined, undefined]);
  });

  it("when the setting is 0, which deletes what is there", async () => {
    await using runner = await startRunner();
    await loadOnce(runner, ask);
    expect(statesIn(runner)).toHaveLength(1);
    await runner.stop();
    await runner.start({ HEARTH_PROMPT_CACHE_MB: "0" });
    expect(readdirSync(runner.dataDir)).not.toContain("prompt-cache");
    await loadOnce(runner, ask);
    expect(restoredOf(await loadOnce(runner, ask))).toBe(0);
    expect(readdirSync(runner.dataDir)).not.toContain("prompt-cache");
  });
});

describe("the folder of kept states", () => {
  it("holds no more than the setting says: the least recently used go, and a state that is too large is not written", async () => {
    await using runner = await startRunner(undefined, { HEARTH_PROMPT_CACHE_MB: "1" });
    // 256 bytes and an id a token: two of 1,500 tokens have room, and one of 4,050 has none.
    for (const word of ["red", "green", "blue", "black"])
      await loadOnce(runner, [{ prompt: beginning(word, 1_500), num_predict: 1 }]);
    const kept = statesIn(runner);
    expect(kept.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(1024 * 1024);
    const words = ["red", "black"].map((word) => ({ prompt: beginning(word, 1_500), num_predict: 1 }));
    const answers = await loadOnce(runner, words);
    expect(answers.map(({ done }) => (done.restored_tokens ?? 0) > 0)).toEqual([false, true]);
    const before = statesIn(runner).map(({ path: file }) => basename(file));
    await loadOnce(runner, [{ prompt: beginning("wide", 4_050), num_predict: 1 }]);
    expect(statesIn(runner).map(({ path: file }) => basename(file))).toEqual(before);
  });

  it("has one state of a conversation that went on", async () => {
    await using runner = await startRunner();
    for (let turns = 1; turns < 4; turns++) {
      const [answer] = await loadOnce(runner, [{ prompt: beginning("red", 400 * turns), num_predict: 1 }]);
      expect(answer?.done.restored_tokens ?? 0).toBe([0, 384, 768][turns - 1]);
      expect(statesIn(runner)).toHaveLength(1);
    }
  });

  it("loses what a crash has left unfinished, at the next start, and files that are not Hearth's", async () => {
    await using runner = await startRunner();
    await loadOnce(runner, [{ prompt: beginning("red"), num_predict: 4 }]);
    const [state] = statesIn(runner);
    const draft = `${state?.path ?? ""}.part`;
    copyFileSync(state?.path ?? "", draft);
    writeFileSync(join(promptCacheRoot(runner.dataDir), "notes.txt"), "x");
    const engine = createRunnerEngine({ socketPath: runner.socketPath });
    const model = await engine.load(request, never);
    await generateOn(model, { prompt: beginning("green"), window });
    await runner.kill();
    engine.close();
    await runner.start();
    expect(statesIn(runner).map(({ path: file }) => file)).toEqual([state?.path]);
    expect(
      readdirSync(promptCacheRoot(runner.dataDir), { recursive: true, encoding: "utf8" }).filter((name) =>
        /part$|notes/.test(name),
      ),
    ).toEqual([]);
    expect(restoredOf(await loadOnce(runner, [{ prompt: beginning("red"), num_predict: 4 }]))).toBeGreaterThan(500);
  });

  it("is sound whenever the runner is killed while it writes", async () => {
    await using runner = await startRunner();
    const ask = { prompt: beginning("red", 3_000), num_predict: 8 };
    const [cold] = await loadOnce(runner, [ask], { weights: undefined });
    for (let round = 0; round < 6; round++) {
      const engine = createRunnerEngine({ socketPath: runner.socketPath });
      const model = await engine.load(request, never);
      expect((await generateOn(model, { ...ask, window })).text).toBe(cold?.text);
      const unloading = model.unload();
      await new Promise((resolve) => setTimeout(resolve, round * 2));
      await runner.kill();
      await unloading;
      engine.close();
      await runner.start();
      const names = readdirSync(promptCacheRoot(runner.dataDir), { recursive: true, encoding: "utf8" });
      expect(names.filter((name) => name.endsWith(".part"))).toEqual([]);
    }
    await loadOnce(runner, [ask]);
    expect(await loadOnce(runner, [ask])).toMatchObject([{ text: cold?.text, done: { restored_tokens: 2_944 } }]);
  });

  it("loses the states of a model whose file is gone or another one, at the next start", async () => {
    await using runner = await startRunner();
    const own = join(runner.dataDir, "own.gguf");
    copyFileSync(path, own);
    await loadOnce(runner, [{ prompt: beginning("red") }], { path: own });
    await loadOnce(runner, [{ prompt: beginning("red") }], other);
    expect(statesIn(runner)).toHaveLength(2);
    await runner.stop();
    utimesSync(own, 1, 1);
    await runner.start();
    expect(statesIn(runner)).toHaveLength(1);
  });

  it.each(["a deleted model", "a reset"])("gets nothing back of %s from memory", async (what) => {
    await using runner = await startRunner();
    const ask = [{ prompt: beginning("red"), num_predict: 4 }];
    await loadOnce(runner, ask);
    const engine = createRunnerEngine({ socketPath: runner.socketPath });
    const model = await engine.load(request, never);
    await generateOn(model, { ...ask[0], window });
    if (what === "a reset") expect(removePromptCache(runner.dataDir)).toBe(1);
    else await removeKeptPrompts(runner.dataDir, "one");
    await loadOnce(runner, [{ prompt: beginning("green"), num_predict: 4 }], other);
    await model.unload();
    engine.close();
    expect(restoredOf(await loadOnce(runner, ask))).toBe(0);
    expect(statesIn(runner)).toHaveLength(2);
  });
});
