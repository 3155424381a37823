import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAnswerParser } from "../../../../server/model/chat/answer/answer-format.ts";
import type { AnswerEnd, AnswerPart } from "../../../../server/model/chat/answer/answer-part.ts";
import { earlierArguments } from "../../../../server/model/chat/answer/json-in-text.ts";
import { formatOf } from "../../../support/model/family-formats.ts";
import { familyTemplates, weatherTool, type Family } from "../../../support/model/family-templates.ts";
import { cut, outcome } from "../../../support/model/answer-outcome.ts";
import { recordedAnswers } from "../../../support/model/recorded-answers.ts";

const cases = recordedAnswers.map(([family, what, text, means, prompt = ""]) => ({
  family,
  what,
  text,
  means,
  prompt,
}));

function parse(family: Family, pieces: readonly string[], prompt = "", end: AnswerEnd = "stop"): AnswerPart[] {
  const parser = createAnswerParser(formatOf(family), { prompt, tools: [weatherTool] });
  return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end(end)];
}

describe("an answer is read as its family writes it:", () => {
  it.each(cases)("$family, $what", ({ family, text, means, prompt }) => {
    expect(outcome(parse(family, [text], prompt))).toEqual(means);
    expect(outcome(parse(family, [...text], prompt)), "character by character").toEqual(means);
  });

  it.each(cases)("$family, $what, wherever it is cut in two", ({ family, text, means, prompt }) => {
    for (let at = 1; at < text.length; at++)
      expect(outcome(parse(family, [text.slice(0, at), text.slice(at)], prompt)), text.slice(0, at)).toEqual(means);
  });

  it.each(cases)("$family, $what, wherever it is cut in many", ({ family, text, means, prompt }) => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 12 }), (places) => {
        expect(outcome(parse(family, cut(text, places), prompt))).toEqual(means);
      }),
      { numRuns: 60 },
    );
  });
});

/** The call that the limit has cut off. */
const cutCallsOf = (parts: readonly AnswerPart[]) =>
  parts.flatMap((part) => (part.type === "cut_call" ? [part.call] : []));

/** But for white space, and a single character that could have become markup. */
const isBeginning = (text: string, whole = "") =>
  whole.startsWith(text.trimEnd()) || whole.startsWith(text.slice(0, -1).trimEnd());

describe("an answer that the limit has cut", () => {
  it.each(cases)("is the beginning of $family, $what, wherever it is cut", ({ family, text, means, prompt }) => {
    for (let at = 1; at < text.length; at++) {
      const begun = text.slice(0, at);
      const parts = parse(family, [begun], prompt, "length");
      const byCharacter = parse(family, [...begun], prompt, "length");
      expect([outcome(byCharacter), cutCallsOf(byCharacter)], begun).toEqual([outcome(parts), cutCallsOf(parts)]);
      const { thinking = "", content = "", calls = [] } = outcome(parts);
      expect(isBeginning(thinking, means.thinking), `${begun}: ${thinking}`).toBe(true);
      expect(isBeginning(content, means.content), `${begun}: ${content}`).toBe(true);
      if (means.calls === undefined) continue;
      expect(means.calls?.slice(0, calls.length) ?? [], begun).toEqual(calls);
      const [name, given] = means.calls?.[calls.length] ?? [];
      for (const one of cutCallsOf(parts)) {
        expect(one.name, begun).toBe(name);
        expect(one.arguments, begun).toMatch(/^(?:\{|$)/);
        expect(given, begun).toMatchObject(earlierArguments(one.arguments) ?? expect.fail(begun));
      }
    }
  });

  it.each<[Family, text: string, given: string]>([
    ["qwen25", '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Os', '{"city": "Os'],
    ["qwen25", '<tool_call>{"name": "get_weather"', ""],
    ["phi4Mini", '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Oslo", "da', '{"city": "Oslo", "da'],
    ["mistral", '[TOOL_CALLS] [{"name": "get_weather", "arguments": {"days": 2', '{"days": 2'],
    ["magistral", '[THINK]Hm.[/THINK][TOOL_CALLS]get_weather[ARGS]{"city": "Os', '{"city": "Os'],
    ["magistral", "[TOOL_CALLS]get_weather[ARGS]", ""],
    ["llama3", '{"name": "get_weather", "parameters": {"city": ', '{"city": '],
    ["llama3", '<|python_tag|>{"name": "get_weather", "parameters": {"city": "', '{"city": "'],
    ["llama4", "[get_weather(city='Oslo', da", '{"city":"Oslo"'],
    ["llama4", "<|python_start|>get_weather(", "{"],
    ["llama4Pythonic", "[get_weather(city='Os", "{"],
    [
      "qwenCoder",
      "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n<par",
      '{"city":"Paris"',
    ],
    ["glm45", "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg", '{"city":"Oslo"'],
    ["functionGemma", "<start_function_call>call:get_weather{city:<escape>Pa", '{"city":"Pa'],
    ["functionGemma", "<start_function_call>call:get_weather{ci", "{"],
    ["functionGemma", "<start_function_call>call:get_weather{city:<escape>Oslo<escape>,da", '{"city":"Oslo"'],
    ["functionGemma", "<start_function_call>call:get_weather{days:[1,2", '{"days":[1,2'],
    ["functionGemma", "<start_function_call>call:get_weather{at:{x:1,y", "{"],
    ["functionGemma", "<start_function_call>call:get_weather{days:2}<end_f", '{"days":2}'],
    ["qwen25", '<tool_call>{"name": "get_weather", "arguments": {"days": 2, da', '{"days": 2'],
    ["qwen25", '<tool_call>{"name": "get_weather", "arguments": {"city": Oslo', "{"],
    ["gptOss", ' to=functions.get_weather<|channel|>commentary json<|message|>{"days":2,"x":y', '{"days":2'],
    ["gptOss", " to=functions.get_weather<|channel|>commentary json<|message|>[", ""],
    ["deepSeekV31", '<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"days": 2}<｜tool', '{"days": 2}'],
    ["deepSeekR1", '<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"days": 2}\n```<', '{"days": 2}'],
    ["deepSeekV31", '<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Os', '{"city": "Os'],
    ["deepSeekR1", '<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city', '{"city'],
    ["gptOss", ' to=functions.get_weather<|channel|>commentary json<|message|>{"city":"O', '{"city":"O'],
  ])("tells what %s had said of a call: %s", (family, text, given) => {
    const parts = parse(family, [text], "", "length");
    expect(cutCallsOf(parts)).toEqual([{ name: "get_weather", arguments: given }]);
    expect(outcome(parts).content ?? "").toBe("");
  });

  it("keeps the whole calls of a list", () => {
    const parts = parse("mistral", ['[TOOL_CALLS] [{"name": "a", "arguments": {}}, {"name": "b", "ar'], "", "length");
    expect(outcome(parts)).toEqual({ calls: [["a", {}]] });
    expect(cutCallsOf(parts)).toEqual([{ name: "b", arguments: "" }]);
  });

  it("keeps text that only begins like markup", () => {
    const whole = (family: Family, text: string) => outcome(parse(family, [text], "", "length")).content;
    expect(whole("qwen25", "1 < 2 and 3 <")).toBe("1 < 2 and 3 <");
    expect(whole("qwen25", "<tool_call>I cannot do th")).toBe("I cannot do th");
    expect(whole("llama3", '{"name": "Ada", "age": 3')).toBe('{"name": "Ada", "age": 3');
    expect(whole("llama4", "[1, 2")).toBe("[1, 2");
  });
});

describe("plain text", () => {
  it("is passed on as soon as it cannot become markup", () => {
    const parser = createAnswerParser(formatOf("qwen3"), { prompt: "", tools: [weatherTool] });
    expect(parser.push("Hel")).toEqual([{ type: "content", text: "Hel" }]);
    expect(parser.push("lo <tool")).toEqual([{ type: "content", text: "lo" }]);
    expect(parser.push("box>")).toEqual([{ type: "content", text: " <toolbox>" }]);
    const phi = createAnswerParser(formatOf("phi4Mini"), { prompt: "", tools: [weatherTool] });
    expect(phi.push("from functools")).toEqual([{ type: "content", text: "from" }]);
    expect(phi.push(" import")).toEqual([{ type: "content", text: " functools import" }]);
    expect(phi.push(" functools[")).toEqual([]);
    expect(phi.push("0")).toEqual([" functools[", "0"].map((text) => ({ type: "content", text })));
  });

  it("of any kind survives unchanged without tools and thoughts", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.nat()), (text, places) => {
        const parser = createAnswerParser(formatOf("gemma2"), { prompt: "", tools: [] });
        const parts = [...cut(text, places).flatMap((piece) => parser.push(piece)), ...parser.end("stop")];
        expect(outcome(parts).content ?? "").toBe(text);
      }),
    );
  });

  it.each(Object.keys(familyTemplates) as Family[])("of any kind means the same to %s however it is cut", (family) => {
    const markers = recordedAnswers
      .filter(([one]) => one === family)
      .flatMap(([, , text]) => text.split(/(?<=[>\]} ])/));
    const piece = fc.constantFrom(...markers, "<", "x", " ", "\n", '"', "{", "}", ";");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 12 }), (pieces, places) => {
        const text = pieces.join("");
        expect(outcome(parse(family, cut(text, places)))).toEqual(outcome(parse(family, [text])));
      }),
      { numRuns: 200 },
    );
  });

  it.each<[Family, text: string]>([
    ["deepSeekV31", '<｜tool▁call▁begin｜>"Oslo"}{<｜tool▁call▁end｜>"Oslo"}<｜tool▁calls▁begin｜>'],
    ["deepSeekV31", '<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"days": [2<｜tool▁call▁end｜>]} more'],
    ["qwen25", '<tool_call>{"name": "get_weather", "arguments": {"days": 2</tool_call> }} more'],
  ])("with a closing inside a call means the same to %s however it is cut in two: %s", (family, text) => {
    const whole = outcome(parse(family, [text]));
    for (let at = 1; at < text.length; at++)
      expect(outcome(parse(family, [text.slice(0, at), text.slice(at)])), text.slice(0, at)).toEqual(whole);
  });

  it("of any kind means the same however it is cut, and holds tags only where they are text", () => {
    const piece = fc.constantFrom(
      "<think>",
      "</think>",
      "<tool_call>",
      "</tool_call>",
      '{"name":"f","arguments":{}}',
      "<",
      "x",
      " ",
      "\n",
      '"',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat()), (pieces, places) => {
        const text = pieces.join("");
        const whole = outcome(parse("qwen3", [text]));
        expect(outcome(parse("qwen3", cut(text, places)))).toEqual(whole);
        expect(whole.content ?? "").not.toMatch(
          /<\/tool_call>|<tool_call>\s*(?:<tool_call>|\{"name":"f","arguments":\{\}\})/,
        );
      }),
      { numRuns: 200 },
    );
  });
});

describe("markup in the strings of JSON is text:", () => {
  const markup =
    'a<|end|>b<|call|>c<|return|>d<|channel|>final<|message|>e<|start|>assistant f<tool_call>g</tool_call>h[TOOL_CALLS]\\"<|call|>\\\\';
  const value = JSON.stringify({ [markup]: [markup, 1, `"${markup}`] });
  const families = Object.keys(familyTemplates) as Family[];
  const isHarmony = (family: Family) => formatOf(family).isHarmony;

  it.each(families)("%s, an answer in a format", (family) => {
    const text = `${isHarmony(family) ? "<|channel|>final<|message|>" : ""}${value}`;
    for (const pieces of [[text], [...text]])
      for (const end of ["stop", "length"] as const) {
        const format = formatOf(family);
        const parser = createAnswerParser(format, { prompt: "", tools: [weatherTool], isJson: true });
        const parts = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end(end)];
        expect(outcome(parts)).toEqual({ content: value });
      }
  });

  it("gpt-oss, a call, after which the answer goes on", () => {
    const call = `<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>${value}<|call|>`;
    const means = { content: "Done.", calls: [["get_weather", JSON.parse(value)]] };
    const text = `${call}<|start|>assistant<|channel|>final<|message|>Done.<|return|>`;
    expect(outcome(parse("gptOss", [text]))).toEqual(means);
    expect(outcome(parse("gptOss", [...text]))).toEqual(means);
  });
});
