/** A last message that is the assistant's own: the model goes on behind it, as clients of all three APIs expect. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { familyTemplates, weatherTool } from "../support/model/family-templates.ts";
import { startModelService, type ModelService, type Wire } from "../support/model/model-service.ts";
import { createScriptedEngine } from "../support/model/scripted-engine.ts";

const engine = createScriptedEngine();
let service: ModelService;
beforeAll(async () => {
  service = await startModelService(engine, {
    files: {
      "qwen.gguf": { chatTemplate: familyTemplates.qwen3 },
      "r1.gguf": { chatTemplate: familyTemplates.deepSeekR1 },
      "oss.gguf": { chatTemplate: familyTemplates.gptOss },
      "gemma.gguf": { chatTemplate: familyTemplates.gemma2 },
    },
  });
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (engine.steps = ["41", "}"]));

const question = { role: "user", content: "How old?" };
const begun = { role: "assistant", content: '{"age": ' };
const chat = async (model: string, more: object = {}): Promise<Wire> => {
  const request = { model, messages: [question, begun], stream: false, ...more };
  return (await service.post("/api/chat", request)).json();
};
const prompt = () => engine.requests.at(-1)?.prompt ?? "";

describe("an answer that the client has begun", () => {
  it.each([
    ["gemma", '<start_of_turn>model\n{"age": '],
    ["qwen", '<|im_start|>assistant\n<think>\n\n</think>\n\n{"age": '],
    ["r1", '<｜Assistant｜><think>\n\n</think>\n\n{"age": '],
    ["oss", '<|start|>assistant<|channel|>final<|message|>{"age": '],
  ])("of %s stands at the end of the prompt, once, and what comes behind it is told", async (model, end) => {
    const { message } = await chat(model);
    expect(prompt().endsWith(end)).toBe(true);
    expect(prompt().split('{"age": ')).toHaveLength(2);
    expect(message).toEqual({ role: "assistant", content: "41}" });
  });

  it.each(["gemma", "qwen", "r1", "oss"])("of %s goes on with the white space that comes first", async (model) => {
    engine.steps = ["\n    return", " 1"];
    const { message } = await chat(model);
    expect(message).toEqual({ role: "assistant", content: "\n    return 1" });
  });

  it("goes on in a string of JSON in which it was left, where markup is text", async () => {
    engine.steps = ["<tool_call>", "done", '"}'];
    const messages = [question, { role: "assistant", content: '{"said": "' }];
    const { message } = await chat("qwen", {
      messages,
      tools: [{ type: "function", function: weatherTool }],
      format: "json",
    });
    expect(message).toEqual({ role: "assistant", content: '<tool_call>done"}' });
  });

  it("is past its thoughts, whether or not they are asked for", async () => {
    for (const think of [true, false]) {
      expect((await chat("qwen", { think })).message).toEqual({ role: "assistant", content: "41}" });
      expect(prompt().endsWith('<think>\n\n</think>\n\n{"age": ')).toBe(true);
    }
  });

  it("goes on by both other APIs, too", async () => {
    const request = { model: "gemma", messages: [question, begun], max_tokens: 10 };
    const openai: Wire = await (await service.post("/v1/chat/completions", request)).json();
    expect(openai.choices[0].message.content).toBe("41}");
    expect(prompt().endsWith('<start_of_turn>model\n{"age": ')).toBe(true);
    const anthropic: Wire = await (await service.post("/v1/messages", request)).json();
    expect(anthropic.content).toEqual([{ type: "text", text: "41}" }]);
    expect(prompt().endsWith('<start_of_turn>model\n{"age": ')).toBe(true);
  });

  it("stays when messages are left out because they are too many", async () => {
    engine.countTokens = (text) => text.length;
    const long = { role: "user", content: "x".repeat(4_000) };
    const messages = [long, { role: "assistant", content: "No." }, question, begun];
    await chat("gemma", { messages, options: { num_ctx: 2_048, num_predict: 5 } });
    expect(prompt()).not.toContain("xxx");
    expect(prompt()).toMatch(/How old\?.*\{"age": $/s);
  });

  it("may have a format for what comes behind it, which gpt-oss begins in its channel", async () => {
    engine.steps = ["41"];
    await chat("oss", { format: { type: "integer" } });
    expect(prompt().endsWith('<|channel|>final<|message|>{"age": ')).toBe(true);
    expect(engine.requests.at(-1)?.grammar?.gbnf).toMatch(/^root ::= (?!.*channel)/m);
  });
});

describe("thoughts that the client has begun", () => {
  const thought = { role: "assistant", content: "", thinking: "Old enough?" };
  it.each([
    ["qwen", '<|im_start|>assistant\n<think>\nOld enough?\n</think>\n\n{"age": '],
    ["r1", '<｜Assistant｜><think>\nOld enough?\n</think>\n\n{"age": '],
    [
      "oss",
      '<|start|>assistant<|channel|>analysis<|message|>Old enough?<|end|><|start|>assistant<|channel|>final<|message|>{"age": ',
    ],
  ])("of %s stand before the answer that the client has begun, too", async (model, end) => {
    for (const think of [true, false]) {
      const { message } = await chat(model, { messages: [question, { ...thought, content: begun.content }], think });
      expect(prompt().endsWith(end)).toBe(true);
      expect(message).toEqual({ role: "assistant", content: "41}" });
    }
  });

  it.each([
    ["qwen", "<think>\nOld enough?", "</think>"],
    ["r1", "<think>\nOld enough?", "</think>"],
    ["oss", "<|channel|>analysis<|message|>Old enough?", "<|end|><|start|>assistant<|channel|>final<|message|>"],
  ])("of %s go on, with the white space that comes first", async (model, end, close) => {
    engine.steps = [" Yes.", close, "41"];
    const { message } = await chat(model, { messages: [question, thought] });
    expect(prompt().endsWith(end)).toBe(true);
    expect(message).toEqual({ role: "assistant", thinking: " Yes.", content: "41" });
  });

  it("have a format behind them", async () => {
    engine.steps = [" Yes.</think>", "41"];
    await chat("qwen", { messages: [question, thought], format: { type: "integer" } });
    expect(engine.requests.at(-1)?.grammar?.after).toEqual(["</think>"]);
  });

  it("end where the client wants no more of them", async () => {
    await chat("qwen", { messages: [question, thought], think: false });
    expect(prompt().endsWith("<think>\nOld enough?\n</think>\n\n")).toBe(true);
  });

  it("come by both other APIs, too", async () => {
    await service.post("/v1/chat/completions", {
      model: "qwen",
      messages: [question, { ...begun, reasoning_content: "Old enough?" }],
    });
    expect(prompt().endsWith('<think>\nOld enough?\n</think>\n\n{"age": ')).toBe(true);
    const content = [
      { type: "thinking", thinking: "Old enough?", signature: "" },
      { type: "text", text: begun.content },
    ];
    await service.post("/v1/messages", {
      model: "qwen",
      max_tokens: 10,
      messages: [question, { role: "assistant", content }],
    });
    expect(prompt().endsWith('<think>\nOld enough?\n</think>\n\n{"age": ')).toBe(true);
  });

  it("are left out by a model that has none", async () => {
    await chat("gemma", { messages: [question, { ...begun, thinking: "Old enough?" }] });
    expect(prompt().endsWith('<start_of_turn>model\n{"age": ')).toBe(true);
  });
});

it.each([
  ["says nothing", [question, { role: "assistant", content: "" }]],
  [
    "calls a tool",
    [
      question,
      {
        role: "assistant",
        content: "",
        tool_calls: [{ function: { name: "get_weather", arguments: { city: "Oslo" } } }],
      },
    ],
  ],
])("a last message that %s is followed by a new one", async (_what, messages) => {
  await chat("qwen", { messages, tools: [{ type: "function", function: weatherTool }], think: false });
  expect(prompt()).toMatch(/<\|im_start\|>assistant\n<think>\n\n<\/think>\n\n$/);
});
