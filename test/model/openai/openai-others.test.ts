import { beforeEach, describe, expect, it } from "vitest";
import { OllamaError } from "../../../server/model/ollama-error.ts";
import { resolveOptions } from "../../../server/model/options/model-options.ts";
import { compatScene } from "../../support/model/compat-scene.ts";
import type { Wire } from "../../support/model/model-service.ts";
import { ends, eventsOf, says } from "../../support/model/scripted-completions.ts";

const scene = compatScene("");
const errorOf = async (reply: Response) => [reply.status, ((await reply.json()) as Wire).error];
const refused = (message: string, type = "invalid_request_error") => ({ message, type, param: null, code: null });

describe("POST /v1/completions", () => {
  const path = "/v1/completions";
  const body = { model: "hearth-starter", prompt: "once" };
  beforeEach(() => {
    scene.service.completions.steps = [says("Hel"), says("lo"), ends("length")];
  });
  const asked = () => scene.service.completions.prompts.at(-1);

  it("answers one object", async () => {
    expect(await (await scene.service.post(path, body)).json()).toEqual({
      id: expect.stringMatching(/^cmpl-/),
      object: "text_completion",
      created: expect.any(Number),
      model: "hearth-starter",
      system_fingerprint: "fp_ollama",
      choices: [{ text: "Hello", index: 0, finish_reason: "length" }],
      usage: {
        prompt_tokens: 7,
        completion_tokens: 5,
        total_tokens: 12,
        prompt_tokens_details: { cached_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    });
  });

  it("streams chunks of the same kind; with usage each has one, and the last one's counts", async () => {
    const plain = (await eventsOf(await scene.service.post(path, { ...body, stream: true }))).map(({ data }) => data);
    expect(plain.slice(0, -1).map(({ choices }) => choices)).toEqual([
      [{ text: "Hel", index: 0, finish_reason: null }],
      [{ text: "lo", index: 0, finish_reason: null }],
      [{ text: "", index: 0, finish_reason: "length" }],
    ]);
    expect(plain.at(-1)).toBe("[DONE]");
    expect(plain[0]).not.toHaveProperty("usage");
    const request = { ...body, stream: true, stream_options: { include_usage: true } };
    const counted = (await eventsOf(await scene.service.post(path, request))).map(({ data }) => data);
    expect(counted.slice(0, -1).map(({ usage }) => usage.total_tokens)).toEqual([0, 0, 0, 12]);
    expect(counted.at(-2).choices).toEqual([]);
  });

  it("passes on suffix, limits and sampling, with OpenAI's defaults; a top_p of 0 is not set", async () => {
    const rest = { max_tokens: 3, seed: 1, stop: "x", keep_alive: 0, num_ctx: 64 };
    await scene.service.post(path, { ...body, suffix: "end", top_p: 0, ...rest });
    expect(asked()).toMatchObject({
      prompt: "once",
      suffix: "end",
      raw: false,
      keepAliveMs: 0,
      options: { temperature: 1, top_p: 1, num_predict: 3, seed: 1, stop: ["x"], num_ctx: 64 },
    });
    await scene.service.post(path, { ...body, stop: [] });
    expect(asked()?.options).toEqual({ temperature: 1, top_p: 1 });
  });

  it("returns log probabilities as parallel lists", async () => {
    const token = (text: string) => ({ token: text, bytes: [...Buffer.from(text)], logprob: -1 });
    const logprobs = ["On", "ce"].map((text) => ({ ...token(text), top: [token(text)] }));
    scene.service.completions.steps = [{ type: "content", text: "Once", logprobs }, ends()];
    const reply = (await (await scene.service.post(path, { ...body, logprobs: 1 })).json()) as Wire;
    expect(reply.choices[0].logprobs).toEqual({
      tokens: ["On", "ce"],
      token_logprobs: [-1, -1],
      top_logprobs: [{ On: -1 }, { ce: -1 }],
      text_offset: [0, 2],
    });
    expect(asked()?.logprobs).toBe(1);
  });

  it("says where tokens begin in the text, whatever part of it a chunk has, and parts of characters with them", async () => {
    const token = (...bytes: number[]) => ({ token: "?", bytes, logprob: -1, top: [] });
    const [x, é] = [token(...Buffer.from("xa")), [...Buffer.from("é")].map((byte) => token(byte))];
    scene.service.completions.steps = [
      { type: "content", text: "x", logprobs: [x] },
      { type: "content", text: "aéxa", logprobs: [...é, x] },
      ends(),
    ];
    const whole = (await (await scene.service.post(path, { ...body, logprobs: 0 })).json()) as Wire;
    expect(whole.choices[0].logprobs.text_offset).toEqual([0, 2, 2, 3]);
    const events = await eventsOf(await scene.service.post(path, { ...body, logprobs: 0, stream: true }));
    const offsets = events.map(({ data }) => data.choices?.[0].logprobs?.text_offset);
    expect(offsets).toEqual([[0], [2, 2, 3], undefined, undefined]);
  });

  it("loads the model for an empty prompt", async () => {
    const reply = await scene.service.post(path, { model: "hearth-starter" });
    expect(await reply.json()).toMatchObject({ choices: [{ text: "", finish_reason: "load" }] });
    expect(scene.service.completions.loads.at(-1)?.model).toBe("hearth-starter");
    const events = await eventsOf(await scene.service.post(path, { model: "hearth-starter", stream: true }));
    expect(events.map(({ data }) => data)).toMatchObject([{ choices: [{ finish_reason: "load" }] }, "[DONE]"]);
  });

  it("sends a failure in the middle as an error", async () => {
    scene.service.completions.steps = [says("x"), { fail: new OllamaError(500, "gone") }];
    const events = await eventsOf(await scene.service.post(path, { ...body, stream: true }));
    expect(events.at(-1)?.data).toEqual({ error: refused("gone", "api_error") });
  });

  it.each([
    [{ prompt: "x" }, 404, "model '' not found", "not_found_error"],
    [{ ...body, logprobs: 21 }, 400, "logprobs must be between 0 and 20", undefined],
  ])("refuses %j", async (wrong, status, message, type) => {
    expect(await errorOf(await scene.service.post(path, wrong))).toEqual([status, refused(message, type)]);
  });
});

describe("POST /v1/completions with several answers", () => {
  const path = "/v1/completions";
  const body = { model: "hearth-starter", prompt: ["one", "two"], n: 2, echo: true, seed: 5 };

  it("gives n to each prompt, in order, behind the prompt where it is to be echoed, and counts each prompt once, and all answers", async () => {
    const reply = (await (await scene.service.post(path, body)).json()) as Wire;
    expect(reply.choices.map(({ index, text }: Wire) => [index, text])).toEqual([
      [0, "oneHello"],
      [1, "oneHello"],
      [2, "twoHello"],
      [3, "twoHello"],
    ]);
    expect(reply.usage).toMatchObject({ prompt_tokens: 14, completion_tokens: 20, total_tokens: 34 });
    const asked = scene.service.completions.prompts.slice(-4);
    expect(asked.map(({ prompt, options }) => [prompt, options["seed"]])).toEqual([
      ["one", 5],
      ["one", 6],
      ["two", 5],
      ["two", 6],
    ]);
  });

  it("takes seeds beyond 2^53, as random ones of 64 bits are, and gives each answer another one", async () => {
    for (const seed of [2 ** 63, Number.MAX_SAFE_INTEGER, -(2 ** 63)]) {
      expect((await scene.service.post(path, { ...body, prompt: "one", n: 3, seed })).status).toBe(200);
      const seeds = scene.service.completions.prompts.slice(-3).map(({ options }) => resolveOptions(options).seed);
      expect(new Set(seeds).size).toBe(3);
    }
  });

  it("streams them one after another, and ends once", async () => {
    const stream = { ...body, n: 1, stream: true, stream_options: { include_usage: true } };
    const events = (await eventsOf(await scene.service.post(path, stream))).map(({ data }) => data);
    const choices = events.flatMap<Wire>(({ choices }) => choices ?? []);
    expect(choices.map(({ index, text }) => [index, text])).toEqual([
      [0, "one"],
      [0, "Hel"],
      [0, "lo"],
      [0, ""],
      [1, "two"],
      [1, "Hel"],
      [1, "lo"],
      [1, ""],
    ]);
    expect(choices.map(({ finish_reason }) => finish_reason === null)).toEqual([
      true,
      true,
      true,
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(events.filter((data) => data === "[DONE]")).toHaveLength(1);
    expect(events.at(-2).usage.total_tokens).toBe(24);
  });

  it.each([
    ["prompt", { prompt: [1, 2] }],
    ["prompt", { prompt: [[1, 2]] }],
    ["prompt", { prompt: [] }],
    ["prompt", { prompt: Array.from({ length: 129 }, () => "a"), n: 1 }],
    ["n", { n: 0 }],
    ["n", { n: 65 }],
    ["best_of", { best_of: 3 }],
    ["echo", { logprobs: 1 }],
    ["echo", { suffix: "end" }],
  ])("refuses what it cannot do by the member's name: %s in %j", async (param, wrong) => {
    const [status, error] = await errorOf(await scene.service.post(path, { ...body, ...wrong }));
    expect([status, error]).toMatchObject([400, { param, message: expect.stringContaining(param) }]);
  });

  it("is refused to a chat", async () => {
    const chat = { model: "hearth-starter", messages: [{ role: "user", content: "hi" }], n: 2 };
    expect(await errorOf(await scene.service.post("/v1/chat/completions", chat))).toMatchObject([400, { param: "n" }]);
  });
});

describe("GET /v1/models", () => {
  it("lists the installed models", async () => {
    expect(await (await scene.service.get("/v1/models")).json()).toEqual({
      object: "list",
      data: [{ id: "hearth-starter:latest", object: "model", created: expect.any(Number), owned_by: "library" }],
    });
  });

  it.each([
    ["hearth-starter", "hearth-starter"],
    ["library%2Fhearth-starter", "library/hearth-starter"],
    ["library/hearth-starter:latest", "library/hearth-starter:latest"],
    ["registry.ollama.ai/library%2FHEARTH-starter", "registry.ollama.ai/library/HEARTH-starter"],
  ])("gives one by its id, with slashes plain or encoded: %s", async (path, id) => {
    expect(await (await scene.service.get(`/v1/models/${path}`)).json()).toMatchObject({ id, object: "model" });
  });

  it("answers 404 with an error object for one that is not there, 400 for an id that cannot be a name", async () => {
    expect(await errorOf(await scene.service.get("/v1/models/no%2Fbody"))).toEqual([
      404,
      refused("model 'no/body:latest' not found", "not_found_error"),
    ]);
    expect(await errorOf(await scene.service.get("/v1/models/-"))).toEqual([400, refused("invalid model name")]);
  });
});

describe("POST /v1/embeddings", () => {
  const path = "/v1/embeddings";
  const body = { model: "hearth-starter", input: ["a", "b"] };

  it("gives a vector for each text, as numbers or as base64 of little-endian floats", async () => {
    expect(await (await scene.service.post(path, body)).json()).toEqual({
      object: "list",
      data: [0, 1].map((index) => ({ object: "embedding", embedding: [0.6, 0.8], index })),
      model: "hearth-starter",
      usage: { prompt_tokens: 3, total_tokens: 3 },
    });
    const reply = (await (await scene.service.post(path, { ...body, encoding_format: "base64" })).json()) as Wire;
    const bytes = Buffer.from(reply.data[0].embedding, "base64");
    expect([bytes.readFloatLE(0), bytes.readFloatLE(4)]).toEqual([Math.fround(0.6), Math.fround(0.8)]);
  });

  it("embeds a text by itself, an empty one too", async () => {
    await scene.service.post(path, { ...body, input: "", dimensions: 1, keep_alive: "1m", num_ctx: 32 });
    expect(scene.service.completions.embeds.at(-1)).toEqual({
      model: "hearth-starter",
      input: [""],
      dimensions: 1,
      truncate: true,
      normalise: true,
      keepAliveMs: 60_000,
      options: { num_ctx: 32 },
    });
  });

  it.each([
    [{ ...body, input: null }, 400, "invalid input", undefined],
    [{ ...body, input: [] }, 400, "invalid input", undefined],
    [{ ...body, input: ["a", 1] }, 400, "invalid input type", undefined],
    [
      { ...body, encoding_format: "toString" },
      400,
      "Invalid value for 'encoding_format' = toString. Supported values: ['float', 'base64'].",
      undefined,
    ],
    [{ input: "a" }, 404, "model '' not found", "not_found_error"],
  ])("refuses %j", async (wrong, status, message, type) => {
    expect(await errorOf(await scene.service.post(path, wrong))).toEqual([status, refused(message, type)]);
  });

  it.each([[[1, 2]], [[[1, 2], [3]]]])("refuses tokens, which are another model's: %j", async (input) => {
    const reply = await scene.service.post(path, { ...body, input });
    const message = expect.stringContaining("check_embedding_ctx_length");
    expect(await errorOf(reply)).toMatchObject([400, { param: "input", message }]);
  });
});
