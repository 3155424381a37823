/** The topics that the starter model knows, to find those that are nearest to what somebody asked. */
import { readFile } from "node:fs/promises";
import { termsOf, wholeTerm } from "./question-terms.ts";

interface Texts {
  readonly en: string;
  readonly zh: string;
}

export interface Topic {
  /** A noun phrase to hint at it; small talk has none. */
  readonly name?: Texts;
  /** There where the model answers it rightly in both languages. */
  readonly question?: Texts;
  /** The beginning of the answer. */
  readonly begins: Texts;
  /** What people write who ask for it, in either language, with the weight of each. */
  readonly terms: Readonly<Record<string, number>>;
}

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
    for (const term of new Set([...termsOf(text), wholeTerm(text)]))
      for (const [topic, weight] of index.get(term) ?? []) scores.set(topic, (scores.get(topic) ?? 0) + weight);
    return [...scores].map(([topic, score]) => ({ topic, score })).sort((one, other) => other.score - one.score);
  };
}

export interface Topics {
  readonly find: FindTopics;
  readonly all: readonly Topic[];
}

/** Reads the JSON lines that ship with the model once, when they are first needed. @throws Error for a file that is missing */
export function topicsIn(file: string): () => Promise<Topics> {
  const read = async (): Promise<Topics> => {
    const lines = (await readFile(file, "utf8")).trim().split("\n");
    const topics = lines.map((line) => JSON.parse(line) as Topic);
    return { find: createFindTopics(topics), all: topics };
  };
  let reading: Promise<Topics> | undefined;
  return () => (reading ??= read());
}
