/** Writes what training reads: the samples as arrays of tokens, and the vocabulary. */
import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openQuestion } from "../skills/open-domain.ts";
import { Encoder } from "../tokenizer/encoder.ts";
import { learnPieces } from "../tokenizer/learn-pieces.ts";
import type { Vocabulary } from "../tokenizer/vocabulary.ts";
import { checkFollowUps } from "./follow-ups.ts";
import { createHints } from "./hints.ts";
import { languages } from "./language.ts";
import { countWordings, Questions } from "./questions.ts";
import { Random } from "./random.ts";
import { expand } from "./patterns.ts";
import { Sampler, type Sample } from "./samples.ts";
import { oneIn } from "./topic-terms.ts";
import { openId, readKnowledge, type Knowledge } from "./topics.ts";
import { typed } from "./typing.ts";

export interface CorpusSize {
  readonly samples: number;
  /** How many of them the vocabulary is learned from. */
  readonly vocabularySamples: number;
  /** Pieces of the vocabulary, at most. */
  readonly vocabulary: number;
  /** Longer samples are left out. */
  readonly longest: number;
  /** How often a wording is among the questions whose vectors are learned, typed in another way each time. */
  readonly typedAs: number;
  /** The look-up of topics learns from one of so many wordings. */
  readonly lookUpOneIn: number;
}

/** Samples that are written for people, too. */
const shown = 2000;
/** Tokens of a known answer that are kept when a sample is cut short. */
const cutAfter = 20;
/** Answers that are copied or computed have no known end. */
const knownAnswers = new Set(["fact", "conversation", "smallTalk", "refusal", "noTool"]);

export const vocabularyFile = "vocabulary.json";
export const readVocabulary = (folder: string) =>
  JSON.parse(readFileSync(join(folder, vocabularyFile), "utf8")) as Vocabulary;

class Column {
  readonly #file: number;
  #pending: Buffer[] = [];
  #bytes = 0;

  constructor(path: string) {
    this.#file = openSync(path, "w");
  }

  append(values: Uint8Array | Uint16Array | Uint32Array): void {
    this.#pending.push(Buffer.from(values.buffer, values.byteOffset, values.byteLength));
    this.#bytes += values.byteLength;
    if (this.#bytes > 1 << 20) this.#flush();
  }

  #flush(): void {
    writeSync(this.#file, Buffer.concat(this.#pending));
    this.#pending = [];
    this.#bytes = 0;
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
  }
}

/**
 * Writes questions alone, with the number of the topic that each is about. The number behind those of the topics stands
 * for all that is to be refused.
 */
function writeQuestions(
  folder: string,
  { knowledge, questions, encoder }: { knowledge: Knowledge; questions: Questions; encoder: Encoder },
  { typedAs, lookUpOneIn }: CorpusSize,
  random: Random,
) {
  const column = (name: string) => new Column(join(folder, `question_${name}.bin`));
  const columns = { tokens: column("tokens"), starts: column("starts"), topics: column("topics") };
  const isCounted = oneIn(lookUpOneIn);
  let tokens = 0;
  columns.starts.append(Uint32Array.of(0));
  const write = (topic: number, text: string | undefined) => {
    if (text === undefined || questions.isKeptBack(text)) return;
    const ids = encoder.encode(text);
    tokens += ids.length;
    columns.tokens.append(Uint16Array.from(ids));
    columns.starts.append(Uint32Array.of(tokens));
    columns.topics.append(Uint16Array.of(topic));
  };
  const topics = [...knowledge.byId.values()];
  for (const language of languages) {
    for (const [index, topic] of topics.entries()) {
      const { asked, named, keywords } = topic[language];
      for (const wording of asked.filter(isCounted))
        for (let time = 0; time < typedAs; time++) write(index, questions.askWith(wording, topic, language, random));
      for (const text of [...named, ...keywords].filter(isCounted)) write(index, text);
    }
    const open = knowledge.open[language].asked.filter(isCounted);
    for (const wording of open)
      for (let time = 0; time < typedAs; time++)
        write(topics.length, typed(expand(wording, random), language, random, { calm: true }));
    for (let made = 0; made < open.length; made++) write(topics.length, openQuestion(language, random, false).text);
  }
  for (const each of Object.values(columns)) each.close();
}

const readable = ({ kind, segments }: Sample) =>
  JSON.stringify({ kind, text: segments.map(({ text }) => text).join("") });

/**
 * Writes the corpus of a seed into a folder: the same one for the same data, size and seed, byte for byte.
 * @param known the vocabulary of a training that goes on; else one is learned
 * @returns how many samples, tokens and wordings it has, what these are about, and a digest of what it was made of
 */
export function writeTokens(folder: string, size: CorpusSize, seed: number, known?: Vocabulary) {
  mkdirSync(folder, { recursive: true });
  const knowledge = readKnowledge();
  checkFollowUps(knowledge);
  const questions = new Questions(knowledge);
  const hintsFor = createHints(knowledge, seed, size.lookUpOneIn);
  const samplerOf = (offset: number) => new Sampler(knowledge, questions, hintsFor, new Random(seed + offset));
  const first = samplerOf(1);
  const learnedFrom = Array.from({ length: size.vocabularySamples }, () => first.sample());
  const texts = learnedFrom.flatMap(({ segments }) => segments.map(({ text }) => text));
  const vocabulary = known ?? learnPieces(texts, size.vocabulary);
  writeFileSync(join(folder, vocabularyFile), JSON.stringify(vocabulary));
  writeFileSync(join(folder, "corpus.jsonl"), learnedFrom.slice(0, shown).map(readable).join("\n"));
  const encoder = new Encoder(vocabulary);
  writeQuestions(folder, { knowledge, questions, encoder }, size, new Random(seed + 2));
  const sampler = samplerOf(0);
  const column = (name: string) => new Column(join(folder, `${name}.bin`));
  const columns = { tokens: column("tokens"), learn: column("learn"), starts: column("starts"), cuts: column("cuts") };
  const digest = createHash("sha256");
  let tokens = 0;
  let samples = 0;
  columns.starts.append(Uint32Array.of(0));
  while (samples < size.samples) {
    const { kind, segments } = sampler.sample();
    const parts = segments.map(({ text, learn }) => ({ ids: encoder.encode(text), learn }));
    const ids = parts.flatMap((part) => part.ids);
    if (ids.length > size.longest) continue;
    const answerLength = parts.at(-1)?.ids.length ?? 0;
    columns.tokens.append(Uint16Array.from(ids));
    columns.learn.append(Uint8Array.from(parts.flatMap((part) => part.ids.map(() => Number(part.learn)))));
    columns.cuts.append(Uint32Array.of(knownAnswers.has(kind) ? ids.length - answerLength + cutAfter : 0));
    digest.update(Uint16Array.from(ids));
    tokens += ids.length;
    samples++;
    columns.starts.append(Uint32Array.of(tokens));
  }
  for (const each of Object.values(columns)) each.close();
  return {
    samples,
    tokens,
    questions: countWordings(knowledge).asked,
    topics: [...knowledge.byId.keys(), openId],
    vocabulary: vocabulary.length,
    digest: digest.digest("hex"),
  };
}
