/** Names of parsers in Modelfiles: each reads the answers of its models. */
import { expect, it } from "vitest";
import { createAnswerParser } from "../../../../server/model/chat/answer/answer-format.ts";
import { formatOfMarkup } from "../../../../server/model/chat/answer/families/choose-family.ts";
import { markupOfParser } from "../../../../server/model/models/library/named-families.ts";
import { outcome } from "../../../support/model/answer-outcome.ts";
import { weatherTool } from "../../../support/model/family-templates.ts";

it.each<[parser: string, answer: string, thinking?: string]>([
  ["qwen3", '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>'],
  [
    "qwen3.5",
    "<think>\nHm.\n</think>\n\n<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>",
    "Hm.",
  ],
  [
    "cohere",
    '<|START_THINKING|>Hm.<|END_THINKING|><|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "get_weather", ' +
      '"parameters": {"city": "Oslo"}}\n]<|END_ACTION|><|END_OF_TURN_TOKEN|>',
    "Hm.",
  ],
  [
    "glimmer",
    " to=self<|message|>Hm.<|eom|><|start|>assistant to=get_weather<|message|><atem:function_calls>\n" +
      '<atem:invoke name="get_weather">\n<atem:parameter name="city">Oslo</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eot|>',
    "Hm.",
  ],
  ["olmo3", '<function_calls>get_weather(city="Oslo")</function_calls>'],
  ["ministral", '[THINK]Hm.[/THINK][TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}', "Hm."],
  ["lfm2", "<|tool_call_start|>[get_weather(city='Oslo')]<|tool_call_end|>"],
  ["gemma4", '<|channel>thought\nHm.<channel|><|tool_call>call:get_weather{city:<|"|>Oslo<|"|>}<tool_call|>', "Hm."],
])("the parser %s reads a call", (parser, answer, thinking) => {
  const format = formatOfMarkup(markupOfParser(parser) ?? "");
  const read = createAnswerParser(format, { prompt: "", tools: [weatherTool] });
  const parts = [...read.push(answer), ...read.end("stop")];
  expect(outcome(parts)).toEqual({ ...(thinking && { thinking }), calls: [["get_weather", { city: "Oslo" }]] });
});

it.each([
  ["cohere", "<|START_THINKING|><|END_THINKING|><|START_TEXT|>Hello.<|END_TEXT|>"],
  ["glimmer", " to=user<|message|>Hello.<|eot|>"],
])("the parser %s takes the texts around the content away", (parser, answer) => {
  const read = createAnswerParser(formatOfMarkup(markupOfParser(parser) ?? ""), { prompt: "", tools: [] });
  expect(outcome([...read.push(answer), ...read.end("stop")])).toEqual({ content: "Hello." });
});
