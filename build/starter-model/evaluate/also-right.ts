/**
 * Held-out questions that the answers of other facts answer, too. Two readers said so of each, who saw the question and the
 * answers of five facts, and neither whose question it was nor what a model says.
 */
import { z } from "zod";
import { languages, type Language } from "../corpus/language.ts";
import type { Knowledge } from "../corpus/topics.ts";
import { factOf, readHeldBack } from "./held-back.ts";

const schema = z.strictObject({ lang: z.enum(languages), question: z.string(), facts: z.array(z.string()).min(1) });

/**
 * @returns what each of the other right answers to a question contains
 * @throws Error for a fact that is not there
 */
export function answersAlsoRight(knowledge: Knowledge) {
  const known = new Map(
    readHeldBack("also-right.jsonl", schema).map(({ lang, question, facts }) => [
      `${lang} ${question}`,
      facts.map((id) => factOf(knowledge, id)[lang].must),
    ]),
  );
  return (language: Language, question: string) => known.get(`${language} ${question}`) ?? [];
}
