/** Markers that are text, and markup that is no part of the content. */
import { describe, expect, it } from "vitest";
import { answerFormat, createAnswerParser } from "../../../../server/model/chat/answer/answer-format.ts";
import { oslo, outcome, type Outcome } from "../../../support/model/answer-outcome.ts";
import { parseByFamily as parse } from "../../../support/model/parse-by-family.ts";

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
    [
      "Gemma 4, which repeats the tag",
      "<|channel>thought <channel|>",
      "",
      "<|channel><|channel>thought\nHm.<channel|>Hello.",
      { thinking: "Hm.", content: "Hello." },
    ],
    [
      "Muse Glimmer",
      "to=self<|message|>",
      "<|start|>assistant to=self<|message|>z<|eom|><|start|>assistant to=user<|message|>y<|eot|>",
      " to=self<|message|>Hm.<|eom|><|start|>assistant to=user<|message|>Hello.<|eot|>",
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
