/** Parses answers by the name of a family, with some tools, in whole, in characters, and cut in two at each place. */
import { expect } from "vitest";
import { answerFormat, createAnswerParser } from "../../../server/model/chat/answer/answer-format.ts";
import type { AnswerEnd } from "../../../server/model/chat/answer/answer-part.ts";
import { outcome, type Outcome } from "./answer-outcome.ts";
import { callsOf } from "./family-formats.ts";
import { weatherTool } from "./family-templates.ts";

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

export interface Parsed extends Outcome {
  readonly recovered: number;
}

export function parseByFamily(family: string, text: string, markup = "", end: AnswerEnd = "stop"): Parsed {
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
