/** Calls with long arguments, as coders write files: the event loop that reads them is that of all requests. */
import { expect, it, onTestFinished, vi } from "vitest";
import { createAnswerParser } from "../../../../server/model/chat/answer/answer-format.ts";
import { formatOf } from "../../../support/model/family-formats.ts";
import { weatherTool, type Family } from "../../../support/model/family-templates.ts";

/** Counts the characters that are looked at, one by one or in a search. */
function countCharacters() {
  let looked = 0;
  const one = vi.spyOn(String.prototype, "charAt").mockImplementation(function (this: string, at) {
    looked++;
    return this[at] ?? "";
  });
  const many = vi.spyOn(String.prototype, "indexOf").mockImplementation(function (this: string, text, from = 0) {
    const rest = this.slice(from);
    const [before = ""] = rest.split(text, 1);
    looked += before.length;
    return before === rest ? -1 : from + before.length;
  });
  const stop = () => {
    one.mockRestore();
    many.mockRestore();
    return looked;
  };
  onTestFinished(() => void stop());
  return stop;
}

it.each<[Family, begin: string, end: string]>([
  ["qwen25", '<tool_call>{"name": "get_weather", "arguments": {"city": "', '"}}</tool_call>'],
  ["mistral", '[TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "', '"}}]'],
  ["magistral", '[TOOL_CALLS]get_weather[ARGS]{"city": "', '"}'],
  ["phi4Mini", '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "', '"}}]<|/tool_call|>'],
  ["llama3", '{"name": "get_weather", "parameters": {"city": "', '"}}'],
  ["llama4", '[get_weather(city="', '")]'],
  ["qwenCoder", "<tool_call>\n<function=get_weather>\n<parameter=city>\n", "\n</parameter>\n</function>\n</tool_call>"],
  ["glm45", "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>", "</arg_value>\n</tool_call>"],
  ["functionGemma", "<start_function_call>call:get_weather{city:<escape>", "<escape>}<end_function_call>"],
  ["deepSeekV31", '<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "', '"}<｜tool▁call▁end｜>'],
  ["gptOss", '<|channel|>commentary to=functions.get_weather<|message|>{"city": "', '"}<|call|>'],
])("of %s are read once, however many pieces they come in", (family, begin, end) => {
  const parser = createAnswerParser(formatOf(family), { prompt: "", tools: [weatherTool] });
  const city = Array.from({ length: 400 }, (_, at) => (at % 9 === 0 ? " {[x]} " : " abcd"));
  const pieces = [begin, ...city, end];
  const looked = countCharacters();
  const parts = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end("stop")];
  expect(looked()).toBeLessThan(20 * pieces.join("").length);
  expect(parts).toMatchObject([{ type: "tool_call", call: { arguments: { city: city.join("") } } }]);
});
