/** The questions that were written without a look at corpus or wordings. Only the evaluation may read them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { languages } from "../corpus/language.ts";
import type { Knowledge } from "../corpus/topics.ts";
import { refusalParts } from "../skills/open-domain.ts";
import { askedOnly, type Task } from "../skills/task.ts";

const file = join(import.meta.dirname, "../eval/independent.jsonl");
const schema = z.union([
  z.strictObject({ lang: z.enum(languages), question: z.string(), fact: z.string() }),
  z.strictObject({ lang: z.enum(languages), question: z.string(), refuse: z.literal(true) }),
]);

/** @throws Error for a question about a fact that is not there */
export function independentTasks({ byId }: Knowledge): Task[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return lines.map((line): Task => {
    const asked = schema.parse(JSON.parse(line));
    const { lang: language, question } = asked;
    const conversation = askedOnly(question);
    if ("refuse" in asked) {
      const parts = refusalParts[language];
      return { kind: "independent, refusal", language, conversation, answer: "", expected: { parts } };
    }
    const topic = byId.get(asked.fact);
    if (topic === undefined) throw new Error(`no fact is called ${asked.fact}`);
    const { answer, must } = topic[language];
    return { kind: "independent, fact", language, conversation, answer, expected: { parts: must } };
  });
}
