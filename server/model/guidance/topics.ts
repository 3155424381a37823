/** The topics that the starter model knows, to find those that are nearest to what somebody asked. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { termsOf } from "./question-terms.ts";

const textsSchema = z.object({ en: z.string(), zh: z.string() });
/**
 * `name`: a noun phrase. `question`: one that leads to it; `known`: whether the model answers that one rightly in both
 * languages. `begins`: the beginning of its answer. `terms`: what people write who ask for it, in either language, with the weight of each.
 */
const topicSchema = z.object({
  name: textsSchema,
  question: textsSchema,
  known: z.boolean(),
  begins: textsSchema,
  terms: z.record(z.string(), z.number()),
});
export type Topic = z.infer<typeof topicSchema>;

/** The language in which a text is answered. */
export const languageOf = (text: string) => (/\p{Script=Han}/u.test(text) ? "zh" : "en");

/** `score`: how much a text has in common with what is asked about the topic. */
export interface Found {
  readonly topic: Topic;
  readonly score: number;
}
/** The topics that share terms with a text, the nearest first. */
export type FindTopics = (text: string) => Found[];

export function createFindTopics(topics: readonly Topic[]): FindTopics {
  const index = new Map<string, (readonly [topic: Topic, weight: number])[]>();
  for (const topic of topics)
    for (const [term, weight] of Object.entries(topic.terms)) {
      const known = index.get(term);
      if (known) known.push([topic, weight]);
      else index.set(term, [[topic, weight]]);
    }
  return (text) => {
    const scores = new Map<Topic, number>();
    for (const term of new Set(termsOf(text)))
      for (const [topic, weight] of index.get(term) ?? []) scores.set(topic, (scores.get(topic) ?? 0) + weight);
    return [...scores].map(([topic, score]) => ({ topic, score })).sort((one, other) => other.score - one.score);
  };
}

export interface Topics {
  readonly find: FindTopics;
  /** Those whose question the model answers rightly in both languages. */
  readonly known: readonly Topic[];
}

/** Reads a file of JSON lines once, when they are first needed. @throws Error for a file that is missing or of another form */
export function topicsIn(file: string): () => Promise<Topics> {
  const read = async (): Promise<Topics> => {
    const lines = (await readFile(file, "utf8")).trim().split("\n");
    const topics = lines.map((line) => topicSchema.parse(JSON.parse(line)));
    return { find: createFindTopics(topics), known: topics.filter(({ known }) => known) };
  };
  let reading: Promise<Topics> | undefined;
  return () => (reading ??= read());
}
