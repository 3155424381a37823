import type { AnswerPart } from "../../../server/model/chat/answer/answer-part.ts";
import type { Family } from "./family-templates.ts";

/** What an answer means. */
export interface Outcome {
  readonly thinking?: string;
  readonly content?: string;
  /** Name and arguments of each call, in order. */
  readonly calls?: readonly (readonly [name: string, given: unknown])[];
}

export const oslo = ["get_weather", { city: "Oslo" }] as const;
export const paris = ["get_weather", { city: "Paris", days: 2 }] as const;

/** An answer as the family's models write it: family, what it is, the text, what it means, the end of the prompt. */
export type RecordedAnswer = readonly [Family, what: string, text: string, means: Outcome, prompt?: string];

export function outcome(parts: readonly AnswerPart[]): Outcome {
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

/** The text cut at these places. */
export function cut(text: string, places: readonly number[]): string[] {
  const ends = [...new Set([...places.map((place) => place % (text.length + 1)), text.length])].sort((a, b) => a - b);
  return ends.map((end, at) => text.slice(at === 0 ? 0 : ends[at - 1], end));
}
