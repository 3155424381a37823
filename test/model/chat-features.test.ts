import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { familyTemplates, weatherTool } from "../support/model/family-templates.ts";
import {
  lines,
  refusal,
  startModelService,
  textOf,
  type ModelService,
  type Wire,
} from "../support/model/model-service.ts";
import { createScriptedEngine } from "../support/model/scripted-engine.ts";

const engine = createScriptedEngine();
let service: ModelService;
beforeAll(async () => {
  service = await startModelService(engine, {
    files: {
      "qwen.gguf": { chatTemplate: familyTemplates.qwen3 },
      "r1.gguf": { chatTemplate: familyTemplates.deepSeekR1 },
      "oss.gguf": { chatTemplate: familyTemplates.gptOss },
      "plain.gguf": { chatTemplate: null },
      "gemma.gguf": { chatTemplate: familyTemplates.gemma2 },
      "vectors.gguf": { extraMetadata: [{ key: "llama.pooling_type", type: "uint32", value: 1 }] },
    },
  });
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  engine.steps = ["Hel", "lo"];
  engine.canInfill = true;
  engine.countTokens = (text) => text.length;
});

const tools = [{ type: "function", function: weatherTool }];
const user = [{ role: "user", content: "hi" }];
const chat = (more: object) => service.post("/api/chat", { model: "qwen", messages: user, ...more });
const whole = async (more: object): Promise<Wire> => (await chat({ stream: false, ...more })).json();
const last = () => engine.requests.at(-1);
const callText = '<tool_call>\n{"id": "1", "name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>';

describe("calls of tools", () => {
  it("trap 6: come whole, as objects, with ids and numbers of their own, though the model repeats an id, in lines without text", async () => {
    engine.steps = ["Let me look. <to", "ol_call>", callText.slice(11, 40), callText.slice(40), "\n", callText];
    const all = await lines(await chat({ tools }));
    expect(textOf(all)).toBe("Let me look.");
    const calls = all.flatMap(({ message }) => message.tool_calls ?? []);
    expect(calls).toMatchObject([
      { function: { index: 0, name: "get_weather", arguments: { city: "Oslo" } } },
      { function: { index: 1, name: "get_weather" } },
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    for (const { message } of all) expect(message.tool_calls === undefined || message.content === "").toBe(true);
    expect(all.at(-1)).toMatchObject({ done: true, done_reason: "stop", message: { content: "" } });
  });

  it("trap 5: leave content a string in one reply, too", async () => {
    engine.steps = [callText];
    expect((await whole({ tools })).message).toMatchObject({ content: "", tool_calls: [{ function: { index: 0 } }] });
  });

  it("are text without tools in the request, and with tool_choice none, which hides the tools", async () => {
    engine.steps = [callText];
    expect((await whole({})).message.content).toBe(callText);
    expect((await whole({ tools, tool_choice: "none" })).message).toEqual({ role: "assistant", content: callText });
    expect(last()?.prompt).not.toContain("get_weather");
  });

  it("are forced by tool_choice required or a name, by grammar", async () => {
    await whole({ tools, tool_choice: "required", think: false });
    expect(last()?.grammar?.gbnf).toMatch(/root ::= .*<tool_call>/);
    await whole({ tools, tool_choice: { type: "function", function: { name: "get_weather" } } });
    expect(last()?.grammar?.after).toEqual(["</think>"]);
  });

  it("are forced by tool_choice in the shapes of other APIs, and not by what is none of them", async () => {
    const forcing: unknown[] = [
      { type: "function", name: "get_weather" },
      { name: "get_weather" },
      { type: "any" },
      "any",
    ];
    for (const choice of [...forcing, { type: "auto" }, { type: "allowed_tools" }, "maybe", 7]) {
      await whole({ tools, tool_choice: choice, think: false });
      expect(last()?.grammar !== undefined, JSON.stringify(choice)).toBe(forcing.includes(choice));
    }
  });

  it.each([
    ["a choice of an unknown tool", { tools, tool_choice: { function: { name: "x" } } }, /tool_choice names "x"/],
    ["a forced call without tools", { tool_choice: "required" }, /there are no tools/],
    ["a tool without a name", { tools: [{ type: "function" }] }, /tools\[0\]\.function\.name is required/],
    ["a model without tools", { model: "gemma", tools }, /gemma:latest does not support tools$/],
  ])("refuse %s with 400", async (_what, more, text) => {
    expect(await refusal(await chat(more))).toEqual([400, expect.stringMatching(text)]);
  });
});

describe("thoughts", () => {
  it("trap 15: are split from the content, and on by default", async () => {
    engine.steps = ["<thi", "nk>Hm", "m.</think>", "\n\nYes."];
    const all = await lines(await chat({}));
    expect(textOf(all)).toBe("Yes.");
    expect(all.map(({ message }) => message.thinking ?? "").join("")).toBe("Hmm.");
    expect(last()?.control_text).toBe(true);
  });

  it("begin at once where the template ends in an opened tag", async () => {
    engine.steps = ["Hm.</think>Yes."];
    expect((await whole({ model: "r1" })).message).toMatchObject({ content: "Yes.", thinking: "Hm." });
  });

  it("are refused with think false by the template's switch or by a closed tag, and hidden if they come", async () => {
    engine.steps = ["<think>Hm.</think>Yes."];
    expect((await whole({ think: false })).message).toEqual({ role: "assistant", content: "Yes." });
    expect(last()?.prompt).toMatch(/<think>\n\n<\/think>\n\n$/);
    engine.steps = ["Yes."];
    expect((await whole({ model: "r1", think: false })).message.content).toBe("Yes.");
    expect(last()?.prompt).toMatch(/<think>\n\n<\/think>\n\n$/);
  });

  it("have levels; max is high for gpt-oss", async () => {
    engine.steps = ["<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes."];
    expect((await whole({ model: "oss", think: "max" })).message).toMatchObject({ content: "Yes.", thinking: "Hm." });
    expect(last()?.prompt).toContain("Reasoning: high");
  });
});

describe("a format", () => {
  const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

  it("is a grammar from the first token without thoughts, and behind them with", async () => {
    await whole({ format: schema, think: false });
    expect(last()?.grammar).toEqual({ gbnf: expect.stringContaining("city") });
    await whole({ format: "json" });
    expect(last()?.grammar).toMatchObject({ after: ["</think>"] });
    expect(last()?.prompt).toMatch(/<think>\n$/);
  });

  it("leaves room for calls when there are tools", async () => {
    await whole({ format: schema, tools, think: false });
    expect(last()?.grammar?.gbnf).toMatch(/root ::= .* \| .*<tool_call>/);
  });

  it("is kept apart from gpt-oss's thoughts", async () => {
    await whole({ model: "oss", format: "json" });
    expect(last()?.prompt).toMatch(/<\|channel\|>analysis<\|message\|>$/);
    expect(last()?.grammar).toMatchObject({ after: ["<|end|>"], gbnf: expect.stringContaining("final") });
  });

  it("that cannot be enforced is 400 with the keyword's name, before anything is loaded", async () => {
    const loads = engine.loads.length;
    const reply = await chat({
      model: "gemma",
      format: { type: "object", properties: { a: { type: "array", uniqueItems: true } } },
    });
    expect(await refusal(reply)).toEqual([
      400,
      'invalid format: the schema keyword "uniqueItems" at #/properties/a cannot be enforced: uniqueness requires items that can be listed',
    ]);
    expect(engine.loads.length).toBe(loads);
  });
});

describe("a history that is too long", () => {
  it("is shortened with a header and a field that say so, and never without tools", async () => {
    engine.countTokens = (text) => text.length;
    const messages = [{ role: "user", content: "x".repeat(3000) }, { role: "assistant", content: "y" }, ...user];
    const reply = await chat({ messages, tools, think: false });
    expect(reply.headers.get("x-context-cut")).toBe("dropped_messages=1; prompt=whole");
    expect((await lines(reply)).at(-1)).toMatchObject({ context_cut: { cut_tokens: 0, dropped_messages: 1 } });
    expect(last()?.prompt).toContain("get_weather");
    expect(last()?.num_keep).toBeGreaterThan(100);
  });

  it("says nothing when all fits", async () => {
    const reply = await chat({});
    expect(reply.headers.get("x-context-cut")).toBeNull();
    expect((await lines(reply)).at(-1)).not.toHaveProperty("context_cut");
  });

  it("is 400 when the instructions alone leave no room", async () => {
    const messages = [
      { role: "system", content: "x".repeat(1500) },
      { role: "user", content: "y".repeat(1500) },
    ];
    expect(await refusal(await chat({ messages }))).toEqual([
      400,
      expect.stringMatching(/^the prompt is longer than the context length/),
    ]);
  });
});

describe("vectors", () => {
  const embed = async (body: object): Promise<Wire> => (await service.post("/api/embed", body)).json();

  it("have length 1, a row for each text, and figures", async () => {
    const reply = await embed({ model: "vectors", input: ["a", "b"] });
    expect(reply).toMatchObject({ model: "vectors", prompt_eval_count: 2 });
    for (const row of reply.embeddings) expect(Math.hypot(...row)).toBeCloseTo(1);
    for (const name of ["total_duration", "load_duration"]) expect(reply[name], name).toBeGreaterThanOrEqual(1);
    const [row] = (await embed({ model: "vectors", input: "a", dimensions: 2 })).embeddings;
    expect(row).toEqual([0.6, 0.8]);
  });

  it("of nothing only load the model", async () => {
    for (const input of ["", [], null, undefined])
      expect(await embed({ model: "vectors", input })).toEqual({ model: "vectors", embeddings: [] });
  });

  it("come from the older route as one row, of the length that the model gives it", async () => {
    const reply = await service.post("/api/embeddings", { model: "vectors", prompt: "a" });
    expect(await reply.json()).toEqual({ embedding: [3, 4, 1] });
    expect(await (await service.post("/api/embeddings", { model: "vectors" })).json()).toEqual({ embedding: [] });
  });

  it.each([
    ["no model", "/api/embed", {}, 404, "model '' not found"],
    ["no model of the older route", "/api/embeddings", {}, 400, "model is required"],
    [
      "an unknown model",
      "/api/embed",
      { model: "nobody", input: "a" },
      404,
      'model "nobody" not found, try pulling it first',
    ],
    ["input of another type", "/api/embed", { model: "vectors", input: [1] }, 400, "invalid input type"],
  ])("are refused for %s", async (_what, path, body, status, error) => {
    expect(await refusal(await service.post(path, body))).toEqual([status, error]);
  });
});

describe("texts and tokens", () => {
  const ask = async (path: string, body: object): Promise<Wire> =>
    (await service.post(path, { model: "plain", ...body })).json();

  it("go both ways", async () => {
    expect(await ask("/api/tokenize", { text: "abc" })).toEqual({ model: "plain", tokens: [97, 98, 99] });
    expect(await ask("/api/detokenize", { tokens: [97, 98] })).toEqual({ model: "plain", text: "ab" });
  });

  it("are ranked, the best document first", async () => {
    const reply = await ask("/api/rerank", { query: "b", documents: ["a", "bb"], return_documents: true });
    expect(reply.results).toEqual([
      { index: 1, relevance_score: 0.9, document: "bb" },
      { index: 0, relevance_score: 0.1, document: "a" },
    ]);
    expect((await ask("/api/rerank", { query: "b", documents: ["a", "b"], top_n: 1 })).results).toHaveLength(1);
  });

  it.each([
    ["/api/tokenize", {}, "text is required"],
    ["/api/detokenize", {}, "tokens is required"],
    ["/api/rerank", {}, "query is required"],
    ["/api/rerank", { query: "x" }, "documents is required"],
  ])("need what they are about: %s %j", async (path, body, error) => {
    expect(await ask(path, body)).toEqual({ error });
  });
});

describe("a prompt with a suffix", () => {
  it("goes to the engine as it is, with the text that follows", async () => {
    await (await service.post("/api/generate", { model: "qwen", prompt: "a", suffix: "b" })).text();
    expect(last()).toMatchObject({ prompt: "a", suffix: "b" });
  });
  it("is 400 for a model that cannot fill in", async () => {
    engine.canInfill = false;
    const reply = await service.post("/api/generate", { model: "qwen", prompt: "a", suffix: "b" });
    expect(await refusal(reply)).toEqual([400, "registry.ollama.ai/library/qwen:latest does not support insert"]);
  });
});
