import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerFormatOf, createAnswerParser } from "../../server/model/answer/answer-format.ts";
import type { AnswerPart } from "../../server/model/answer/answer-part.ts";
import { familyTemplates, weatherTool, type Family } from "../support/family-templates.ts";
import { recordedAnswers, type Outcome } from "../support/recorded-answers.ts";

const cases = recordedAnswers.map(([family, what, text, means, prompt = ""]) => ({
  family,
  what,
  text,
  means,
  prompt,
}));

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
