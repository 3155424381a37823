/** The steps from nothing to a model. Each can be repeated: what is there already is kept. */
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { starterConfidence } from "../../server/model/starter/starter.ts";
import { packTopics, packVector, topicsFile, topicsIn, type Topic } from "../../server/model/starter/topics.ts";
import { oneIn, shippedTopics } from "./corpus/topic-terms.ts";
import { readKnowledge } from "./corpus/topics.ts";
import { readVocabulary, writeTokens, type CorpusSize } from "./corpus/write-tokens.ts";
import type { Extent } from "./evaluate/evaluate.ts";
import { noteKnown } from "./evaluate/known-topics.ts";
import { openModel } from "./evaluate/open-model.ts";
import type { Making } from "./evaluate/card.ts";
import { readModel } from "./gguf/read-model.ts";
import { shapeOf, writeModel, type Shape } from "./gguf/write-model.ts";
import type { Vocabulary } from "./tokenizer/vocabulary.ts";

export interface Plan {
  readonly corpus: CorpusSize;
  readonly shape: Omit<Shape, "vocabulary">;
  /** How many are learned from, repetitions included. */
  readonly tokens: number;
  /** How many at a step; absent: as many as suit the machine. */
  readonly batch?: number;
  readonly judged: Extent;
}

export const wholePlan: Plan = {
  corpus: {
    samples: 900_000,
    vocabularySamples: 60_000,
    vocabulary: 6144,
    longest: 512,
    typedAs: 4,
    lookUpOneIn: 1,
  },
  shape: { width: 320, layers: 7, heads: 10, key_heads: 2, feed_forward: 864, context: 2048 },
  tokens: 322_000_000,
  judged: {
    counts: { facts: Infinity, wordings: 3, others: 80, calls: 320 },
    independent: Infinity,
    mostTokens: 200,
    least: starterConfidence,
    topics: Infinity,
    pairs: 200,
  },
};
/** All that the whole plan does, with a model that learns next to nothing. */
export const smokePlan: Plan = {
  corpus: { samples: 1500, vocabularySamples: 600, vocabulary: 1500, longest: 512, typedAs: 1, lookUpOneIn: 240 },
  shape: { width: 64, layers: 2, heads: 2, key_heads: 1, feed_forward: 96, context: 2048 },
  tokens: 40_000,
  batch: 2048,
  judged: {
    counts: { facts: 4, wordings: 1, others: 2, calls: 1 },
    independent: 4,
    mostTokens: 12,
    least: 0.7,
    topics: 20,
    pairs: 8,
  },
};

export const seed = 20;
const versionOf = (digest: string) => `1-${digest.slice(0, 8)}`;

type Trained = Making["trained"];

/** A model whose weights a training begins with. */
interface Earlier {
  /** Where the weights begin in it. */
  readonly firstByte: number;
  readonly trained: Trained;
}

interface Made {
  readonly plan: CorpusSize;
  readonly samples: number;
  readonly tokens: number;
  readonly vocabulary: number;
  readonly digest: string;
  /** The wordings that it was made of. */
  readonly questions: number;
  /** What these are about, by id, in the order of the vectors that training learns for them. */
  readonly topics: readonly string[];
  /** How often a training went on with a corpus made anew. */
  readonly renewed: number;
  /** Absent where it began with random weights. */
  readonly earlier?: Earlier;
}

const corpusOf = (folder: string) => JSON.parse(readFileSync(join(folder, "corpus.json"), "utf8")) as Made;

/** Beside a model: how it was made, for its card. */
const madeFile = "made.json";
export const madeOf = (file: string) => JSON.parse(readFileSync(join(dirname(file), madeFile), "utf8")) as Making;

/** In a work folder: the model that its training has begun with, as it was then. */
const earlierFile = "earlier.gguf";

type Beginning = Pick<Made, "renewed" | "earlier"> & { readonly vocabulary: Vocabulary };

/** Begins a work folder with a model that there is. */
async function beginWith(file: string, folder: string): Promise<Beginning> {
  copyFileSync(file, join(folder, earlierFile));
  const { vocabulary, firstByte } = await readModel(file);
  const { corpus, trained } = madeOf(file);
  return { vocabulary, renewed: corpus.renewed + 1, earlier: { firstByte, trained } };
}

/**
 * Writes corpus and vocabulary. Those of a run that has begun stay, whatever has changed since, unless they are to be
 * renewed: then the vocabulary alone stays, and training goes on with what is there to learn now. Where none has begun, it
 * goes on from a model that there is.
 * @param renewed the model to go on from
 */
export async function makeCorpus(folder: string, { corpus, shape }: Plan, renewed?: string): Promise<Made> {
  const record = join(folder, "corpus.json");
  const begun = existsSync(record) ? corpusOf(folder) : undefined;
  if (begun && renewed === undefined) return begun;
  mkdirSync(folder, { recursive: true });
  let beginning: Beginning | undefined;
  if (begun) beginning = { ...begun, vocabulary: readVocabulary(folder), renewed: begun.renewed + 1 };
  else if (renewed !== undefined) beginning = await beginWith(renewed, folder);
  const made: Made = {
    plan: corpus,
    ...writeTokens(folder, corpus, seed, beginning?.vocabulary),
    renewed: beginning?.renewed ?? 0,
    ...(beginning?.earlier && { earlier: beginning.earlier }),
  };
  writeFileSync(join(folder, "shape.json"), JSON.stringify({ ...shape, vocabulary: made.vocabulary }));
  writeFileSync(record, JSON.stringify(made));
  return made;
}

export interface Progress {
  readonly event: "progress" | "resumed" | "stopped" | "done";
  readonly step: number;
  readonly tokens: number;
  readonly of_tokens: number;
  readonly seconds: number;
  readonly loss: number;
  readonly device: string;
}

const pythons = ["python3", "/usr/bin/python3"];

/** Looks for the packages without loading them, which takes seconds. */
const lookForTorch = "import sys; from importlib.util import find_spec as f; sys.exit(not (f('torch') and f('numpy')))";

function hasTorch(python: string): Promise<boolean> {
  const child = spawn(python, ["-c", lookForTorch], { stdio: "ignore" });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}

/** @throws Error naming the packages, where no Python has PyTorch */
export async function findPython(): Promise<string> {
  for (const python of pythons) if (await hasTorch(python)) return python;
  throw new Error(
    "no Python here has PyTorch: apt-get install -y --no-install-recommends python3-torch python3-numpy libopenblas0-openmp",
  );
}

/**
 * Trains until the plan's tokens are learned; goes on where a run has stopped.
 * @returns whether it is done: a run that was ended has saved what it has
 * @throws Error when the trainer fails
 */
export async function train(
  python: string,
  folder: string,
  { tokens, batch }: Pick<Plan, "tokens" | "batch">,
  threads: number,
  report: (progress: Progress) => void,
): Promise<boolean> {
  const script = join(import.meta.dirname, "train/train.py");
  const { earlier } = corpusOf(folder);
  const args = [
    ...["--work", folder, "--tokens", String(tokens), "--threads", String(threads)],
    ...(batch === undefined ? [] : ["--batch", String(batch)]),
    ...(earlier ? ["--weights", join(folder, earlierFile), "--first-byte", String(earlier.firstByte)] : []),
  ];
  const child = spawn(python, [script, ...args, "--seed", String(seed)], {
    stdio: ["ignore", "pipe", "inherit"],
    // Threads that spin while they wait would take the time of the others.
    env: { ...process.env, OMP_WAIT_POLICY: "passive", PYTHONDONTWRITEBYTECODE: "1" },
  });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  process.once("SIGTERM", pass).once("SIGINT", pass);
  let last: Progress | undefined;
  createInterface({ input: child.stdout }).on("line", (line) => {
    last = JSON.parse(line) as Progress;
    report(last);
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  process.off("SIGTERM", pass).off("SIGINT", pass);
  if (code !== 0) throw new Error(`training ended with code ${code}`);
  return last?.event === "done";
}

/** How far training is, that of an earlier model included. */
function trainedOf(folder: string): Trained {
  const state = JSON.parse(readFileSync(join(folder, "state.json"), "utf8")) as Progress;
  const { tokens, steps, seconds } = corpusOf(folder).earlier?.trained ?? { tokens: 0, steps: 0, seconds: 0 };
  const { device } = state;
  return { tokens: tokens + state.tokens, steps: steps + state.step, seconds: seconds + state.seconds, device };
}

const writeTopics = (file: string, topics: readonly Topic[]) =>
  writeFileSync(join(dirname(file), topicsFile), packTopics(topics));

/** The vectors of topics by id. */
type TopicVectors = ReadonlyMap<string, string>;

/** Those that training has learned. */
export function learnedVectors(folder: string): TopicVectors {
  const { topics } = corpusOf(folder);
  const bytes = readFileSync(join(folder, "topics.bin"));
  const { width } = shapeOf(folder);
  const vectorAt = (index: number) =>
    Array.from({ length: width }, (_, place) => bytes.readFloatLE(4 * (index * width + place)));
  return new Map(topics.map((id, index) => [id, packVector(vectorAt(index))]));
}

/** Those that are beside a model. */
export async function shippedVectors(file: string): Promise<TopicVectors> {
  const { all } = await topicsIn(join(dirname(file), topicsFile))();
  return new Map(all.flatMap(({ id, vector }) => (vector === undefined ? [] : [[id, vector]])));
}

/** Writes the topics that the service looks up, beside the model's file: those that the wordings as they are now lead to. */
export async function writeLookUp(file: string, { corpus, judged }: Plan, vectors: TopicVectors): Promise<void> {
  const knowledge = readKnowledge();
  const topics = shippedTopics(knowledge, seed, vectors, oneIn(corpus.lookUpOneIn));
  await using model = await openModel(file, judged.least);
  // The service reads them when it is first asked a question.
  writeTopics(file, topics);
  writeTopics(file, await noteKnown(model, topics, knowledge, judged));
}

/** Writes the GGUF file of what has been trained so far. @returns how it was made */
export function makeModel(folder: string, file: string): Making {
  const { digest, samples, tokens, questions, renewed, earlier } = corpusOf(folder);
  const version = versionOf(digest);
  const bytes = writeModel(folder, readVocabulary(folder), file, version);
  const corpus = { samples, tokens, questions, renewed };
  const averaged = earlier !== undefined;
  const made = { version, seed, shape: shapeOf(folder), corpus, trained: trainedOf(folder), averaged, bytes };
  writeFileSync(join(dirname(file), madeFile), JSON.stringify(made, undefined, 2));
  return made;
}
