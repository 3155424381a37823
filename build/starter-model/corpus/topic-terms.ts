/** What people write who ask for a fact: how the service finds the topics that are nearest to a question. */
import { z } from "zod";
import { termsOf, wholeTerm } from "../../../server/model/guidance/question-terms.ts";
import type { Topic as ShippedTopic } from "../../../server/model/guidance/topics.ts";
import { readLines } from "./data-files.ts";
import { languages } from "./language.ts";
import { readings } from "./patterns.ts";
import type { Topic } from "./topics.ts";

/** Further terms of a topic change next to nothing any more. */
const mostTerms = 250;
/** Characters of an answer that tell it from the others: about as many as 12 tokens have. */
const beginning = 40;
/** The weight of a whole question that leads to one topic only: more than all its terms. */
const certain = 5000;
const questionSchema = z.object({ fact: z.string(), en: z.string(), zh: z.string() });

/** Of the wordings, how many have a term. */
function countTerms(wordings: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const wording of wordings)
    for (const term of new Set(termsOf(wording))) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/**
 * Topics as the service looks them up, by the wordings to learn from. The terms are weighed by how well they tell a topic
 * from the others, as thousandths of a vector of length 1.
 * @param isCounted leaves wordings out
 */
export function shippedTopics(
  topics: readonly Topic[],
  isCounted: (wording: string) => boolean = () => true,
): Map<string, ShippedTopic> {
  const questions = new Map(
    readLines("questions.jsonl", questionSchema).map(({ fact, ...question }) => [fact, question]),
  );
  const counts = topics.map((topic) =>
    countTerms(languages.flatMap((language) => topic[language].asked).filter(isCounted)),
  );
  const topicsWith = new Map<string, number>();
  for (const terms of counts) for (const term of terms.keys()) topicsWith.set(term, (topicsWith.get(term) ?? 0) + 1);
  return new Map(
    topics.map(({ id, area, en, zh }, index) => {
      const question = questions.get(id);
      const isTalk = area === "small-talk";
      if (question === undefined && !isTalk) throw new Error(`questions.jsonl has no question for ${id}`);
      const weigh = ([term, times]: [string, number]) =>
        [term, Math.log(1 + 3 * times) * Math.log(topics.length / (topicsWith.get(term) ?? 1))] as const;
      const best = [...(counts[index] ?? [])].map(weigh).sort(([, one], [, other]) => other - one);
      const kept = best.slice(0, mostTerms);
      const length = Math.hypot(...kept.map(([, weight]) => weight));
      const terms = Object.fromEntries(kept.map(([term, weight]) => [term, Math.round((1000 * weight) / length)]));
      const whole = question
        ? [question.en, question.zh]
        : [...en.asked, ...zh.asked].flatMap((text) => readings(text));
      for (const text of whole) terms[wholeTerm(text)] = certain;
      const name = { en: en.named[0] ?? "", zh: zh.named[0] ?? "" };
      const begins = { en: en.answer.slice(0, beginning), zh: zh.answer.slice(0, beginning) };
      return [id, { ...(!isTalk && { name }), ...(question && { question }), begins, terms }];
    }),
  );
}
