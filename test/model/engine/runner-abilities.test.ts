import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunnerGenerate } from "../../../server/contract/model/runner.ts";
import type { LoadedModel } from "../../../server/model/engine/engine.ts";
import { createRunnerEngine } from "../../../server/model/engine/runner-engine.ts";
import { writeRandomGguf } from "../../support/model/random-gguf.ts";
import { specialIds } from "../../support/model/random-vocabulary.ts";
import { generateOn, greedy } from "../../support/model/runner-requests.ts";
import { startRunner, type RunnerProcess } from "../../support/model/runner-process.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder();
const path = (name: string) => `${folder.path}/${name}.gguf`;
const never = new AbortController().signal;
let runner: RunnerProcess;
let engine: ReturnType<typeof createRunnerEngine>;
let model: LoadedModel;
/** It says its tokens one after another: characters, then letters behind a space. */
let circle: LoadedModel;
beforeAll(async () => {
  writeRandomGguf(path("tiny"));
  writeRandomGguf(path("circle"), { circle: 110 });
  writeRandomGguf(path("infill"), {
    extraMetadata: [
      { key: "tokenizer.ggml.fim_pre_token_id", type: "uint32", value: 765 },
      { key: "tokenizer.ggml.fim_suf_token_id", type: "uint32", value: 766 },
      { key: "tokenizer.ggml.fim_mid_token_id", type: "uint32", value: 767 },
    ],
  });
  runner = await startRunner();
  engine = createRunnerEngine({ socketPath: runner.socketPath });
  model = await engine.load({ path: path("tiny"), num_ctx: 512, num_thread: 1 }, never);
  circle = await engine.load({ path: path("circle"), num_ctx: 512, num_thread: 1 }, never);
});
afterAll(async () => {
  engine.close();
  await runner[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});
const generate = (more: Partial<RunnerGenerate>) => generateOn(model, { window: 512, ...more });
const free = { ...greedy, temperature: 1, top_k: 0, top_p: 1 };

describe("a grammar", () => {
  const yesOrNo = 'root ::= "{" ("yes" | "no") "}"';

  it("restricts the generated text, for any seed", async () => {
    for (const seed of [1, 2, 3]) {
      const { text, done } = await generate({ grammar: { gbnf: yesOrNo }, sampling: { ...free, seed } });
      expect(text).toMatch(/^\{(yes|no)\}$/);
      expect(done.reason).toBe("stop");
    }
  });

  it("can start after a trigger text, exactly where that ends", async () => {
    const plain = (await generate({ num_predict: 60 })).text;
    // Within a token, so that its end is cut off.
    const after = plain.slice(8, 10);
    const { text } = await generate({ num_predict: 60, grammar: { gbnf: yesOrNo, after: ["never said", after] } });
    const begin = plain.slice(0, plain.indexOf(after) + after.length);
    expect(text.slice(0, begin.length)).toBe(begin);
    expect(text.slice(begin.length)).toMatch(/^\{(yes|no)\}$/);
  });

  it("whose trigger text never comes before the limit leaves the text unrestricted, and says length", async () => {
    const { text, done } = await generate({ num_predict: 20, grammar: { gbnf: yesOrNo, after: ["!!never!!"] } });
    expect([text, done.reason]).toEqual([(await generate({ num_predict: 20 })).text, "length"]);
  });

  it.each([
    ["at once", 'root ::= "\\x00"'],
    ["after some tokens", 'root ::= "{" [a-c]{3} "\\x00"'],
  ])("that no token satisfies ends its own generation, and no other: %s", async (_when, gbnf) => {
    const other = generate({ num_predict: 200, prompt: "somebody else" });
    await expect(generate({ grammar: { gbnf } })).rejects.toMatchObject({
      code: "not_supported",
      message: expect.stringContaining("allows no token of this model") as string,
    });
    expect((await other).done.eval_tokens).toBeGreaterThan(0);
    expect((await generate({ grammar: { gbnf: yesOrNo } })).text).toMatch(/^\{(yes|no)\}$/);
  });

  it("that the engine cannot read is refused", async () => {
    await expect(generate({ grammar: { gbnf: "root := (" } })).rejects.toMatchObject({ code: "not_supported" });
  });
});

describe("a text of many times the window", () => {
  const words = Array.from({ length: 60_000 }, (_, i) => ["some", "words,", "ünd\n", "smileys 😀"][i % 4]).join(" ");

  it("has the same tokens as in one piece", async () => {
    const tokens = await model.tokenize(words, never);
    expect(await model.detokenize(tokens, never)).toBe(words);
    const first = await model.tokenize(words, never, 1000);
    expect(first.length).toBeGreaterThan(1000);
    expect(first.length).toBeLessThan(tokens.length / 2);
    expect(tokens.slice(0, first.length)).toEqual(first);
  });

  it("is cut to its beginning and its end, with about the right number of omitted tokens", async () => {
    const whole = await model.tokenize(words, never);
    const { done } = await generate({ prompt: words, num_predict: 1, num_keep: 5 });
    const kept = done.context?.slice(0, done.prompt_tokens) ?? [];
    const begin = kept.findIndex((token, at) => token !== whole[at - 1] && at > 0);
    expect(begin).toBeGreaterThanOrEqual(5);
    expect(kept.slice(begin)).toEqual(whole.slice(begin - kept.length));
    expect(done.prompt_tokens + done.cut_tokens).toBeGreaterThan(whole.length * 0.9);
    expect(done.prompt_tokens + done.cut_tokens).toBeLessThan(whole.length * 1.1);
  });

  it("is refused where it may not be cut", async () => {
    const refused = generate({ prompt: words, overflow: "refuse" });
    await expect(refused).rejects.toMatchObject({ code: "prompt_too_long" });
  });
});

describe("log probabilities", () => {
  const logprobsOf = ({ chunks }: Awaited<ReturnType<typeof generate>>) =>
    chunks.flatMap((chunk) => (chunk.type === "text" ? (chunk.logprobs ?? []) : []));

  it("come for each token, the chosen one first among the likeliest when greedy", async () => {
    const logprobs = logprobsOf(await generate({ num_predict: 9, logprobs: 3 }));
    expect(logprobs).toHaveLength(9);
    for (const { token, logprob, bytes, top } of logprobs) {
      expect(top).toHaveLength(3);
      expect(top[0]).toEqual({ token, logprob, bytes });
      expect(Buffer.from(bytes).toString()).toBe(token);
      expect(logprob).toBeLessThan(0);
      expect(top[1]?.logprob).toBeLessThanOrEqual(logprob);
    }
  });

  it("are those of the whole vocabulary: their probabilities add up to one", async () => {
    const [first] = logprobsOf(await generate({ num_predict: 1, logprobs: 20 }));
    const sum = first?.top.reduce((total, { logprob }) => total + Math.exp(logprob), 0) ?? 0;
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThanOrEqual(1);
  });

  it("name tokens that joined are the text, with the spaces that they begin with", async () => {
    const { text, ...answer } = await generateOn(circle, { num_predict: 140, logprobs: 2 });
    expect(text).toContain(" e");
    const logprobs = logprobsOf({ text, ...answer });
    expect(logprobs.map(({ token }) => token).join("")).toBe(text);
    expect(Buffer.from(logprobs.flatMap(({ bytes }) => bytes)).toString()).toBe(text);
    for (const { token, bytes, logprob, top } of logprobs) expect(top[0]).toEqual({ token, bytes, logprob });
  });

  it.each([
    ["behind a token", "etao"],
    ["within a token", "e t a o"],
  ])("end where a stop string does that begins %s", async (_where, stop) => {
    const { text, done, ...answer } = await generateOn(circle, { num_predict: 260, stop: [stop], logprobs: 0 });
    expect(done.stop).toBe(stop);
    const tokens = logprobsOf({ text, done, ...answer }).map(({ token }) => token);
    expect(tokens.join("").startsWith(text)).toBe(true);
    expect(tokens.slice(0, -1).join("").length).toBeLessThan(text.length);
  });

  it("are absent unless asked for", async () => {
    expect(logprobsOf(await generate({}))).toEqual([]);
    expect(logprobsOf(await generate({ num_predict: 2, logprobs: 0 })).map(({ top }) => top)).toEqual([[], []]);
  });

  it("are the same with and without alternatives, which the engine finds in another way", async () => {
    const alone = logprobsOf(await generate({ num_predict: 9, logprobs: 0 }));
    const beside = logprobsOf(await generate({ num_predict: 9, logprobs: 3 }));
    expect(alone.map(({ token }) => token)).toEqual(beside.map(({ token }) => token));
    for (const [index, { logprob }] of alone.entries()) expect(logprob).toBeCloseTo(beside[index]?.logprob ?? 1, 4);
  });

  it("are those of the first tokens alone where no more are asked for", async () => {
    const { text, ...answer } = await generate({ num_predict: 9, logprobs: 0, logprob_tokens: 4 });
    expect(logprobsOf({ text, ...answer })).toEqual(
      logprobsOf(await generate({ num_predict: 9, logprobs: 0 })).slice(0, 4),
    );
    expect(text).toBe((await generate({ num_predict: 9 })).text);
  });

  it("do not change what is generated", async () => {
    const sampling = { ...free, seed: 5 };
    expect((await generate({ sampling, logprobs: 2 })).text).toBe((await generate({ sampling })).text);
  });
});

describe("tokens", () => {
  it("are made from a text and turned back, control tokens included", async () => {
    expect(await model.tokenize("<|im_start|>", never)).toEqual([specialIds.turnStart]);
    expect(await model.detokenize([specialIds.turnStart], never)).toBe("<|im_start|>");
    const tokens = await model.tokenize("some text", never);
    expect(await model.detokenize(tokens, never)).toBe("some text");
    expect(await model.tokenize("", never)).toEqual([]);
    expect(await model.detokenize([], never)).toBe("");
  });

  it("of an earlier context are gone on from without a second begin token, though a template writes one", async () => {
    const readBy = async (prompt: string, prefix: number[]) => {
      const { context = [], prompt_tokens: count } = (await generate({ prompt, prefix, num_predict: 1 })).done;
      return context.slice(0, count);
    };
    const first = await readBy("<s> a b c", []);
    const second = await readBy("<s> d", first);
    for (const read of [first, second]) expect(read.lastIndexOf(specialIds.begin)).toBe(0);
    expect(second.length).toBeGreaterThan(first.length);
  });

  it("that the model does not have are refused", async () => {
    await expect(model.detokenize([5, 4_000_000], never)).rejects.toThrow("no token 4000000");
  });
});

describe("vectors of texts", () => {
  it("are as wide as the model, the same for the same text, and others for others", async () => {
    const { embeddings, tokens } = await model.embed({ texts: ["one", "two words", "one"], overflow: "cut" }, never);
    expect(embeddings.map(({ length }) => length)).toEqual([64, 64, 64]);
    expect(embeddings[2]).toEqual(embeddings[0]);
    expect(embeddings[1]).not.toEqual(embeddings[0]);
    expect(embeddings.flat().every(Number.isFinite)).toBe(true);
    expect(tokens[0]).toBe((await model.tokenize("one", never)).length + 1);
  });

  it("are made of the beginning of a text that is too long, or refused", async () => {
    const texts = ["word ".repeat(2000)];
    const { tokens } = await model.embed({ texts, overflow: "cut" }, never);
    expect(tokens[0]).toBeLessThan(512);
    await expect(model.embed({ texts, overflow: "refuse" }, never)).rejects.toMatchObject({ code: "prompt_too_long" });
  });

  it("do not disturb a generation's state", async () => {
    const prompt = "hello there my friend";
    await generate({ prompt });
    await model.embed({ texts: ["something else"], overflow: "cut" }, never);
    const { done } = await generate({ prompt });
    expect(done.cached_tokens).toBe(done.prompt_tokens - 1);
  });

  it("end with an abort", async () => {
    const texts = Array.from({ length: 2000 }, (_, i) => `text ${String(i)} ${"word ".repeat(40)}`);
    await expect(model.embed({ texts, overflow: "cut" }, AbortSignal.timeout(50))).rejects.toThrow("timeout");
    expect((await model.embed({ texts: ["a"], overflow: "cut" }, never)).embeddings).toHaveLength(1);
  });
});

describe("abilities that a model lacks", () => {
  it("are reported at its load and refused by name", async () => {
    expect(model).toMatchObject({ canInfill: false, canRank: false });
    await expect(generate({ suffix: "after" })).rejects.toMatchObject({ code: "not_supported" });
    await expect(model.rank({ query: "a", documents: ["b"] }, never)).rejects.toMatchObject({ code: "not_supported" });
  });
});

describe("a suffix", () => {
  it("is placed between the model's own fill-in tokens", async () => {
    const infill = await engine.load({ path: path("infill"), num_ctx: 512, num_thread: 1 }, never);
    expect(infill.canInfill).toBe(true);
    const asked = { prompt: "before", suffix: "after", num_predict: 1, window: 512 };
    const { done } = await generateOn(infill, asked);
    const tokens = done.context ?? [];
    const marks = [765, 766, 767].map((token) => tokens.indexOf(token));
    expect(tokens[0]).toBe(specialIds.begin);
    expect(marks[0]).toBe(1);
    expect(marks[1]).toBeGreaterThan(2);
    expect(marks[2]).toBe(tokens.length - 2);
    await infill.unload();
  });
});
