/**
 * Held-out questions that the answers of other facts answer, too. Two readers said so of each, who saw the question and the
 * answers of five facts, and neither whose question it was nor what a model says.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { languages, type Language } from "../corpus/language.ts";
import type { Knowledge } from "../corpus/topics.ts";

const file = join(import.meta.dirname, "../eval/also-right.jsonl");
const schema = z.strictObject({ lang: z.enum(languages), question: z.string(), facts: z.array(z.string()).min(1) });

/**
 * @returns what each of the other right answers to a question contains
 * @throws Error for a fact that is not there
 */
export function answersAlsoRight({ byId }: Knowledge) {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const known = new Map(
    lines.map((line) => {
      const { lang, question, facts } = schema.parse(JSON.parse(line));
      const parts = facts.map((id) => {
        const fact = byId.get(id);
        if (fact === undefined) throw new Error(`no fact is called ${id}`);
        return fact[lang].must;
      });
      return [`${lang} ${question}`, parts] as const;
    }),
  );
  return (language: Language, question: string) => known.get(`${language} ${question}`) ?? [];
}
