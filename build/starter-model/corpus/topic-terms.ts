/** What people write who ask for a fact: how the service finds the topics that are nearest to a question. */
import { z } from "zod";
import { termsOf } from "../../../server/model/guidance/question-terms.ts";
import type { Topic as ShippedTopic } from "../../../server/model/guidance/topics.ts";
import { readLines } from "./data-files.ts";
import { languages } from "./language.ts";
import type { Topic } from "./topics.ts";

/** Further terms of a topic change next to nothing any more. */
const mostTerms = 250;
/** Characters of an answer that tell it from the others: about as many as 12 tokens have. */
const beginning = 40;
const questionSchema = z.object({ fact: z.string(), en: z.string(), zh: z.string() });

/** Of the wordings, how many have a term. */
function countTerms(wordings: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const wording of wordings)
    for (const term of new Set(termsOf(wording))) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/**
 * Facts as the service looks them up, by the wordings to learn from; none of them is known to be answered rightly yet. The
 * terms are weighed by how well they tell a fact from the others, as thousandths of a vector of length 1.
 * @param isCounted leaves wordings out
 */
export function shippedTopics(
  facts: readonly Topic[],
  isCounted: (wording: string) => boolean = () => true,
): Map<string, ShippedTopic> {
  const questions = new Map(
    readLines("questions.jsonl", questionSchema).map(({ fact, ...question }) => [fact, question]),
  );
  const counts = facts.map((fact) =>
    countTerms(languages.flatMap((language) => fact[language].asked).filter(isCounted)),
  );
  const factsWith = new Map<string, number>();
  for (const terms of counts) for (const term of terms.keys()) factsWith.set(term, (factsWith.get(term) ?? 0) + 1);
  return new Map(
    facts.map(({ id, en, zh }, index) => {
      const question = questions.get(id);
      if (question === undefined) throw new Error(`questions.jsonl has no question for ${id}`);
      const weigh = ([term, times]: [string, number]) =>
        [term, Math.log(1 + 3 * times) * Math.log(facts.length / (factsWith.get(term) ?? 1))] as const;
      const best = [...(counts[index] ?? [])].map(weigh).sort(([, one], [, other]) => other - one);
      const kept = best.slice(0, mostTerms);
      const length = Math.hypot(...kept.map(([, weight]) => weight));
      const terms = Object.fromEntries(kept.map(([term, weight]) => [term, Math.round((1000 * weight) / length)]));
      const name = { en: en.named[0] ?? "", zh: zh.named[0] ?? "" };
      const begins = { en: en.answer.slice(0, beginning), zh: zh.answer.slice(0, beginning) };
      return [id, { name, question, known: false, begins, terms }];
    }),
  );
}
