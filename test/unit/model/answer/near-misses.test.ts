/** Calls that a model writes almost as its family does: read where they are clear, and only for tools that exist. */
import { describe, expect, it } from "vitest";
import { answerFormat, createAnswerParser } from "../../../../server/model/chat/answer/answer-format.ts";
import type { AnswerEnd } from "../../../../server/model/chat/answer/answer-part.ts";
import { outcome, type Outcome } from "../../../support/model/answer-outcome.ts";
import { callsOf } from "../../../support/model/family-formats.ts";
import { weatherTool } from "../../../support/model/family-templates.ts";

const edit = {
  name: "edit",
  parameters: {
    type: "object",
    properties: {
      command: { type: "string" },
      files: { type: "array", items: { type: "object" } },
      note: { type: "string" },
    },
  },
};
const tools = [weatherTool, edit, { name: "edit again", description: "", parameters: {} }];

interface Parsed extends Outcome {
  readonly recovered: number;
}

function parse(family: string, text: string, markup = "", end: AnswerEnd = "stop"): Parsed {
  const read = (pieces: readonly string[]) => {
    const parser = createAnswerParser(answerFormat(markup, "", callsOf(family)), { prompt: "", tools });
    const parts = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end(end)];
    const recovered = parts.filter((part) => part.type === "tool_call" && part.isRecovered === true).length;
    return { ...outcome(parts), recovered };
  };
  const whole = read([text]);
  expect(read([...text])).toEqual(whole);
  for (let at = 1; at < text.length; at++) expect(read([text.slice(0, at), text.slice(at)])).toEqual(whole);
  return whole;
}

const oslo = ["get_weather", { city: "Oslo" }] as const;
const coder = (inside: string) => `<tool_call>\n<function=edit>\n${inside}\n</function>\n</tool_call>`;

describe("a call is recovered", () => {
  it.each<[what: string, family: string, text: string, means: Outcome]>([
    [
      "without its opening",
      "qwen-coder",
      "I look.\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>",
      { content: "I look.", calls: [oslo] },
    ],
    [
      "without its closings, at the end of the answer",
      "qwen-coder",
      "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n",
      { calls: [oslo] },
    ],
    [
      "with a list as Python writes it",
      "qwen-coder",
      coder("<parameter=files>\n[{'path': 'a.js', 'isNew': True}]\n</parameter>"),
      { calls: [["edit", { files: [{ path: "a.js", isNew: true }] }]] },
    ],
    [
      "with a value in the place of a name",
      "qwen-coder",
      coder("<parameter=command=create\n</parameter>\n<parameter=note>\nx\n</parameter>"),
      { calls: [["edit", { command: "create", note: "x" }]] },
    ],
    [
      "with a value in the place of a name, in a whole tag",
      "qwen-coder",
      coder("<parameter=command=create>\n</parameter>"),
      { calls: [["edit", { command: "create" }]] },
    ],
    [
      "with values that are not closed",
      "glm",
      "<tool_call>edit\n<arg_key>command</arg_key>\n<arg_value>create\n<arg_key>note<arg_value>x</tool_call>",
      { calls: [["edit", { command: "create", note: "x" }]] },
    ],
    [
      "with JSON in the place of elements",
      "glm",
      '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>',
      { calls: [oslo] },
    ],
    [
      "without its last brace",
      "hermes",
      '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}\n</tool_call>\nDone.',
      { calls: [oslo], content: "Done." },
    ],
    [
      "without its last brace and its closing",
      "hermes",
      '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}',
      { calls: [oslo] },
    ],
    [
      "with a brace too many",
      "hermes",
      '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}}</tool_call>',
      { calls: [oslo] },
    ],
    [
      "without the last brace of its arguments",
      "deepseek-v3.1",
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      { calls: [oslo] },
    ],
    [
      "in thoughts that the model has forgotten to close",
      "hermes",
      '<think>I look it up.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
      { thinking: "I look it up.", calls: [oslo] },
    ],
  ])("%s: %s", (_what, family, text, means) => {
    expect(parse(family, text, "<think></think>")).toEqual({ ...means, recovered: 1 });
  });
});

describe("nothing is recovered", () => {
  it.each<[what: string, family: string, text: string, means: Outcome]>([
    [
      "a call without its opening of a tool that does not exist",
      "qwen-coder",
      "Write <function=name> and </function>.",
      { content: "Write <function=name> and </function>." },
    ],
    [
      "a call that the model only thinks of",
      "hermes",
      '<think>I could write <tool_call>{"name": "get_weather", "arguments": {}}</tool_call> now.</think>No.',
      {
        thinking: 'I could write <tool_call>{"name": "get_weather", "arguments": {}}</tool_call> now.',
        content: "No.",
      },
    ],
    [
      "a list in a text",
      "qwen-coder",
      coder("<parameter=note>\n['a']\n</parameter>"),
      { calls: [["edit", { note: "['a']" }]] },
    ],
    [
      "a call as the family writes it",
      "hermes",
      '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>',
      { calls: [oslo] },
    ],
    [
      "several calls in one section",
      "minimax-m2",
      '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Oslo</parameter>\n</invoke>\n' +
        '<invoke name="get_weather">\n<parameter name="city">Oslo</parameter>\n</invoke>\n</minimax:tool_call>',
      { calls: [oslo, oslo] },
    ],
  ])("%s: %s", (_what, family, text, means) => {
    expect(parse(family, text, "<think></think>")).toEqual({ ...means, recovered: 0 });
  });

  it("where the limit has cut the answer", () => {
    const cut = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}';
    expect(parse("hermes", cut, "", "length")).toEqual({ recovered: 0 });
  });
});

describe("a literal marker is text, and the call behind it is read:", () => {
  it.each<[family: string, marker: string, call: string]>([
    ["gemma-4", "<|tool_call>call: is text", '<|tool_call>call:get_weather{city:<|"|>Oslo<|"|>}<tool_call|>'],
    ["hermes", "<tool_call> is a tag", '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>'],
    [
      "qwen-coder",
      "<tool_call> and <function= are tags",
      "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>",
    ],
    [
      "glm",
      "<tool_call> is a tag",
      "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value></tool_call>",
    ],
    [
      "deepseek-v3.1",
      "<｜tool▁call▁begin｜> is a token",
      '<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜>',
    ],
    ["functionary-3.1", "<function= is a tag", '<function=get_weather>{"city": "Oslo"}</function>'],
    ["mistral-named", "[TOOL_CALLS] is a token", '[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}'],
    ["lfm2", "<|tool_call_start|> is a token", '<|tool_call_start|>[get_weather(city="Oslo")]<|tool_call_end|>'],
  ])("%s", (family, marker, call) => {
    const { content, calls } = parse(family, `The text ${marker}. ${call}`);
    expect({ content, calls }).toEqual({ content: `The text ${marker}.`, calls: [oslo] });
  });
});

describe("markup around the content is no part of it:", () => {
  it.each<[what: string, template: string, answered: string, text: string, means: Outcome]>([
    [
      "Command R7B",
      "<|START_RESPONSE|><|END_THINKING|>",
      "",
      "<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>Hello.<|END_RESPONSE|>",
      { thinking: "Hm.", content: "Hello." },
    ],
    ["Gemma 4", "<|channel>thought <channel|>", "", "<channel|>Hello.<channel|>", { content: "Hello." }],
    [
      "Apriel 1.5",
      "[BEGIN FINAL RESPONSE]",
      "",
      "Here are my reasoning steps:\nHm.\n[BEGIN FINAL RESPONSE]\nHello.\n[END FINAL RESPONSE]",
      { thinking: "Hm.", content: "Hello." },
    ],
    ["Functionary 3.2", "", "<|assistant|>>>>all\ny", "all\nHello.", { content: "Hello." }],
    [
      "Hunyuan A13B",
      "</think>",
      "<answer>\ny\n</answer>",
      "<think>Hm.</think>\n<answer>\nHello.\n</answer>",
      { thinking: "Hm.", content: "Hello." },
    ],
    [
      "a model that may write such words itself",
      "</think> <answer>",
      "y",
      "<answer>a</answer>",
      { content: "<answer>a</answer>" },
    ],
  ])("%s", (_what, template, answered, text, means) => {
    for (const pieces of [[text], [...text]]) {
      const parser = createAnswerParser(answerFormat(template, answered, undefined), { prompt: "", tools: [] });
      const parsed = outcome([...pieces.flatMap((piece) => parser.push(piece)), ...parser.end("stop")]);
      expect({ ...parsed, ...(parsed.content !== undefined && { content: parsed.content.trim() }) }).toEqual(means);
    }
  });
});

it.each<[what: string, text: string, name: string]>([
  ["without arguments", "<｜tool▁call▁begin｜>edit<｜tool▁sep｜><｜tool▁call▁end｜>", "edit"],
  [
    "of a tool with a blank in its name",
    "<｜tool▁call▁begin｜>edit again<｜tool▁sep｜>{}<｜tool▁call▁end｜>",
    "edit again",
  ],
  [
    "with a word in front of such a name",
    "<｜tool▁call▁begin｜>function<｜tool▁sep｜>edit again\n```json\n{}\n```<｜tool▁call▁end｜>",
    "edit again",
  ],
])("a call of DeepSeek %s is read", (_what, text, name) => {
  expect(parse("deepseek-v3.1", text)).toMatchObject({ calls: [[name, {}]], recovered: 0 });
});
