import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planAnswer, type AnswerOptions } from "../../../../server/model/chat/answer/answer-plan.ts";
import { openChatTemplates } from "../../../support/model/chat-templates.ts";
import { weatherTool, type Family } from "../../../support/model/family-templates.ts";
import { createGrammarMatcher, type GrammarMatcher } from "../../../support/model/grammar-matcher.ts";

let grammars: GrammarMatcher;
beforeAll(async () => {
  grammars = await createGrammarMatcher();
});
afterAll(async () => {
  await grammars.dispose();
  await templates.close();
});

const templates = openChatTemplates();
async function plan(family: Family, prompt: string, options: Partial<AnswerOptions>) {
  const template = await templates.of(family);
  const all: AnswerOptions = {
    format: undefined,
    isOpen: false,
    tools: [weatherTool],
    toolChoice: "auto",
    severalCalls: true,
    thinking: "on",
    ...options,
  };
  return planAnswer(prompt, template, all);
}
const call = (inside: string) => `<start_function_call>call:get_weather{${inside}}<end_function_call>`;
const accepts = (gbnf: string | undefined, text: string) => grammars.matcher(gbnf ?? "")(text);

describe("a grammar behind the thoughts", () => {
  it.each<[Family, after: string, answer: string, call: string]>([
    [
      "qwen3",
      "</think>",
      '\n\n{"a":1}',
      '\n\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
    ],
    ["magistral", "[/THINK]", '{"a":1}', '[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}'],
    [
      "gptOss",
      "<|end|>",
      '<|start|>assistant<|channel|>final<|message|>{"a":1}',
      '<|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Oslo"}',
    ],
  ])("%s answers in the format or calls, and nothing else", async (family, after, answer, call) => {
    const planned = await plan(family, "prompt:", { format: "json" });
    const { grammar, text } = planned;
    expect(grammar?.after).toEqual([after]);
    expect(accepts(grammar?.gbnf, answer)).toBe(true);
    expect(accepts(grammar?.gbnf, call)).toBe(true);
    expect(accepts(grammar?.gbnf, "Sure!")).toBe(false);
    // What the grammar allows is what the parser of this prompt reads.
    expect(text.startsWith("prompt:")).toBe(true);
    const parser = planned.createParser();
    expect([...parser.push(`Hm.${after}${call}`), ...parser.end("stop")]).toEqual([
      { type: "thinking", text: "Hm." },
      { type: "tool_call", call: { name: "get_weather", arguments: { city: "Oslo" } } },
    ]);
  });
});

describe("a forced call", () => {
  const oslo = '"city": "Oslo"';
  const fenced = (json: string) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n\`\`\`json\n${json}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`;
  const glm = (days: string) =>
    `<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n${days}</tool_call>`;

  it.each<[Family, right: string, wrong: string]>([
    ["deepSeekR1", fenced(`{${oslo}, "days": 2}`), fenced('{"days": 2}')],
    [
      "glm45",
      glm("<arg_key>days</arg_key>\n<arg_value>2</arg_value>\n"),
      glm("<arg_key>days</arg_key>\n<arg_value>x</arg_value>\n"),
    ],
    ["llama4", `{"name": "get_weather", "parameters": {${oslo}, "days": 2}}`, "[get_weather(days=2)]"],
    ["llama4Pythonic", '[get_weather(city="Oslo", days=2)]', "[get_weather(days=2)]"],
    ["functionGemma", call("city:<escape>Oslo<escape>,days:2"), call("days:2")],
  ])("of %s is one that fits the tool, and one that its parser reads", async (family, right, wrong) => {
    const planned = await plan(family, "prompt:", { toolChoice: "required", thinking: "off" });
    const { gbnf } = planned.grammar ?? {};
    expect(accepts(gbnf, right)).toBe(true);
    expect(accepts(gbnf, wrong)).toBe(false);
    expect(accepts(gbnf, "Hello")).toBe(false);
    const parser = planned.createParser();
    expect([...parser.push(right), ...parser.end("stop")]).toEqual([
      { type: "tool_call", call: { name: "get_weather", arguments: { city: "Oslo", days: 2 } } },
    ]);
  });

  it.each<[Family, write: (name: string) => string]>([
    [
      "qwen3",
      (name) => `<tool_call>\n{"name": "${name}", "arguments": {"城市": "北京", "x.y größe": 2}}\n</tool_call>`,
    ],
    [
      "qwenCoder",
      (name) =>
        `<tool_call>\n<function=${name}>\n<parameter=城市>\n北京\n</parameter>\n<parameter=x.y größe>\n2\n</parameter>\n</function>\n</tool_call>`,
    ],
    [
      "glm45",
      (name) =>
        `<tool_call>${name}\n<arg_key>城市</arg_key>\n<arg_value>北京</arg_value>\n<arg_key>x.y größe</arg_key>\n<arg_value>2</arg_value>\n</tool_call>`,
    ],
    [
      "functionGemma",
      (name) => `<start_function_call>call:${name}{城市:<escape>北京<escape>,x.y größe:2}<end_function_call>`,
    ],
    ["llama4Pythonic", (name) => `[${name}(城市="北京", x.y größe=2)]`],
    ["magistral", (name) => `[TOOL_CALLS]${name}[ARGS]{"城市": "北京", "x.y größe": 2}`],
    [
      "gptOss",
      (name) =>
        `<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>{"城市": "北京", "x.y größe": 2}`,
    ],
  ])("of %s may have any names", async (family, write) => {
    const properties = { 城市: { type: "string" }, "x.y größe": { type: "integer" } };
    for (const name of ["查询天气", "get weather", "ns:$a/b.c-d", "user", "assistant"]) {
      const parameters = { type: "object", properties, required: Object.keys(properties) };
      const tools = [{ name: "get" }, { name, parameters }, { name: "use" }];
      const planned = await plan(family, "prompt:", { tools, toolChoice: "required", thinking: "off" });
      const text = write(name);
      expect(accepts(planned.grammar?.gbnf, text), text).toBe(true);
      const parser = planned.createParser();
      expect([...Array.from(text).flatMap((piece) => parser.push(piece)), ...parser.end("stop")]).toEqual([
        { type: "tool_call", call: { name, arguments: { 城市: "北京", "x.y größe": 2 } } },
      ]);
      for (let at = 1; at < text.length; at++) {
        const cut = planned.createParser();
        for (const part of [...cut.push(text.slice(0, at)), ...cut.end("length")])
          if (part.type === "tool_call" || part.type === "cut_call")
            expect(part.call.name, text.slice(0, at)).toBe(name);
          else expect(at, JSON.stringify(part)).toBe(1);
      }
    }
  });

  it("of gpt-oss is none where it is addressed to the user, though a tool has that name", async () => {
    const parser = (await plan("gptOss", "x", { tools: [{ name: "user" }] })).createParser();
    expect(parser.push("<|channel|>commentary to=user<|message|>Hi<|end|>")).toEqual([{ type: "content", text: "Hi" }]);
  });

  it.each<[Family, two: string]>([
    ["llama4Pythonic", '[get_weather(city="Oslo"), get_weather(city="Oslo")]'],
    ["functionGemma", call("city:<escape>Oslo<escape>").repeat(2)],
    ["qwen3", Array(2).fill(`<tool_call>\n{"name": "get_weather", "arguments": {${oslo}}}\n</tool_call>`).join("\n")],
    ["magistral", `[TOOL_CALLS]get_weather[ARGS]{${oslo}}`.repeat(2)],
    ["llama3", Array(2).fill(`{"name": "get_weather", "parameters": {${oslo}}}`).join("; ")],
    ["glm45", glm("").repeat(2)],
  ])("of %s is one of several, unless one is asked for", async (family, two) => {
    const options = { toolChoice: "required", thinking: "off" } as const;
    const several = await plan(family, "x", options);
    const single = await plan(family, "x", { ...options, severalCalls: false });
    expect(accepts(several.grammar?.gbnf, two)).toBe(true);
    expect(accepts(single.grammar?.gbnf, two)).toBe(false);
  });

  it.each<[Family, right: string]>([
    ["llama4Pythonic", "[find(b=2)]"],
    ["llama4Pythonic", "[find()]"],
    ["functionGemma", "<start_function_call>call:find{a:1,b:2}<end_function_call>"],
    ["glm45", "<tool_call>find\n<arg_key>b</arg_key>\n<arg_value>2</arg_value>\n</tool_call>"],
  ])("of %s may leave out what is not required: %s", async (family, right) => {
    const find = { name: "find", parameters: { type: "object", properties: { a: {}, b: { type: "integer" } } } };
    const { grammar } = await plan(family, "x", { tools: [find], toolChoice: "required", thinking: "off" });
    expect(accepts(grammar?.gbnf, right)).toBe(true);
  });
});

describe("a call of a tool without arguments", () => {
  it.each([
    ["no parameters", undefined],
    ["empty parameters", {}],
    ["an object without members", { type: "object" }],
    ["no members, written out", { type: "object", properties: {}, required: [] }],
  ])("has none: %s", async (_what, parameters) => {
    const tool = { name: "list", parameters };
    const { grammar } = await plan("llama3", "x", { tools: [tool], toolChoice: "required", thinking: "off" });
    expect(accepts(grammar?.gbnf, '{"name": "list", "parameters": {}}')).toBe(true);
    expect(accepts(grammar?.gbnf, '{"name": "list", "parameters": {"a": 1}}')).toBe(false);
  });
  it("may have any where the tool says so", async () => {
    const tool = { name: "list", parameters: { type: "object", additionalProperties: true } };
    const { grammar } = await plan("llama3", "x", { tools: [tool], toolChoice: "required", thinking: "off" });
    expect(accepts(grammar?.gbnf, '{"name": "list", "parameters": {"a": 1}}')).toBe(true);
  });
});

it("parameters that are no object are refused by name where calls are enforced", async () => {
  const forced = (type: unknown) =>
    plan("llama3", "x", { tools: [{ name: "say", parameters: { type } }], toolChoice: "required", thinking: "off" });
  await expect(forced("string")).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('the schema keyword "type" at #/tools/say') as string,
  });
  const { grammar } = await forced(["object", "null"]);
  expect(accepts(grammar?.gbnf, '{"name": "say", "parameters": {}}')).toBe(true);
  expect(accepts(grammar?.gbnf, '{"name": "say", "parameters": null}')).toBe(false);
});

describe("a grammar without thoughts", () => {
  it("starts with the format at once", async () => {
    const { grammar } = await plan("qwen3", "<think>\n\n</think>\n\n", {
      format: "json",
      tools: [],
      thinking: "refused",
    });
    expect(grammar?.after).toBeUndefined();
    expect(accepts(grammar?.gbnf, "{}")).toBe(true);
  });
  it("restricts nothing when nothing is asked", async () => {
    expect(await plan("qwen3", "x", {})).toMatchObject({ grammar: undefined, text: "x" });
  });
  it("allows only the named tool", async () => {
    const other = { name: "other" };
    const request = { tools: [weatherTool, other], toolChoice: { name: "other" }, thinking: "off" } as const;
    const { grammar } = await plan("llama3", "x", request);
    expect(accepts(grammar?.gbnf, '{"name": "other", "parameters": {}}')).toBe(true);
    expect(accepts(grammar?.gbnf, '{"name": "get_weather", "parameters": {"city": "Oslo"}}')).toBe(false);
  });
});
