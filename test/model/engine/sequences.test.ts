import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runnerStatusSchema } from "../../../server/contract/model/runner.ts";
import type { RunnerGenerate } from "../../../server/contract/model/runner.ts";
import type { GenerationChunk, LoadedModel } from "../../../server/model/engine/engine.ts";
import { createRunnerEngine } from "../../../server/model/engine/runner-engine.ts";
import { writeRandomGguf } from "../../support/model/random-gguf.ts";
import { generateOn, generationRequest, greedy } from "../../support/model/runner-requests.ts";
import { startRunner, type RunnerProcess } from "../../support/model/runner-process.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { askRunner } from "../../../server/model/engine/runner-client.ts";
import { seededBits } from "../../support/model/random-weights.ts";

const folder = temporaryFolder();
const path = `${folder.path}/tiny.gguf`;
const never = new AbortController().signal;
let runner: RunnerProcess;
let engine: ReturnType<typeof createRunnerEngine>;
let model: LoadedModel;
beforeAll(async () => {
  writeRandomGguf(path, { trainContext: 8192 });
  runner = await startRunner();
  engine = createRunnerEngine({ socketPath: runner.socketPath });
  model = await engine.load({ path, num_ctx: 2048, sequences: 4, num_thread: 1 }, never);
});
afterAll(async () => {
  engine.close();
  await runner[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** What the runner says of its newest model. */
async function status(loaded = model) {
  const { value } = await askRunner(
    runner.socketPath,
    ["GET", `/models/${loaded.id}`],
    runnerStatusSchema,
    never,
  ).next();
  return runnerStatusSchema.parse(value);
}
const endless: Partial<RunnerGenerate> = { num_predict: -1, window: 2048 };

/** A generation that has begun and goes on until it is left. */
async function begin(more: Partial<RunnerGenerate> = {}) {
  const leaving = new AbortController();
  const chunks = model.generate(generationRequest({ ...endless, ...more }), leaving.signal)[Symbol.asyncIterator]();
  await chunks.next();
  return { chunks, leave: () => leaving.abort() };
}

describe("the sequences of a model", () => {
  it("are as many as were asked for, each with the whole window", async () => {
    expect(model).toMatchObject({ sequences: 4, contextLength: 2048 });
    expect(await status()).toMatchObject({ sequences: 4, free: 4, waiting: 0 });
  });

  it("generate side by side what each generates alone", async () => {
    const prompts = ["one two", "the quick brown fox jumps over the lazy dog ".repeat(20), "three", "four five six"];
    const alone: string[] = [];
    for (const prompt of prompts) alone.push((await generateOn(model, { prompt, num_predict: 40 })).text);
    const together = await Promise.all(prompts.map((prompt) => generateOn(model, { prompt, num_predict: 40 })));
    expect(together.map(({ text }) => text)).toEqual(alone);
  });

  it("reproduce a seed beside others", async () => {
    const sampling = { ...greedy, temperature: 1.2, top_k: 0, top_p: 1, seed: 7 };
    const alone = await generateOn(model, { sampling });
    const noise = await Promise.all([begin(), begin({ prompt: "word ".repeat(300) })]);
    expect((await generateOn(model, { sampling })).text).toBe(alone.text);
    noise.forEach(({ leave }) => leave());
  });

  it("let one come and go while the others run", async () => {
    const long = await begin();
    for (const prompt of ["a", "b c", "d e f"]) expect((await generateOn(model, { prompt })).done.eval_tokens).toBe(20);
    expect((await long.chunks.next()).done).toBe(false);
    long.leave();
    await expect.poll(async () => (await status()).free).toBe(4);
  });

  it("keep the state of several conversations", async () => {
    const conversations = ["red", "green", "blue", "black"].map((word) => `${word} `.repeat(60));
    for (const prompt of conversations) await generateOn(model, { prompt, num_predict: 5 });
    for (const prompt of conversations) {
      const { done } = await generateOn(model, { prompt: `${prompt} and more`, num_predict: 5 });
      expect(done.cached_tokens).toBeGreaterThan(done.prompt_tokens / 2);
    }
  });

  it("are given in the order in which generations came", async () => {
    const running = await Promise.all([begin(), begin(), begin(), begin()]);
    const order: string[] = [];
    const waiting: Promise<unknown>[] = [];
    for (const [i, prompt] of ["first", "second"].entries()) {
      waiting.push(generateOn(model, { prompt, num_predict: 1 }).then(() => order.push(prompt)));
      await expect.poll(async () => (await status()).waiting).toBe(i + 1);
    }
    running[0]?.leave();
    await Promise.all(waiting);
    expect(order).toEqual(["first", "second"]);
    running.forEach(({ leave }) => leave());
  });

  it("skip a request that was aborted while it waited", async () => {
    const running = await Promise.all([begin(), begin(), begin(), begin()]);
    const leaving = new AbortController();
    const queued = generateOn(model, {}, leaving.signal);
    await expect.poll(async () => (await status()).waiting).toBe(1);
    leaving.abort();
    await expect(queued).rejects.toThrow("aborted");
    await expect.poll(async () => (await status()).waiting).toBe(0);
    running.forEach(({ leave }) => leave());
    await expect.poll(async () => (await status()).free).toBe(4);
  });

  it("go on while one reader blocks; its generation pauses and loses nothing", async () => {
    // With the likeliest tokens a line has two kilobytes: fewer lines than these fill the socket and the buffers.
    const asked = { num_predict: 500, logprobs: 20 };
    const slow = await begin(asked);
    // Round by round, the others generate more than twice as much.
    for (const prompt of ["a", "b", "c", "d"])
      expect((await generateOn(model, { prompt, num_predict: 300 })).done.eval_tokens).toBe(300);
    expect((await status()).free).toBe(3);
    const chunks: GenerationChunk[] = [];
    for (let next = await slow.chunks.next(); next.done !== true; next = await slow.chunks.next())
      chunks.push(next.value);
    expect(chunks.at(-1)).toMatchObject({ type: "done", eval_tokens: asked.num_predict });
    // begin() has taken the first.
    expect(chunks.flatMap((chunk) => (chunk.type === "text" ? (chunk.logprobs ?? []) : []))).toHaveLength(499);
    await expect.poll(async () => (await status()).free).toBe(4);
  });

  it("evaluate a long prompt in parts, and each generation has its token beside each part", async () => {
    const writer = await begin({ prompt: "x", progress: true });
    let [written, isOver] = [0, false];
    const writing = (async () => {
      for (let next = await writer.chunks.next(); next.done !== true && !isOver; next = await writer.chunks.next())
        written++;
    })();
    const parts: number[] = [];
    // Long enough that a part as large as the engine takes is small against it.
    const long = { prompt: "word ".repeat(1500), num_predict: 1, progress: true };
    for await (const chunk of model.generate(generationRequest(long), never))
      if (chunk.type === "progress") parts.push(chunk.evaluated);
    // What has come for the writer meanwhile is read first.
    await setImmediate();
    isOver = true;
    await writing;
    writer.leave();
    expect(parts.length).toBeGreaterThan(5);
    expect(parts).toEqual([...parts].sort((a, b) => a - b));
    // What is on its way when the prompt is done is not counted.
    expect(written).toBeGreaterThanOrEqual(parts.length - 5);
  });

  it("fail the one request that they cannot serve, and no other", async () => {
    const other = await begin();
    await expect(generateOn(model, { grammar: { gbnf: "root ::= nothing" } })).rejects.toMatchObject({
      code: "not_supported",
    });
    expect((await other.chunks.next()).done).toBe(false);
    other.leave();
  });

  it("are all free after requests of any size, order, abort and option", async () => {
    const bits = seededBits(11);
    const random = (below: number) => (bits() >>> 0) % below;
    const words = ["alpha ", "beta ", "gamma ", "delta ", "x"];
    const one = async (): Promise<"finished" | "aborted"> => {
      const leaving = new AbortController();
      const most = random(3) === 0 ? random(30) : Infinity;
      const asked = generationRequest({
        prompt: (words[random(words.length)] ?? "").repeat(1 + random(random(8) === 0 ? 300 : 20)),
        num_predict: random(25),
        window: random(4) === 0 ? 64 : 2048,
        shift: random(2) === 0,
        stop: random(3) === 0 ? ["a"] : [],
        sampling: random(2) === 0 ? greedy : { ...greedy, temperature: 1, presence_penalty: 1, seed: random(100) },
        with_context: random(2) === 0,
        progress: random(4) === 0,
        ...(random(4) === 0 && { logprobs: random(3) }),
        ...(random(4) === 0 && {
          grammar: { gbnf: 'root ::= "yes" | "no"', ...(random(2) === 0 && { after: ["e"] }) },
        }),
      });
      if (random(10) === 0) leaving.abort();
      else if (random(8) === 0) setTimeout(() => leaving.abort(), random(20));
      let count = 0;
      try {
        for await (const chunk of model.generate(asked, leaving.signal)) {
          if (chunk.type === "done") return "finished";
          if (++count > most) return "aborted";
        }
      } catch (error) {
        if (!leaving.signal.aborted) throw error;
        return "aborted";
      }
      throw new Error("ended without a last chunk");
    };
    let left = 300;
    const outcomes: string[] = [];
    const client = async () => {
      while (left-- > 0) outcomes.push(await one());
    };
    await Promise.all(Array.from({ length: 8 }, client));
    expect(outcomes).toHaveLength(300);
    expect(outcomes.filter((outcome) => outcome === "finished").length).toBeGreaterThan(100);
    await expect.poll(() => status()).toMatchObject({ free: 4, waiting: 0 });
    expect((await generateOn(model)).done.eval_tokens).toBe(20);
  });
});
