/** What people write who ask for a topic: how the service finds the topics that are nearest to a question. */
import { z } from "zod";
import { termsOf, wholeTerm } from "../../../server/model/starter/question-terms.ts";
import type { Topic as ShippedTopic } from "../../../server/model/starter/topics.ts";
import { exercises } from "../skills/exercises.ts";
import { openQuestion, refusalOf } from "../skills/open-domain.ts";
import { readLines } from "./data-files.ts";
import { heldOut } from "./held-out.ts";
import { languages } from "./language.ts";
import { learnWeights } from "./learn-weights.ts";
import { readings } from "./patterns.ts";
import { Questions } from "./questions.ts";
import { Random } from "./random.ts";
import { openId, type Knowledge, type Topic } from "./topics.ts";

/** Characters of an answer that tell it from the others: about as many as 12 tokens have. */
const beginning = 40;
/** The weight of a whole question that leads to one topic only: more than all its terms. */
const certain = 100;
/** Weights that are smaller hardly change what is found. */
const leastWeight = 1.75;
/**
 * Added to the score of what is to be refused, of which there is more than can be written down: of 100 such questions it
 * finds 6 more, of 1,000 about Hearth 2 less.
 */
const towardsOpen = 2;
/** How much frequencies count beside what is learned. Each alone finds less: they know the rare words, it knows the rest. */
const frequencyScale = 50;
/** Terms of a topic whose frequencies count. */
const mostTerms = 500;
/** Questions that are made of templates, in each language. */
const madeOpen = 6000;
const madeOfExercise = 500;
const questionSchema = z.object({ fact: z.string(), en: z.string(), zh: z.string() });

type Shown = Pick<ShippedTopic, "name" | "question" | "begins">;
interface Class {
  readonly id: string;
  readonly shown: Shown;
  readonly texts: readonly string[];
  /** Texts that lead to this class only, whatever their terms. */
  readonly whole: readonly string[];
}

function beginsOf(en: string, zh: string) {
  return { en: en.slice(0, beginning), zh: zh.slice(0, beginning) };
}

/** What is asked in the place of a question: a fact's own, and of small talk the first wording. */
function questionOf({ id, area, en, zh }: Topic, own: Shown["question"]) {
  if (own !== undefined) return own;
  if (area !== "small-talk") throw new Error(`questions.jsonl has no question for ${id}`);
  const [english = "", chinese = ""] = [en, zh].map(({ asked }) => readings(asked[0] ?? "")[0]);
  return { en: english, zh: chinese };
}

function classOf(topic: Topic, own: Shown["question"], isCounted: (text: string) => boolean): Class {
  const { id, area, en, zh } = topic;
  const isTalk = area === "small-talk";
  const question = questionOf(topic, own);
  const asked = [...en.asked, ...zh.asked];
  const keywords = [...en.keywords, ...zh.keywords];
  return {
    id,
    shown: {
      ...(!isTalk && { name: { en: en.named[0] ?? "", zh: zh.named[0] ?? "" } }),
      question,
      begins: beginsOf(en.answer, zh.answer),
    },
    texts: [...[...asked, ...keywords].filter(isCounted), ...en.named, ...zh.named].flatMap((text) => readings(text)),
    whole: isTalk ? asked.flatMap((text) => readings(text)) : [question.en, question.zh],
  };
}

/** What is refused, and what is no question for a fact: nothing of this is hinted at. */
function otherClasses({ open }: Knowledge, random: Random, isCounted: (text: string) => boolean): Class[] {
  const times = (count: number, make: () => string) => Array.from({ length: count }, make).filter(isCounted);
  const openTexts = languages.flatMap((language) => [
    ...open[language].asked.filter(isCounted).flatMap((text) => readings(text)),
    ...times(madeOpen, () => openQuestion(language, random, false).text),
  ]);
  const exerciseTexts = languages.flatMap((language) =>
    Object.values(exercises).flatMap((exercise) =>
      times(madeOfExercise, () => exercise(language, random, false).conversation.messages.at(-1)?.content ?? ""),
    ),
  );
  const begins = beginsOf(refusalOf("general", "en"), refusalOf("general", "zh"));
  return [
    { id: openId, shown: { begins }, texts: openTexts, whole: [] },
    { id: "exercise", shown: {}, texts: exerciseTexts, whole: [] },
  ];
}

/** How often each item is there. */
function countsOf<Item>(items: Iterable<Item>): Map<Item, number> {
  const counts = new Map<Item, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** The weights of terms by how often they are used for each class, and by how few others they are used for. */
function frequencyWeights(classes: readonly (readonly (readonly number[])[])[]): Map<number, number>[] {
  const counts = classes.map((texts) => countsOf(texts.flat()));
  const classesWith = countsOf(counts.flatMap((found) => [...found.keys()]));
  return counts.map((found) => {
    const best = [...found]
      .map(
        ([term, count]) =>
          [term, Math.log(1 + 2 * count) * Math.log(classes.length / (classesWith.get(term) ?? 1))] as const,
      )
      .sort(([, one], [, other]) => other - one)
      .slice(0, mostTerms);
    const length = Math.hypot(...best.map(([, weight]) => weight));
    return new Map(best.map(([term, weight]) => [term, (frequencyScale * weight) / length]));
  });
}

/** Numbers for the terms that are used more than once. */
function numberTerms(texts: readonly ReadonlySet<string>[]): Map<string, number> {
  const counts = countsOf(texts.flatMap((text) => [...text]));
  return new Map([...counts].filter(([, count]) => count > 1).map(([term], index) => [term, index]));
}

const middleOf = (values: Float32Array) => values.slice().sort()[values.length >> 1] ?? 0;

/** Leaves out all wordings but one in so many. */
export const oneIn = (many: number) => (wording: string) => heldOut("looked up", wording, many);

/**
 * Topics as the service looks them up, by the wordings to learn from, and what is none of them.
 * @param vectors of topics, by id; without them the words alone count
 * @param isCounted leaves wordings out
 */
export function shippedTopics(
  knowledge: Knowledge,
  seed: number,
  vectors: ReadonlyMap<string, string>,
  isCounted: (wording: string) => boolean,
): ShippedTopic[] {
  const random = new Random(seed);
  const keptBack = new Questions(knowledge);
  const questions = new Map(
    readLines("questions.jsonl", questionSchema).map(({ fact, ...question }) => [fact, question]),
  );
  const classes = [
    ...[...knowledge.byId.values()].map((topic) => classOf(topic, questions.get(topic.id), isCounted)),
    ...otherClasses(knowledge, random, isCounted),
  ];
  const texts = classes.map((one) => one.texts.filter((text) => !keptBack.isKeptBack(text)).map(termsOf));
  const numbers = numberTerms(texts.flat());
  const numbered = texts.map((all) => all.map((terms) => [...terms].flatMap((term) => numbers.get(term) ?? [])));
  const examples = numbered.flatMap((all, label) => all.map((terms) => ({ label, terms })));
  const learned = learnWeights(examples, numbers.size, classes.length, random);
  for (const [label, weights] of frequencyWeights(numbered).entries())
    for (const [number, weight] of weights) {
      const at = number * classes.length + label;
      learned.ofTerms[at] = (learned.ofTerms[at] ?? 0) + weight;
    }
  const terms = classes.map((): Record<string, number> => ({}));
  for (const [term, number] of numbers) {
    const weights = learned.ofTerms.subarray(number * classes.length, (number + 1) * classes.length);
    // What speaks for all alike says nothing: without it most weights are next to nothing.
    const middle = middleOf(weights);
    for (const [label, kept] of terms.entries()) {
      const weight = (weights[label] ?? 0) - middle;
      if (Math.abs(weight) >= leastWeight) kept[term] = Math.round(2 * weight) / 2;
    }
  }
  return classes.map(({ id, shown, whole }, label) => {
    const towards = id === openId ? towardsOpen : 0;
    const bias = Math.round(100 * ((learned.bias[label] ?? 0) + towards)) / 100;
    const found = Object.fromEntries(whole.flatMap(wholeTerm).map((term) => [term, certain]));
    const vector = vectors.get(id);
    return { id, ...shown, bias, terms: { ...terms[label], ...found }, ...(vector !== undefined && { vector }) };
  });
}
