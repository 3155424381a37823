/** The questions that were written without a look at corpus or wordings. */
import { z } from "zod";
import { languages } from "../corpus/language.ts";
import type { Knowledge } from "../corpus/topics.ts";
import { refusalParts } from "../skills/open-domain.ts";
import { askedOnly, type Task } from "../skills/task.ts";
import { factOf, readHeldBack } from "./held-back.ts";

const schema = z.union([
  z.strictObject({ lang: z.enum(languages), question: z.string(), fact: z.string() }),
  z.strictObject({ lang: z.enum(languages), question: z.string(), refuse: z.literal(true) }),
]);

/** @throws Error for a question about a fact that is not there */
export function independentTasks(knowledge: Knowledge): Task[] {
  return readHeldBack("independent.jsonl", schema).map((asked): Task => {
    const { lang: language, question } = asked;
    const conversation = askedOnly(question);
    if ("refuse" in asked) {
      const parts = refusalParts[language];
      return { kind: "independent, refusal", language, conversation, answer: "", expected: { parts } };
    }
    const { answer, must } = factOf(knowledge, asked.fact)[language];
    return { kind: "independent, fact", language, conversation, answer, expected: { parts: must } };
  });
}
