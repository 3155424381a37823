/** POST /api/fit, and the guidance on memory: over a scripted engine for the words, over the real runner for the figures. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Fit } from "../../../server/contract/model/model-fit.ts";
import { fitSchema } from "../../../server/contract/model/model-fit.ts";
import { createRunnerEngine } from "../../../server/model/engine/runner-engine.ts";
import { refusal, startModelService, type ModelService, type Wire } from "../../support/model/model-service.ts";
import { startRunner, type RunnerProcess } from "../../support/model/runner-process.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";

const gib = 1024 ** 3;
const ask = async (service: ModelService, body: object): Promise<Fit> =>
  fitSchema.strict().parse(await (await service.post("/api/fit", body)).json());

describe("POST /api/fit", () => {
  const engine = createScriptedEngine();
  let service: ModelService;
  beforeAll(async () => {
    service = await startModelService(engine, {
      files: { "tiny.gguf": {}, "other.gguf": { seed: 2 }, "large.gguf": { extraMetadata: [] } },
      registry: { totalMemory: 8 * gib },
    });
  });
  afterAll(() => service[Symbol.asyncDispose]());
  beforeEach(() => {
    engine.memory = { available: 1_000_000, weights: 100_000, perToken: 100 };
  });

  it("reports the memory for the window of a plain request, without loading the model", async () => {
    expect(await ask(service, { model: "tiny" })).toEqual({
      model: "tiny",
      installed: true,
      num_ctx: 2048,
      required: 304_800,
      weights: 100_000,
      context: 204_800,
      available: 1_000_000,
      total: 8 * gib,
      fits: true,
      largest_num_ctx: 2048,
      guided_memory: null,
      tokens_per_second: null,
      advice: expect.stringMatching(/ available: fits, with a num_ctx of up to 2048\.$/),
      warnings: [],
    });
    expect(engine.loads).toEqual([]);
  });

  it("reports how fast the model has answered, and nothing of the others", async () => {
    // The scripted engine takes 2,000 ns for each answer; an answer of a few words does not count.
    engine.steps = ["too ", "short"];
    await service.post("/api/generate", { model: "tiny", prompt: "x", stream: false });
    expect(await ask(service, { model: "tiny" })).toMatchObject({ tokens_per_second: null });
    engine.steps = Array.from({ length: 10 }, () => "word ");
    const answered = await service.post("/api/generate", { model: "tiny", prompt: "x", stream: false });
    await answered.text();
    expect(await ask(service, { model: "tiny" })).toMatchObject({ tokens_per_second: 10 / 2e-6 });
    expect(await ask(service, { model: "other" })).toMatchObject({ tokens_per_second: null });
  });

  it("takes num_ctx, also among the options, and says which one would fit instead", async () => {
    engine.memory.available = 150_000;
    const tight = { num_ctx: 1000, required: 200_000, fits: false, largest_num_ctx: 500 };
    const one = await ask(service, { model: "tiny", num_ctx: 1000 });
    expect(one).toMatchObject({ ...tight, advice: expect.stringMatching(/too large; a num_ctx of 500 would fit/) });
    expect(await ask(service, { model: "tiny", options: { num_ctx: 1000 } })).toMatchObject(tight);
    engine.memory.available = 1000;
    expect(await ask(service, { model: "tiny", num_ctx: 1000 })).toMatchObject({
      fits: false,
      largest_num_ctx: null,
      advice: expect.stringMatching(/too large with any context/),
    });
  });

  it("counts as free what idle models hold, and what the model itself does, but not what others use", async () => {
    const load = (model: string) => service.post("/api/generate", { model });
    await load("tiny");
    await load("other");
    const [tiny, other] = engine.loads.map(({ path }) => path);
    await ask(service, { model: "tiny" });
    expect(engine.fits.at(-1)?.without.toSorted()).toEqual([tiny, other].toSorted());
    engine.steps = [{ wait: true }];
    const leaving = new AbortController();
    const before = engine.requests.length;
    const busy = service.post("/api/generate", { model: "other", prompt: "x" }, { signal: leaving.signal });
    await expect.poll(() => engine.requests.length).toBe(before + 1);
    await ask(service, { model: "tiny" });
    expect(engine.fits.at(-1)?.without).toEqual([tiny]);
    await ask(service, { model: "other" });
    expect(engine.fits.at(-1)?.without.toSorted()).toEqual([tiny, other].toSorted());
    leaving.abort();
    await expect(busy).rejects.toThrow();
  });

  it.each<[name: string, weights: number, guided: number | null, isWarned: boolean]>([
    ["llama2:7b", 4.2e9, 8 * gib, false],
    ["llama2:13b", 7.8e9, 16 * gib, true],
    ["hf.co/someone/Qwen2.5-32B-Instruct-GGUF:Q8_0", 33.92e9, 32 * gib, true],
    ["mixtral:8x7b", 33.6e9, 32 * gib, true],
    ["llama3.2:1b-instruct-fp16", 2e9, null, false],
    ["smollm:135m", 81e6, null, false],
  ])("guesses the size of %s, which is not here", async (name, weights, guided, isWarned) => {
    engine.memory.available = 6 * gib;
    const fit = await ask(service, { model: name });
    expect(fit).toMatchObject({
      installed: false,
      weights,
      required: weights,
      fits: weights <= 6 * gib,
      largest_num_ctx: null,
      guided_memory: guided,
    });
    expect(fit.advice).toMatch(/^About /);
    expect(fit.warnings.map((text) => /needs at least \d+ GB of memory/.test(text))).toEqual(isWarned ? [true] : []);
  });

  it("refuses unknown models with the errors of other routes", async () => {
    const refused = async (body: object) => refusal(await service.post("/api/fit", body));
    expect(await refused({})).toEqual([400, "model is required"]);
    expect(await refused({ model: "nobody" })).toEqual([404, "model 'nobody' not found"]);
    expect(await refused({ model: "a//7b" })).toEqual([400, "invalid model name"]);
    expect(await refused({ model: "tiny", options: { num_ctx: "x" } })).toEqual([
      500,
      'option "num_ctx" must be of type integer',
    ]);
  });
});

describe("with the real engine", () => {
  let runner: RunnerProcess;
  let service: ModelService;
  beforeAll(async () => {
    runner = await startRunner();
    const engine = createRunnerEngine({ socketPath: runner.socketPath });
    service = await startModelService(engine, { files: { "tiny.gguf": {} }, scheduling: { parallel: 1 } });
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await runner[Symbol.asyncDispose]();
  });

  it("the figures are those that a load is held to, before it and while it is loaded", async () => {
    const before = await ask(service, { model: "tiny" });
    expect(before).toMatchObject({ fits: true, num_ctx: 2048, largest_num_ctx: 2048 });
    expect(before.weights).toBeGreaterThan(500_000);
    expect(before.context).toBeGreaterThan(0);
    expect((await ask(service, { model: "tiny", num_ctx: 512 })).context).toBeLessThan(before.context);
    await service.post("/api/generate", { model: "tiny" });
    const { models } = (await (await service.get("/api/ps")).json()) as Wire;
    // The estimate holds what the load has really taken, and not many times as much.
    expect(before.required).toBeGreaterThanOrEqual(models[0].size * 0.9);
    expect(before.required).toBeLessThan(models[0].size * 5);
    expect(await ask(service, { model: "tiny" })).toMatchObject({ fits: true, required: before.required });
  });

  it("estimates the memory for a model that is not installed", async () => {
    const { available, total } = await ask(service, { model: "llama2:7b" });
    expect(available).toBeGreaterThan(0);
    expect(available).toBeLessThanOrEqual(total);
  });
});
