/** Guessing ahead: the same text as without, in fewer evaluations. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runnerStatusSchema } from "../../../server/contract/model/runner.ts";
import type { RunnerGenerate } from "../../../server/contract/model/runner.ts";
import type { LoadedModel } from "../../../server/model/engine/engine.ts";
import { askRunner } from "../../../server/model/engine/runner-client.ts";
import { createRunnerEngine } from "../../../server/model/engine/runner-engine.ts";
import { startModelService } from "../../support/model/model-service.ts";
import { writeRandomGguf, type RandomGgufOptions } from "../../support/model/random-gguf.ts";
import { generateOn, generationRequest, greedy } from "../../support/model/runner-requests.ts";
import { startRunner, type RunnerProcess } from "../../support/model/runner-process.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder();
const never = new AbortController().signal;
const window = 512;
let runner: RunnerProcess;
let engine: ReturnType<typeof createRunnerEngine>;
/** After each token it says the next one of a circle, so that its text can be foreseen; a high temperature disturbs it. */
let circling: LoadedModel;

async function load(name: string, options: RandomGgufOptions): Promise<LoadedModel> {
  const path = join(folder.path, name);
  writeRandomGguf(path, { trainContext: 4096, type: "q8_0", ...options });
  return engine.load({ path, num_ctx: window, sequences: 2, num_thread: 1 }, never);
}
beforeAll(async () => {
  runner = await startRunner();
  engine = createRunnerEngine({ socketPath: runner.socketPath });
  circling = await load("circling.gguf", { circle: 10 });
});
afterAll(async () => {
  engine.close();
  await runner[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const disturbed = { ...greedy, temperature: 6, top_k: 0, top_p: 1, seed: 3 };
/** So many each time, however long they take: when guesses are worth their time is another matter. */
const draft_num_predict = 7;
/** The whole of what a generation says but for its times, with guesses and without. */
async function bothWays(more: Partial<RunnerGenerate>, model = circling) {
  const run = async (draft: Partial<RunnerGenerate>) => {
    const { chunks, done, text } = await generateOn(model, { num_predict: 150, window, ...more, ...draft });
    const said = chunks.flatMap((chunk) => (chunk.type === "text" ? [chunk] : []));
    return { said, text, done, end: [done.reason, done.eval_tokens, done.context] };
  };
  const plain = await run({ draft_num_predict: 0 });
  const proposed = await run({ draft_num_predict });
  const automatic = await run({});
  expect(plain.done).toMatchObject({ drafted_tokens: 0, accepted_tokens: 0 });
  for (const { said, end } of [proposed, automatic]) {
    expect(said).toEqual(plain.said);
    expect(end).toEqual(plain.end);
  }
  return proposed;
}

describe("a draft does not change the text", () => {
  it("where all its tokens are accepted, in far fewer evaluations", async () => {
    const { done } = await bothWays({ num_predict: 300 });
    expect(done.accepted_tokens).toBeGreaterThan(200);
  });

  it("where some are accepted, with a seed", async () => {
    const { done } = await bothWays({ sampling: disturbed, num_predict: 300 });
    expect(done.accepted_tokens).toBeGreaterThan(10);
    expect(done.drafted_tokens - done.accepted_tokens).toBeGreaterThan(10);
  });

  it("with penalties", async () => {
    const { done } = await bothWays({ sampling: { ...greedy, repeat_penalty: 1.05, repeat_last_n: 40 } });
    expect(done.eval_tokens).toBe(150);
    await bothWays({ sampling: { ...disturbed, frequency_penalty: 0.5, presence_penalty: 0.2 } });
  });

  it("with log probabilities", async () => {
    const { said } = await bothWays({ logprobs: 3, sampling: disturbed });
    expect(said.flatMap(({ logprobs = [] }) => logprobs)).toHaveLength(150);
  });

  it("with a grammar, from the start and behind a text", async () => {
    const gbnf = 'root ::= ("abc" [a-f]* "-" | [g-z ]){60}';
    await bothWays({ grammar: { gbnf } });
    await bothWays({ grammar: { gbnf, after: ["a"] }, sampling: disturbed });
    const { text } = await bothWays({ grammar: { gbnf: 'root ::= ("yes no " )+' } });
    expect(text).toMatch(/^(yes no )+/);
  });

  it("up to a stop string in the middle of a draft", async () => {
    const { text } = await bothWays({ sampling: disturbed });
    for (const at of [60, 75, 90, 105]) {
      const { done } = await bothWays({ sampling: disturbed, stop: [text.slice(at, at + 8)] });
      expect(done.reason).toBe("stop");
    }
  });

  it("beyond the window, where the older half is dropped, and up to its end where it is not", async () => {
    const { done } = await bothWays({ num_predict: 800 });
    expect(done.eval_tokens).toBe(800);
    expect((await bothWays({ num_predict: 800, shift: false })).done.reason).toBe("length");
    expect((await bothWays({ num_predict: 90, window: 64, shift: false })).done.prompt_tokens).toBeLessThan(64);
  });

  it("of a model whose text is unpredictable", async () => {
    const random = await load("random.gguf", { seed: 7 });
    await bothWays({ sampling: { ...greedy, temperature: 1, seed: 2 } }, random);
    await random.unload();
  });
});

describe("a draft", () => {
  it("leaves no tokens in the state for the next prompt", async () => {
    const first = await generateOn(circling, { num_predict: 203, window, draft_num_predict });
    expect(first.done.accepted_tokens).toBeGreaterThan(0);
    const on = { prompt: "", prefix: first.done.context ?? [], num_predict: 40, window };
    const again = await generateOn(circling, on);
    expect(again.done.cached_tokens).toBeGreaterThan(200);
    const fresh = await load("fresh.gguf", { circle: 10 });
    expect(again.text).toBe((await generateOn(fresh, on)).text);
    await fresh.unload();
  });

  it("is at most as long as asked for", async () => {
    const { done } = await generateOn(circling, { num_predict: 200, window, draft_num_predict: 2 });
    expect(done.accepted_tokens).toBeGreaterThan(50);
    expect(done.eval_tokens / (done.eval_tokens - done.accepted_tokens)).toBeLessThanOrEqual(3);
  });

  it("is not made while other generations run, which it would delay", async () => {
    const leaving = new AbortController();
    const other = circling.generate(generationRequest({ num_predict: -1, window }), leaving.signal);
    const chunks = other[Symbol.asyncIterator]();
    await chunks.next();
    // It goes on as long as somebody reads it.
    const read = (async () => {
      while ((await chunks.next()).done !== true);
    })();
    const { done } = await generateOn(circling, { num_predict: 50, window, draft_num_predict });
    expect(done.drafted_tokens).toBe(0);
    leaving.abort();
    await Promise.allSettled([read]);
  });

  it("is not made with floating-point weights, whose sums differ by the size of a batch", async () => {
    const floating = await load("floating.gguf", { circle: 10, type: "f32" });
    const { done } = await generateOn(floating, { num_predict: 200, window, draft_num_predict });
    expect(done.drafted_tokens).toBe(0);
    await floating.unload();
  });

  it("releases its sequence when the generation is abandoned halfway", async () => {
    for (let i = 0; i < 20; i++) {
      const leaving = new AbortController();
      const endless = generationRequest({ num_predict: -1, window, draft_num_predict });
      let lines = 0;
      for await (const chunk of circling.generate(endless, leaving.signal)) {
        expect(chunk.type).toBe("text");
        if (++lines === 60 + i) break;
      }
      leaving.abort();
    }
    const free = async () => {
      const { value } = await askRunner(
        runner.socketPath,
        ["GET", `/models/${circling.id}`],
        runnerStatusSchema,
        never,
      ).next();
      return runnerStatusSchema.parse(value).free;
    };
    await expect.poll(free).toBe(2);
    await bothWays({ num_predict: 100 });
  });
});

describe("the option draft_num_predict", () => {
  it("sets the number of drafted tokens: none with 0, the engine's choice when unset or negative", async () => {
    const scripted = createScriptedEngine();
    await using service = await startModelService(scripted, { files: { "m.gguf": {} } });
    const asked = async (options: object) => {
      await service.post("/api/generate", { model: "m", prompt: "x", stream: false, options });
      return scripted.requests.at(-1)?.draft_num_predict;
    };
    expect(await asked({ draft_num_predict: 0 })).toBe(0);
    expect(await asked({ draft_num_predict: 5 })).toBe(5);
    expect(await asked({ draft_num_predict: -1 })).toBeUndefined();
    expect(await asked({})).toBeUndefined();
  });
});
