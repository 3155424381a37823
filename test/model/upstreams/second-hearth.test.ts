import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { familyTemplates, weatherTool } from "../../support/model/family-templates.ts";
import { lines, startModelService, textOf, type ModelService, type Wire } from "../../support/model/model-service.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";
import { upstreamsOf } from "../../support/model/scripted-upstream.ts";
import { eventually } from "../../support/eventually.ts";

/** The engine of the second Hearth, and that of the first, which must not be asked. */
const there = createScriptedEngine();
const here = createScriptedEngine();
let second: ModelService;
let first: ModelService;

beforeAll(async () => {
  second = await startModelService(there, {
    files: {
      "qwen.gguf": { chatTemplate: familyTemplates.qwen3 },
      "vectors.gguf": { extraMetadata: [{ key: "llama.pooling_type", type: "uint32", value: 1 }] },
    },
  });
  const settings = [`gpu=${second.url}?prefix=gpu/`, `vllm=${second.url}/v1?prefix=vllm/`];
  first = await startModelService(here, { upstreams: upstreamsOf(settings) });
});
afterAll(async () => {
  await first[Symbol.asyncDispose]();
  await second[Symbol.asyncDispose]();
});
beforeEach(() => {
  there.steps = ["Hel", "lo"];
});

const user = [{ role: "user", content: "hi" }];
const tools = [{ type: "function", function: weatherTool }];
const callText = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>';
const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

describe.each(["gpu", "vllm"])("a second Hearth as upstream %s, by Ollama's API and by OpenAI's", (name) => {
  const model = `${name}/qwen`;
  const chat = (more: object) => first.post("/api/chat", { model, messages: user, ...more });
  const whole = async (more: object): Promise<Wire> => (await chat({ stream: false, ...more })).json();

  it("answers a chat in lines and as a whole, with its figures, and the engine here is not asked", async () => {
    const all = await lines(await chat({}));
    expect(textOf(all)).toBe("Hello");
    expect(all.length).toBeGreaterThan(2);
    expect(all.at(-1)).toMatchObject({ model, done: true, done_reason: "stop", eval_count: 2 });
    expect(all.at(-1)?.prompt_eval_count).toBeGreaterThan(0);
    expect((await whole({})).message).toEqual({ role: "assistant", content: "Hello" });
    expect(here.requests).toEqual([]);
  });

  it("gets the options of the request, and says when the limit ended the answer", async () => {
    const options = { temperature: 0.25, top_p: 0.5, seed: 7, num_predict: 1, stop: ["END"] };
    expect(await whole({ options })).toMatchObject({ done_reason: "length", message: { content: "Hel" } });
    expect(there.requests.at(-1)).toMatchObject({
      num_predict: 1,
      stop: ["END"],
      sampling: { temperature: 0.25, top_p: 0.5, seed: 7 },
    });
  });

  it("calls tools, and takes their results with the calls", async () => {
    there.steps = ["Let me look. ", callText];
    const { message } = await whole({ tools });
    expect(message).toMatchObject({
      content: "Let me look.",
      tool_calls: [{ function: { name: "get_weather", arguments: { city: "Oslo" } } }],
    });
    const history = [...user, message, { role: "tool", content: "rain", tool_name: "get_weather" }];
    there.steps = ["Take an umbrella"];
    expect((await whole({ tools, messages: history })).message.content).toBe("Take an umbrella");
    const prompt = there.requests.at(-1)?.prompt ?? "";
    expect(prompt).toContain("get_weather");
    expect(prompt).toContain("rain");
  });

  it("thinks, or not, as asked", async () => {
    there.steps = ["<think>", "so", "</think>", "Yes"];
    const { message } = await whole({ think: true });
    expect(message).toMatchObject({ thinking: "so", content: "Yes" });
    const streamed = await lines(await chat({ think: true }));
    expect(streamed.map((line) => line.message.thinking ?? "").join("")).toBe("so");
    there.steps = ["Yes"];
    await whole({ think: false });
    expect(there.requests.at(-1)?.prompt).toMatch(/<think>\s*<\/think>/);
  });

  it("is held to a format by a grammar of its own", async () => {
    there.steps = ['{"n": 1}'];
    expect(JSON.parse((await whole({ format: schema, think: false })).message.content)).toEqual({ n: 1 });
    expect(there.requests.at(-1)?.grammar?.gbnf).toContain("root");
    await whole({ format: "json", think: false });
    expect(there.requests.at(-1)?.grammar).toBeDefined();
  });

  it("reports log probabilities", async () => {
    await whole({ logprobs: true, top_logprobs: 2 });
    expect(there.requests.at(-1)?.logprobs).toBe(2);
  });

  it("completes a prompt with a system message, and a raw one", async () => {
    const generate = (more: object) => first.post("/api/generate", { model, prompt: "Once", stream: false, ...more });
    expect(await (await generate({ system: "Be brief." })).json()).toMatchObject({ response: "Hello", done: true });
    expect(there.requests.at(-1)?.prompt).toMatch(/Be brief\.[^]*Once/);
    // As OpenAI's API, /v1/completions of a Hearth takes a prompt, which its template is put around.
    if (name === "vllm") return;
    await generate({ raw: true });
    expect(there.requests.at(-1)?.prompt).toBe("Once");
  });

  it("gives vectors", async () => {
    const reply = await first.post("/api/embed", { model: `${name}/vectors`, input: ["a", "b"] });
    const { embeddings } = (await reply.json()) as { embeddings: number[][] };
    expect(embeddings).toHaveLength(2);
    expect(Math.hypot(...(embeddings[0] ?? []))).toBeCloseTo(1);
    const older = await first.post("/api/embeddings", { model: `${name}/vectors`, prompt: "a" });
    expect(((await older.json()) as Wire).embedding.length).toBeGreaterThan(0);
  });

  it("answers clients of OpenAI's and Anthropic's APIs", async () => {
    const openAi = await first.post("/v1/chat/completions", { model, messages: user });
    expect(await openAi.json()).toMatchObject({ choices: [{ message: { content: "Hello" } }] });
    const streamed = await first.post("/v1/chat/completions", { model, messages: user, stream: true });
    expect(await streamed.text()).toMatch(/"content":"Hel"[^]*\[DONE\]/);
    const anthropic = await first.post("/v1/messages", { model, messages: user, max_tokens: 9 });
    expect(await anthropic.json()).toMatchObject({ content: [{ type: "text", text: "Hello" }] });
    const response = await first.post("/v1/responses", { model, input: "hi" });
    expect(JSON.stringify(await response.json())).toContain("Hello");
  });

  it("stops to generate when the client leaves", async () => {
    there.steps = ["Hel", { wait: true }];
    const leaving = new AbortController();
    const reply = await first.post("/api/chat", { model, messages: user }, { signal: leaving.signal });
    const before = there.aborted.length;
    await reply.body?.getReader().read();
    leaving.abort();
    await eventually(() => expect(there.aborted.length).toBe(before + 1));
  });

  it("refuses what it refuses there, by its own words", async () => {
    const refused = await chat({ options: { temperature: "hot" } });
    expect([refused.status, await refused.json()]).toEqual([500, { error: expect.stringContaining("temperature") }]);
    const images = await chat({ messages: [{ role: "user", content: "hi", images: ["AAAA"] }] });
    expect(images.status).toBe(400);
    expect(((await images.json()) as Wire).error).toMatch(new RegExp(`upstream ${name} .* does not support vision`));
  });
});

describe("the models of upstreams", () => {
  it("are in the lists, with where they run", async () => {
    const { models } = (await (await first.get("/api/tags")).json()) as Wire;
    expect(models.find((one: Wire) => one.name === "gpu/qwen:latest")).toMatchObject({
      remote_host: second.url,
      remote_model: "qwen:latest",
      upstreams: ["gpu"],
      capabilities: ["completion", "tools", "thinking"],
    });
    expect(models.find((one: Wire) => one.name === "vllm/qwen:latest")).toMatchObject({ upstreams: ["vllm"] });
    expect(models.find((one: Wire) => one.name === "hearth-starter:latest")).not.toHaveProperty("upstreams");
    const listed = ((await (await first.get("/v1/models")).json()) as Wire).data.map(({ id }: Wire) => id);
    expect(listed).toEqual(expect.arrayContaining(["gpu/qwen:latest", "vllm/vectors:latest", "hearth-starter:latest"]));
    expect((await first.get("/v1/models/gpu/qwen")).status).toBe(200);
  });

  it("show what they show there, and a Modelfile from which a model can be made", async () => {
    const shown = (await (await first.post("/api/show", { model: "gpu/qwen" })).json()) as Wire;
    expect(shown).toMatchObject({ remote_host: second.url, remote_model: "qwen:latest" });
    expect(shown.template).toBe(familyTemplates.qwen3);
    expect(shown.modelfile).toContain(`FROM ${second.url}#qwen:latest`);
  });

  it("are loaded, listed as loaded and unloaded there", async () => {
    const loadedAt = async (service: ModelService) =>
      ((await (await service.get("/api/ps")).json()) as Wire).models.map(({ name }: Wire) => name);
    await (await first.post("/api/generate", { model: "gpu/qwen" })).text();
    expect(await loadedAt(second)).toContain("qwen:latest");
    await eventually(async () => expect(await loadedAt(first)).toContain("gpu/qwen:latest"));
    await (await first.post("/api/generate", { model: "gpu/qwen", keep_alive: 0 })).text();
    await eventually(async () => expect(await loadedAt(first)).not.toContain("gpu/qwen:latest"));
    const refused = await first.post("/api/generate", { model: "vllm/qwen", keep_alive: 0 });
    expect([refused.status, ((await refused.json()) as Wire).error]).toEqual([501, expect.stringContaining("vllm")]);
  });

  it("are described by GET /api/upstreams", async () => {
    expect(await (await first.get("/api/upstreams")).json()).toEqual({
      upstreams: [
        expect.objectContaining({ name: "gpu", url: second.url, kind: "ollama", state: "up", models: 3, in_flight: 0 }),
        expect.objectContaining({ name: "vllm", url: `${second.url}/v1`, kind: "openai", state: "up", listed: true }),
      ],
    });
  });

  it("are not deleted here, and take no memory here", async () => {
    const refused = await first.post("/api/delete", { model: "gpu/qwen" }, { method: "DELETE" });
    expect([refused.status, ((await refused.json()) as Wire).error]).toEqual([403, expect.stringContaining("gpu")]);
    expect((await first.post("/api/fit", { model: "gpu/qwen" })).status).toBe(400);
    const rendered = await first.post("/api/chat", { model: "gpu/qwen", messages: user, _debug_render_only: true });
    expect([rendered.status, ((await rendered.json()) as Wire).error]).toEqual([
      501,
      expect.stringContaining(second.url),
    ]);
  });
});

describe("tokens and ranks of models at upstreams", () => {
  const sent = async (service: ModelService, path: string, body: object) => {
    const reply = await service.post(path, body);
    return { status: reply.status, body: (await reply.json()) as Wire };
  };
  const chatWith = (model: string) => ({
    model,
    system: "Be brief.",
    messages: [
      ...user,
      { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "get_weather", input: { city: "Oslo" } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "rain" }] },
    ],
    tools: [{ name: "get_weather", description: "Says it", input_schema: { type: "object" } }],
    thinking: { type: "disabled" },
  });

  it("are those of the second Hearth", async () => {
    const asked = (path: string, body: object) => sent(first, path, { model: "gpu/qwen", ...body });
    const tokens = [104, 101, 108, 108, 111];
    expect(await asked("/api/tokenize", { text: "hello" })).toMatchObject({ status: 200, body: { tokens } });
    expect(await asked("/api/detokenize", { tokens: [104, 105] })).toMatchObject({ status: 200, body: { text: "hi" } });
    const ranked = await asked("/api/rerank", { query: "rain", documents: ["sun", "rain today"] });
    const results = [
      { index: 1, relevance_score: 0.9 },
      { index: 0, relevance_score: 0.1 },
    ];
    expect(ranked).toEqual({ status: 200, body: { model: "gpu/qwen", results, prompt_eval_count: 2 } });
  });

  it.each(["gpu", "vllm"])(
    "are counted by %s as the second Hearth counts them, tools and their results too",
    async (name) => {
      const path = "/v1/messages/count_tokens";
      const expected = await sent(second, path, chatWith("qwen"));
      expect(expected.body["input_tokens"]).toBeGreaterThan(200);
      expect(await sent(first, path, chatWith(`${name}/qwen`))).toEqual(expected);
    },
  );

  it("are a 501 that names the route where the upstream has none", async () => {
    const texts = { text: "a", tokens: [1], query: "a", documents: ["b"] };
    for (const [path, missing] of [
      ["/api/tokenize", "/tokenize"],
      ["/api/detokenize", "/detokenize"],
      ["/api/rerank", "/v1/rerank"],
    ] as const) {
      const { status, body } = await sent(first, path, { model: "vllm/qwen", ...texts });
      expect([status, body.error]).toEqual([
        501,
        `upstream vllm (${second.url}/v1) lacks ${missing}, which this request needs`,
      ]);
    }
  });
});
