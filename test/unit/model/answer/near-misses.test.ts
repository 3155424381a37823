/** Calls that a model writes almost as its family does: read where they are clear, and only for tools that exist. */
import { describe, expect, it } from "vitest";
import { oslo, type Outcome } from "../../../support/model/answer-outcome.ts";
import { parseByFamily as parse } from "../../../support/model/parse-by-family.ts";

const atem = (name: string) =>
  `<atem:function_calls>\n<atem:invoke name="${name}">\n<atem:parameter name="city">Oslo</atem:parameter>\n` +
  "</atem:invoke>\n</atem:function_calls>";
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
    ...["hermes", "qwen-coder", "glm"].map((family): [string, string, string, Outcome] => [
      "in JSON without any markup",
      family,
      '{"name": "get_weather", "arguments": {"city": "Oslo"}}',
      { calls: [oslo] },
    ]),
    ...["hermes", "qwen-coder", "bare-list"].map((family): [string, string, string, Outcome] => [
      "in JSON in a fence",
      family,
      '```json\n[{"name": "get_weather", "arguments": {"city": "Oslo"}}]\n```\n',
      { calls: [oslo] },
    ]),
    [
      "with JSON in the place of elements, in a call that begins again",
      "glm",
      '<tool_call>get_weather\n{"city": "Oslo"}\n<tool_call>get_weather\n{"city": "Oslo"}</tool_call>',
      { calls: [oslo] },
    ],
    [
      "behind one that is no JSON",
      "tool-calls-list",
      '<tool_calls>[{"name": "edit", "arguments": {"note": 15:30}}, {"name": "get_weather", "arguments": {"city": "Oslo"}}]</tool_calls>',
      { calls: [oslo] },
    ],
    ...[
      `to=user<|message|>${atem("get_weather")}<|eot|>`,
      `<|message|>${atem("get_weather")}<|eom|>`,
      atem("get_weather"),
      `to=get_weather<|message|>${atem("get_weather<|message|>")}`,
      `to=get_weather.get_weather<|message|>${atem("get_weather.get_weather")}`,
    ].map((text): [string, string, string, Outcome] => ["with a wrong recipient", "glimmer", text, { calls: [oslo] }]),
    [
      "in a section in thoughts that the model has forgotten to close",
      "kimi-k2",
      "<think>I look it up.<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0" +
        '<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|><|tool_calls_section_end|>',
      { thinking: "I look it up.", calls: [oslo] },
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
      "a call that the answer speaks of",
      "glimmer",
      `to=user<|message|>Write ${atem("get_weather")} for that.<|eot|>`,
      { content: `Write ${atem("get_weather")} for that.` },
    ],
    [
      "an example of a call in a fence",
      "hermes",
      '```json\n{"name": "get_weather", "arguments": {}}\n```\nis a call.',
      { content: '```json\n{"name": "get_weather", "arguments": {}}\n```\nis a call.' },
    ],
    ["code in a fence", "hermes", '```json\n{"name": "Ada"}\n```', { content: '```json\n{"name": "Ada"}\n```' }],
    [
      "an answer in JSON whose name no tool has",
      "hermes",
      '{"name": "Ada", "arguments": {}}',
      { content: '{"name": "Ada", "arguments": {}}' },
    ],
    [
      "a call whose arguments have only begun",
      "llama-3",
      '{"name": "get_weather", "arguments": {',
      { content: '{"name": "get_weather", "arguments": {' },
    ],
    [
      "calls with texts of their family around them",
      "mistral",
      '[TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Oslo"}}][/TOOL_CALLS]',
      { calls: [oslo] },
    ],
    [
      "a list that is closed twice",
      "bare-list",
      '[{"name": "get_weather", "arguments": {"city": "Oslo"}}]]',
      { calls: [oslo] },
    ],
    [
      "a text that is enclosed as in XML",
      "minicpm",
      '<function name="edit"><param name="note"><![CDATA[<a> </param>]]></param><param name="command">x</param></function>',
      { calls: [["edit", { note: "<a> </param>", command: "x" }]] },
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
