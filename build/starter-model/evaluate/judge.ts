import { isDeepStrictEqual } from "node:util";
import type { Language } from "../corpus/language.ts";
import { refusalParts } from "../skills/open-domain.ts";
import type { Expected } from "../skills/task.ts";
import type { Reply } from "./ask.ts";

export type Verdict = "right" | "wrong" | "refused";

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const holdsAll = (text: string, parts: readonly string[]) => parts.every((part) => text.includes(part));

function isRight(expected: Expected, { text, calls }: Pick<Reply, "text" | "calls">): boolean {
  if ("call" in expected) return calls.length === 1 && isDeepStrictEqual({ ...calls[0] }, { ...expected.call });
  if ("json" in expected) return isDeepStrictEqual(parsed(text), expected.json);
  if ("text" in expected) return text.trim() === expected.text;
  return holdsAll(text, expected.parts);
}

/** Judges an answer. One that names the way to a larger model, though it should not, is honest: refused, not wrong. */
export function judge(expected: Expected, language: Language, reply: Pick<Reply, "text" | "calls">): Verdict {
  if (isRight(expected, reply)) return "right";
  return holdsAll(reply.text, refusalParts[language]) ? "refused" : "wrong";
}
