/** Questions that the starter model can answer, to offer those that are nearest to what somebody asked. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { termsOf } from "./question-terms.ts";

/** `terms`: what people write who ask this, in either language, with the weight of each. */
const knownQuestionSchema = z.object({ en: z.string(), zh: z.string(), terms: z.record(z.string(), z.number()) });
export type KnownQuestion = z.infer<typeof knownQuestionSchema>;

export const isChinese = (text: string) => /\p{Script=Han}/u.test(text);

/** The questions nearest to a text, in its language, the nearest first. */
export function nearestQuestions(known: readonly KnownQuestion[], asked: string, count: number): string[] {
  const terms = [...new Set(termsOf(asked))];
  const ranked = known
    .map((question) => ({
      question,
      score: terms.reduce(
        (sum, term) => sum + (Object.hasOwn(question.terms, term) ? (question.terms[term] ?? 0) : 0),
        0,
      ),
    }))
    .sort((one, other) => other.score - one.score);
  const language = isChinese(asked) ? "zh" : "en";
  return ranked.slice(0, count).map(({ question }) => question[language]);
}

/** Reads a file of JSON lines once, when they are first needed. @throws Error for a file that is missing or of another form */
export function knownQuestionsIn(file: string): () => Promise<readonly KnownQuestion[]> {
  let reading: Promise<readonly KnownQuestion[]> | undefined;
  return () =>
    (reading ??= readFile(file, "utf8").then((text) =>
      text
        .trim()
        .split("\n")
        .map((line) => knownQuestionSchema.parse(JSON.parse(line))),
    ));
}
