/** The topics that the starter model knows, to find those that are nearest to what somebody asked. */
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompressSync, brotliDecompress, constants } from "node:zlib";
import { normalised, product } from "../engine/vector.ts";
import { termsOf, wholeTerm } from "./question-terms.ts";

interface Texts {
  readonly en: string;
  readonly zh: string;
}

export interface Topic {
  readonly id: string;
  /** A noun phrase to hint at it; small talk has none. */
  readonly name?: Texts;
  /** There where the model answers it rightly in both languages. */
  readonly question?: Texts;
  /** The beginning of the answer, where there is one answer. */
  readonly begins?: Texts;
  /** The score of a text without known terms. */
  readonly bias: number;
  /** How much each term of a question, in either language, speaks for the topic or against it. */
  readonly terms: Readonly<Record<string, number>>;
  /** The direction that the model's vectors of questions about it were trained to have: signed bytes in base64. */
  readonly vector?: string;
}

/** The language in which a text is answered. */
export const languageOfText = (text: string) => (/\p{Script=Han}/u.test(text) ? "zh" : "en");

/** `share`: how likely it is, of all topics, that a text asks for this one; all shares make 1. */
export interface Found {
  readonly topic: Topic;
  readonly share: number;
}

/** The share from which the look-up is sure: of the topics found with so much or more, 97 of 100 are right. */
const sureShare = 0.6;

/** The question of the topic that a text surely asks for; undefined where that is not sure, or not known to the model. */
export const knownQuestion = ([likeliest]: readonly Found[]): Topic["question"] =>
  likeliest && likeliest.share >= sureShare ? likeliest.topic.question : undefined;

/**
 * How much it speaks for a topic that the vector of a text has its direction; and the likeness to what has no vector, such
 * as what is to be refused. Words and vectors say the same in part, so their sum counts less. With these weights more
 * held-out questions are found than by words alone, and fewer that are about nothing known lead to a topic for sure.
 */
const likeness = { weight: 24, toOther: 0.42, share: 0.45 };

/** Signed bytes in base64 of a vector's direction. */
export function packVector(vector: readonly number[]): string {
  const largest = Math.max(...vector.map(Math.abs)) || 1;
  return Buffer.from(Int8Array.from(vector, (value) => Math.round((value / largest) * 127)).buffer).toString("base64");
}
/** @returns it normalized */
const unpackVector = (packed: string) => normalised([...new Int8Array(Buffer.from(packed, "base64"))]);

/**
 * All topics, the likeliest for a text first.
 * @param vector the model's vector of the text: with it more are found
 */
export type FindTopics = (text: string, vector?: readonly number[]) => Found[];

export function createFindTopics(topics: readonly Topic[]): FindTopics {
  const index = new Map<string, (readonly [topic: Topic, weight: number])[]>();
  for (const topic of topics)
    for (const [term, weight] of Object.entries(topic.terms)) {
      const known = index.get(term);
      if (known) known.push([topic, weight]);
      else index.set(term, [[topic, weight]]);
    }
  const vectors = new Map(topics.map((topic) => [topic, topic.vector && unpackVector(topic.vector)]));
  return (text, vector) => {
    const known = [...termsOf(text), ...wholeTerm(text)].flatMap((term) => {
      const weights = index.get(term);
      return weights ? [weights] : [];
    });
    const scores = new Map(topics.map((topic) => [topic, topic.bias]));
    for (const weights of known)
      for (const [topic, weight] of weights)
        scores.set(topic, (scores.get(topic) ?? 0) + weight / Math.sqrt(known.length));
    if (vector) {
      const direction = normalised(vector);
      for (const [topic, learned] of vectors) {
        const like = learned ? product(learned, direction) : likeness.toOther;
        scores.set(topic, likeness.share * ((scores.get(topic) ?? 0) + likeness.weight * like));
      }
    }
    const most = Math.max(...scores.values());
    const powers = [...scores].map(([topic, score]) => ({ topic, power: Math.exp(score - most) }));
    const sum = powers.reduce((all, { power }) => all + power, 0);
    return powers
      .map(({ topic, power }) => ({ topic, share: power / sum }))
      .sort((one, other) => other.share - one.share);
  };
}

export interface Topics {
  readonly find: FindTopics;
  readonly all: readonly Topic[];
}

/** The file beside the starter model. */
export const topicsFile = "topics.jsonl.br";

/** The content of that file: JSON lines, compressed, which makes the weights two thirds smaller. */
export const packTopics = (topics: readonly Topic[]): Buffer =>
  brotliCompressSync(topics.map((topic) => `${JSON.stringify(topic)}\n`).join(""), {
    // A quarter smaller than by gzip; the best quality takes ten times as long for a tenth more.
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });

/** Reads the topics that ship with the model once, when they are first needed. @throws Error for a file that is missing */
export function topicsIn(file: string): () => Promise<Topics> {
  const read = async (): Promise<Topics> => {
    const text = (await promisify(brotliDecompress)(await readFile(file))).toString();
    const lines = text.trim().split("\n");
    const topics = lines.map((line) => JSON.parse(line) as Topic);
    return { find: createFindTopics(topics), all: topics };
  };
  let reading: Promise<Topics> | undefined;
  return () => (reading ??= read());
}
