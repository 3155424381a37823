import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunnerGenerate } from "../../../server/contract/model/runner.ts";
import type { LoadedModel } from "../../../server/model/engine/engine.ts";
import { createRunnerEngine } from "../../../server/model/engine/runner-engine.ts";
import { patienceMs } from "../../support/eventually.ts";
import { writeRandomGguf } from "../../support/model/random-gguf.ts";
import { generateOn, generationRequest, greedy } from "../../support/model/runner-requests.ts";
import { startRunner, type RunnerProcess } from "../../support/model/runner-process.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder();
const path = (name: string) => join(folder.path, name);
let runner: RunnerProcess;
let engine: ReturnType<typeof createRunnerEngine>;
let model: LoadedModel;
const never = new AbortController().signal;
beforeAll(async () => {
  writeRandomGguf(path("tiny.gguf"));
  writeRandomGguf(path("bytes.gguf"), { emitBytes: true, seed: 3 });
  // Deep but small enough for one thread: two may stall for long on a busy machine.
  writeRandomGguf(path("slow.gguf"), { layers: 24, width: 128, feedForward: 256, trainContext: 8192, type: "q8_0" });
  runner = await startRunner();
  engine = createRunnerEngine({ socketPath: runner.socketPath });
  model = await engine.load({ path: path("tiny.gguf"), num_ctx: 2048 }, never);
});
afterAll(async () => {
  engine.close();
  await runner[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const request = generationRequest;
const generate = (more: Partial<RunnerGenerate> = {}, on = model) => generateOn(on, more);

describe("the runner's socket", () => {
  it.skipIf(process.platform === "win32")("is accessible to its owner only", () => {
    expect(statSync(runner.socketPath).mode & 0o777).toBe(0o600);
  });

  it.skipIf(process.platform === "win32")("is taken over after a crash, and removed by a stop", async () => {
    await using other = await startRunner();
    await other.kill();
    expect(existsSync(other.socketPath)).toBe(true);
    await other.start();
    expect(await other.stop()).toBe(0);
    expect(existsSync(other.socketPath)).toBe(false);
  });

  it.skipIf(process.platform === "win32")(
    "is reported missing by the runner when somebody else removes it",
    async () => {
      await using other = await startRunner();
      expect(await other.problem()).toBeUndefined();
      rmSync(other.socketPath);
      expect(await other.problem()).toBe(`does not listen on ${other.socketPath} any more`);
    },
  );

  it("is removed and its process ends when the parent is gone, even during a generation", async () => {
    await using other = await startRunner();
    const own = createRunnerEngine({ socketPath: other.socketPath });
    const loaded = await own.load({ path: path("tiny.gguf"), num_ctx: 512 }, never);
    const chunks = loaded.generate(request({ num_predict: -1 }), never)[Symbol.asyncIterator]();
    await chunks.next();
    expect(await other.loseParent()).toBe(0);
    expect(existsSync(other.socketPath)).toBe(false);
    own.close();
  });
});

describe("a load", () => {
  it("fails with the reason for a file that is no model, and the runner lives on", async () => {
    await expect(engine.load({ path: path("nothing.gguf"), num_ctx: 512 }, never)).rejects.toMatchObject({
      code: "load_failed",
    });
    expect((await generate()).done.eval_tokens).toBe(20);
  });

  it("reports the window, the memory and the special tokens", () => {
    expect(model).toMatchObject({ contextLength: 2048, sizeVram: 0, bosToken: "<s>", eosToken: "</s>" });
    expect(model.size).toBeGreaterThan(700_000);
  });

  it("that does not fit into memory is refused with the numbers and a window that would fit", async () => {
    const refused = await engine
      .load({ path: path("tiny.gguf"), num_ctx: 2 ** 31 - 1 }, never)
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "out_of_memory" });
    const { message } = refused as Error;
    expect(message).toMatch(/^model requires more system memory \(\d+\.\d GiB: .* than is available \(\d+\.\d GiB\); /);
    expect(Number(/a context of (\d+) tokens \(option num_ctx\) would fit/.exec(message)?.[1])).toBeGreaterThan(2048);
    expect((await generate()).done.eval_tokens).toBe(20);
  });

  it("has several sequences by default, where they cost little", async () => {
    expect(model.sequences).toBe(4);
    const single = await engine.load({ path: path("tiny.gguf"), num_ctx: 256, sequences: 1 }, never);
    expect(single.sequences).toBe(1);
    await single.unload();
  });

  it("is given back when the service that asked for it is gone", async () => {
    await using other = await startRunner();
    const first = createRunnerEngine({ socketPath: other.socketPath });
    const left = await first.load({ path: path("tiny.gguf"), num_ctx: 256 }, never);
    first.close();
    await expect.poll(() => generate({}, left).catch((error: unknown) => error)).toMatchObject({ code: "not_loaded" });
  });

  it("can be unloaded; the model is then unknown", async () => {
    const other = await engine.load({ path: path("tiny.gguf"), num_ctx: 256 }, never);
    await other.unload();
    await expect(generate({}, other)).rejects.toMatchObject({ code: "not_loaded" });
  });
});

describe("a generation", () => {
  it("ends with length after num_predict tokens and counts prompt and answer", async () => {
    const { done, text } = await generate({ num_predict: 7 });
    expect(done).toMatchObject({ reason: "length", eval_tokens: 7, cut_tokens: 0 });
    expect(done.prompt_tokens).toBeGreaterThan(2);
    expect(done.context).toHaveLength(done.prompt_tokens + 7);
    expect(text.length).toBeGreaterThan(0);
  });

  it("of no tokens says length and gives no text", async () => {
    expect(await generate({ num_predict: 0 })).toMatchObject({ text: "", done: { reason: "length", eval_tokens: 0 } });
  });

  it("is the same each time when greedy, with cached or evaluated tokens", async () => {
    const first = await generate({ prompt: "one two three" });
    const again = await generate({ prompt: "one two three" });
    expect(again.text).toBe(first.text);
    expect(again.done.cached_tokens).toBe(again.done.prompt_tokens - 1);
  });

  it("evaluates only what differs from the prompt before", async () => {
    const prompt = "the quick brown fox jumps over the lazy dog ".repeat(5);
    await generate({ prompt: `${prompt}one`, num_predict: 1 });
    const { done } = await generate({ prompt: `${prompt}two`, num_predict: 1 });
    expect(done.cached_tokens).toBeGreaterThan(done.prompt_tokens / 2);
    expect(done.cached_tokens).toBeLessThan(done.prompt_tokens);
  });

  it("is reproduced by its seed, and differs without one", async () => {
    const sampling = { ...greedy, temperature: 1.5, top_k: 0, top_p: 1 };
    const seeded = async (seed: number) => (await generate({ sampling: { ...sampling, seed } })).text;
    const [a, b, c] = [await seeded(42), await seeded(42), await seeded(43)];
    expect(b).toBe(a);
    expect(c).not.toBe(a);
    expect(await seeded(-1)).not.toBe(await seeded(-1));
  });

  it("repeats itself less with a penalty", async () => {
    const text =
      (await generate({ num_predict: 60, sampling: { ...greedy, presence_penalty: 100 } })).done.context ?? [];
    const generated = text.slice(-60);
    expect(new Set(generated).size).toBe(60);
  });

  it("ends at a stop string and returns nothing of it", async () => {
    const { text } = await generate({ num_predict: 30 });
    const stop = text.slice(6, 9);
    const stopped = await generate({ num_predict: 30, stop: [stop] });
    expect(stopped.text).toBe(text.slice(0, text.indexOf(stop)));
    expect(stopped.done.reason).toBe("stop");
  });

  it("ends at a stop string, and its context is prompt and text, wherever in a token the string begins", async () => {
    const { text, done } = await generate({ num_predict: 30 });
    const textOf = async ({ context = [] }: typeof done) => model.detokenize(context, never);
    const prompt = (await textOf(done)).slice(0, -text.length);
    for (let at = 0; at < 12; at++) {
      const stopped = await generate({ num_predict: 30, stop: [text.slice(at, at + 2)] });
      expect(await textOf(stopped.done)).toBe(prompt + stopped.text);
    }
  });

  it("never splits a character, whatever bytes the model generates", async () => {
    const bytes = await engine.load({ path: path("bytes.gguf"), num_ctx: 1024 }, never);
    const sampling = { ...greedy, temperature: 1, top_k: 0, top_p: 1 };
    const pieces: string[] = [];
    for (let seed = 1; seed <= 30; seed++)
      pieces.push(...(await generate({ num_predict: 100, sampling: { ...sampling, seed } }, bytes)).pieces);
    // Characters of several bytes do come up among random bytes, each byte a token of its own.
    expect(pieces.join("")).toMatch(/[\u0080-\u07ff]/);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
    await bytes.unload();
  });

  it("goes on past the window by dropping the older half, or ends there with length", async () => {
    const small = await engine.load({ path: path("tiny.gguf"), num_ctx: 256 }, never);
    const long = await generate({ window: 256, num_predict: 600 }, small);
    expect(long.done).toMatchObject({ reason: "length", eval_tokens: 600 });
    const short = await generate({ window: 256, num_predict: 600, shift: false }, small);
    expect(short.done.reason).toBe("length");
    expect(short.done.prompt_tokens + short.done.eval_tokens).toBe(256);
    await small.unload();
  });

  it("cuts or refuses a prompt that is longer than the window", async () => {
    const prompt = "word ".repeat(400);
    const { done } = await generate({ prompt, window: 64, num_predict: 2 });
    expect(done.prompt_tokens).toBeLessThan(64);
    expect(done.cut_tokens).toBeGreaterThan(300);
    await expect(generate({ prompt, window: 64, overflow: "refuse" })).rejects.toMatchObject({
      code: "prompt_too_long",
    });
  });

  it("continues earlier tokens", async () => {
    const first = await generate({ prompt: "a b c", num_predict: 5 });
    const { done } = await generate({ prompt: " d", prefix: first.done.context ?? [], num_predict: 1 });
    expect(done.context?.slice(0, 8)).toEqual(first.done.context?.slice(0, 8));
    expect(done.prompt_tokens).toBeGreaterThan(first.done.context?.length ?? 0);
  });

  it("stops between tokens when it is aborted, and leaves the model free", async () => {
    const leaving = new AbortController();
    const chunks = model.generate(request({ num_predict: -1 }), leaving.signal)[Symbol.asyncIterator]();
    await chunks.next();
    leaving.abort();
    await expect(chunks.next()).rejects.toThrow("aborted");
    expect((await generate({ num_predict: 1 })).done.eval_tokens).toBe(1);
  });

  it("stops within a long prompt when it is aborted", async () => {
    const slow = await engine.load({ path: path("slow.gguf"), num_ctx: 8192 }, never);
    const long = { prompt: "word ".repeat(1500), window: 8192, num_predict: 1 };
    const leaving = new AbortController();
    const chunks = slow.generate(request({ ...long, progress: true }), leaving.signal)[Symbol.asyncIterator]();
    expect((await chunks.next()).value).toMatchObject({ type: "progress" });
    leaving.abort();
    await expect(chunks.next()).rejects.toThrow("aborted");
    const { done } = await generate(long, slow);
    // Had it gone on to the end, all but the last token would be there.
    expect(done.cached_tokens).toBeLessThan(done.prompt_tokens - 1);
    await slow.unload();
  });
});

describe("the runner's death", () => {
  it("fails the generation under way, is known at once, and a successor takes the next load", async () => {
    await using doomed = await startRunner();
    const own = createRunnerEngine({ socketPath: doomed.socketPath, waitMs: patienceMs });
    try {
      const victim = await own.load({ path: path("tiny.gguf"), num_ctx: 2048 }, never);
      const chunks = victim.generate(request({ num_predict: -1 }), never)[Symbol.asyncIterator]();
      await chunks.next();
      await doomed.kill();
      const drain = async () => {
        while ((await chunks.next()).done !== true);
      };
      await expect(drain()).rejects.toMatchObject({ code: "lost" });
      await expect.poll(() => victim.lost.aborted).toBe(true);
      const next = own.load({ path: path("tiny.gguf"), num_ctx: 2048 }, never);
      await doomed.start();
      expect((await generate({}, await next)).done.eval_tokens).toBe(20);
    } finally {
      own.close();
    }
  });

  it("fails a load after a while when no successor comes", async () => {
    await using gone = await startRunner();
    await gone.kill();
    const own = createRunnerEngine({ socketPath: gone.socketPath, waitMs: 200 });
    await expect(own.load({ path: path("tiny.gguf"), num_ctx: 256 }, never)).rejects.toMatchObject({
      code: "unavailable",
    });
    own.close();
  });
});
