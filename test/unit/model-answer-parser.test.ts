import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerFormatOf, createAnswerParser } from "../../server/model/answer/answer-format.ts";
import type { AnswerPart } from "../../server/model/answer/answer-part.ts";
import { familyTemplates, weatherTool, type Family } from "../support/family-templates.ts";

interface Outcome {
  readonly thinking?: string;
  readonly content?: string;
  /** Name and arguments of each call, in order. */
  readonly calls?: readonly (readonly [name: string, given: unknown])[];
}

const oslo = ["get_weather", { city: "Oslo" }] as const;
const paris = ["get_weather", { city: "Paris", days: 2 }] as const;

/** Answers as the families' models write them: family, what it is, the text, what it means, the end of the prompt. */
const answers: readonly (readonly [Family, what: string, text: string, means: Outcome, prompt?: string])[] = [
  ["qwen25", "text", "Hello there.", { content: "Hello there." }],
  [
    "qwen25",
    "a call behind text",
    'Let me look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
    { content: "Let me look.", calls: [oslo] },
  ],
  [
    "qwen25",
    "two calls",
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris", "days": 2}}\n</tool_call>',
    { calls: [oslo, paris] },
  ],
  [
    "qwen25",
    "a closing tag inside an argument",
    '<tool_call>{"name": "get_weather", "arguments": {"city": "</tool_call> \\"}{"}}</tool_call> done',
    { calls: [["get_weather", { city: '</tool_call> "}{' }]], content: "done" },
  ],
  [
    "qwen25",
    "what is no call between the tags",
    "<tool_call>I cannot do that</tool_call> Sorry.",
    { content: "I cannot do that Sorry." },
  ],
  ["qwen25", "a call that is cut off", 'So: <tool_call>\n{"name": "get_wea', { content: 'So:{"name": "get_wea' }],
  ["qwen25", "text that looks like a tag at first", "a <b> <tool_cal and <", { content: "a <b> <tool_cal and <" }],
  ["qwen3", "thoughts", "<think>\nHm, 2 < 3.\n</think>\n\nYes.", { thinking: "Hm, 2 < 3.", content: "Yes." }],
  ["qwen3", "no thoughts", "Yes, </ is text.", { content: "Yes, </ is text." }],
  ["qwen3", "empty thoughts", "<think>\n\n</think>\n\nYes.", { content: "Yes." }],
  ["qwen3", "thoughts without end", "<think>On and on </thi", { thinking: "On and on </thi" }],
  ["qwen3", "thoughts opened by the prompt", "Hm.</think>Yes.", { thinking: "Hm.", content: "Yes." }, "<think>\n"],
  ["qwen3", "a tag opened twice", "<think>Hm.</think>Yes.", { thinking: "Hm.", content: "Yes." }, "<think>\n"],
  ["qwen3", "a tag in the text", "Write <think> for that.", { content: "Write <think> for that." }],
  [
    "qwen3",
    "thoughts and a call",
    '<think>Look.</think>\n\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
    { thinking: "Look.", calls: [oslo] },
  ],
  [
    "qwenCoder",
    "calls as XML",
    "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>",
    { calls: [paris] },
  ],
  ["llama3", "text", "It is {sunny}.", { content: "It is {sunny}." }],
  ["llama3", "a bare call", '{"name": "get_weather", "parameters": {"city": "Oslo"}}', { calls: [oslo] }],
  [
    "llama3",
    "two bare calls",
    '{"name": "get_weather", "parameters": {"city": "Oslo"}}; {"name": "get_weather", "parameters": {"city": "Paris", "days": 2}}',
    { calls: [oslo, paris] },
  ],
  [
    "llama3",
    "a call behind the python tag",
    '<|python_tag|>{"type": "function", "name": "get_weather", "parameters": {"city": "Oslo"}}<|eom_id|>',
    { calls: [oslo] },
  ],
  ["llama3", "JSON that is the answer", '{"name": "Ada", "age": 36}', { content: '{"name": "Ada", "age": 36}' }],
  [
    "llama3",
    "JSON of another kind",
    '{"city": {"name": "Oslo"}} is it',
    { content: '{"city": {"name": "Oslo"}} is it' },
  ],
  [
    "mistral",
    "a list of calls",
    '[TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Oslo"}, "id": "abcdefghi"}, {"name": "get_weather", "arguments": {"city": "Paris", "days": 2}}]',
    { calls: [oslo, paris] },
  ],
  ["mistral", "brackets", "See [1] and [TOOL", { content: "See [1] and [TOOL" }],
  [
    "magistral",
    "thoughts and named calls",
    '[THINK]Hm.[/THINK][TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}[TOOL_CALLS]get_weather[ARGS]{"city": "Paris", "days": 2}',
    { thinking: "Hm.", calls: [oslo, paris] },
  ],
  ["gemma2", "text", "Hello <b>you</b>", { content: "Hello <b>you</b>" }],
  [
    "functionGemma",
    "a call",
    "<start_function_call>call:get_weather{city:<escape>Paris<escape>,days:2}<end_function_call>",
    { calls: [paris] },
  ],
  [
    "phi4Mini",
    "a list of calls",
    '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]<|/tool_call|>',
    { calls: [oslo] },
  ],
  [
    "phi4Mini",
    "a list without closing",
    'functools[{"name": "get_weather", "arguments": {"city": "Oslo"}}]',
    { calls: [oslo] },
  ],
  [
    "deepSeekR1",
    "thoughts and fenced calls",
    'Let me see.\n</think>\n\nOne moment.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Oslo"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Paris", "days": 2}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    { thinking: "Let me see.", content: "One moment.", calls: [oslo, paris] },
    "<｜Assistant｜><think>\n",
  ],
  [
    "deepSeekV31",
    "named calls",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    { calls: [oslo] },
    "<｜Assistant｜></think>",
  ],
  [
    "gptOss",
    "thoughts and an answer",
    "<|channel|>analysis<|message|>Simple.<|end|><|start|>assistant<|channel|>final<|message|>Four < five.<|return|>",
    { thinking: "Simple.", content: "Four < five." },
  ],
  [
    "gptOss",
    "a preamble and a call",
    '<|channel|>commentary<|message|>I look it up.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city":"Oslo"}<|call|>',
    { content: "I look it up.", calls: [oslo] },
  ],
  [
    "gptOss",
    "a call whose receiver stands first",
    ' to=functions.get_weather<|channel|>commentary json<|message|>{"city":"Oslo"}',
    { calls: [oslo] },
  ],
  ["gptOss", "text without any format", "answer: 4", { content: "answer: 4" }],
];

const cases = answers.map(([family, what, text, means, prompt = ""]) => ({ family, what, text, means, prompt }));

function outcome(parts: readonly AnswerPart[]): Outcome {
  const text = (type: "content" | "thinking") => parts.map((part) => (part.type === type ? part.text : "")).join("");
  const calls = parts.flatMap((part) =>
    part.type === "tool_call" ? [[part.call.name, part.call.arguments] as const] : [],
  );
  return {
    ...(text("thinking") && { thinking: text("thinking") }),
    ...(text("content") && { content: text("content") }),
    ...(calls.length > 0 && { calls }),
  };
}

function parse(family: Family, pieces: readonly string[], prompt = ""): AnswerPart[] {
  const parser = createAnswerParser(answerFormatOf(familyTemplates[family]), { prompt, tools: [weatherTool] });
  return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()];
}

/** The text cut at these places. */
function cut(text: string, places: readonly number[]): string[] {
  const ends = [...new Set([...places.map((place) => place % (text.length + 1)), text.length])].sort((a, b) => a - b);
  return ends.map((end, at) => text.slice(at === 0 ? 0 : ends[at - 1], end));
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

describe("text", () => {
  it("comes out as soon as it can be nothing else", () => {
    const parser = createAnswerParser(answerFormatOf(familyTemplates.qwen3), { prompt: "", tools: [weatherTool] });
    expect(parser.push("Hel")).toEqual([{ type: "content", text: "Hel" }]);
    expect(parser.push("lo <tool")).toEqual([{ type: "content", text: "lo" }]);
    expect(parser.push("box>")).toEqual([{ type: "content", text: " <toolbox>" }]);
  });

  it("of any kind survives unchanged without tools and thoughts", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.nat()), (text, places) => {
        const parser = createAnswerParser(answerFormatOf(familyTemplates.gemma2), { prompt: "", tools: [] });
        const parts = [...cut(text, places).flatMap((piece) => parser.push(piece)), ...parser.end()];
        expect(outcome(parts).content ?? "").toBe(text);
      }),
    );
  });

  it.each(Object.keys(familyTemplates) as Family[])("of any kind means the same to %s however it is cut", (family) => {
    const markers = answers.filter(([one]) => one === family).flatMap(([, , text]) => text.split(/(?<=[>\]} ])/));
    const piece = fc.constantFrom(...markers, "<", "x", " ", "\n", '"', "{", "}", ";");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 12 }), (pieces, places) => {
        const text = pieces.join("");
        expect(outcome(parse(family, cut(text, places)))).toEqual(outcome(parse(family, [text])));
      }),
      { numRuns: 200 },
    );
  });

  it("of any kind means the same however it is cut, and holds no complete tag", () => {
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
        expect(whole.content ?? "").not.toMatch(/<\/?tool_call>/);
      }),
      { numRuns: 200 },
    );
  });
});
