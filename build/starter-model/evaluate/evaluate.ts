/** Asks a model everything that it is judged by, through the real model service and the real engine. */
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { heldOutTasks, type Counts } from "../corpus/held-out-tasks.ts";
import { plainForm, type Language } from "../corpus/language.ts";
import { readings } from "../corpus/patterns.ts";
import { Questions } from "../corpus/questions.ts";
import { Random } from "../corpus/random.ts";
import { readKnowledge, type Knowledge } from "../corpus/topics.ts";
import type { Task } from "../skills/task.ts";
import { answersAlsoRight } from "./also-right.ts";
import { ask, type Model } from "./ask.ts";
import { independentTasks } from "./independent.ts";
import { openModel } from "./open-model.ts";
import { holdsAll, judge, type Verdict } from "./judge.ts";
import { recallAtOne } from "./recall.ts";

/** How much is asked. */
export interface Extent {
  readonly counts: Counts;
  readonly independent: number;
  readonly mostTokens: number;
  /** The confidence below which the service refuses, as it does for everybody. */
  readonly least: number;
  /** Topics of which is found out whether the model knows them. */
  readonly topics: number;
  /** Questions among which each has to find its paraphrase. */
  readonly pairs: number;
}
export interface Result {
  readonly kind: string;
  readonly language: Language;
  readonly verdict: Verdict;
  /** The verdict where only the answer counts that the question was written for. */
  readonly strict: Verdict;
  readonly asked: string;
  readonly answer: string;
  readonly expected: string;
}
export interface Evaluation {
  readonly results: readonly Result[];
  readonly recall: Readonly<Record<Language, { right: number; of: number }>>;
  readonly speed: { readonly loadMs: number; readonly firstMs: number; readonly tokensPerSecond: number };
  readonly bytes: number;
  /** Independent questions that happen to be among those that the model learns from, word for word. */
  readonly learned: number;
}

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** How long a load takes when the file has been read before. */
async function loadMs({ url, name }: Model): Promise<number> {
  const post = async (path: string, body: object) => {
    const reply = await fetch(`${url}${path}`, { method: "POST", body: JSON.stringify({ model: name, ...body }) });
    if (!reply.ok) throw new Error(`the model does not load: ${await reply.text()}`);
    return (await reply.json()) as { load_duration: number };
  };
  // Behind a system message nothing is looked up, which would load the model before.
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "hi" },
  ];
  const hello = { messages, stream: false };
  await post("/api/chat", { ...hello, keep_alive: 0 });
  const { load_duration: nanoseconds } = await post("/api/chat", hello);
  return nanoseconds / 1e6;
}

/** How many of some questions are, word for word, among those that the model learns from. */
function learnedFrom({ byId, open }: Knowledge, tasks: readonly Task[]): number {
  const asked = [...byId.values()].flatMap(({ en, zh }) => [...en.asked, ...zh.asked]);
  const all = [...asked, ...open.en.asked, ...open.zh.asked];
  const known = new Set(all.flatMap((text) => readings(text)).map(plainForm));
  return tasks.filter(({ conversation }) => known.has(plainForm(conversation.messages.at(-1)?.content ?? ""))).length;
}

/**
 * @param report told how many of how many questions have been asked
 * @throws Error when the model cannot be loaded
 */
export async function evaluate(
  file: string,
  folder: string,
  { counts, independent: mostIndependent, mostTokens, least, pairs }: Extent,
  seed: number,
  report: (done: number, of: number) => void,
): Promise<Evaluation> {
  const knowledge = readKnowledge();
  const random = new Random(seed);
  const independent = random.sample(independentTasks(knowledge), mostIndependent);
  const tasks = [...independent, ...heldOutTasks(knowledge, new Questions(knowledge), random, counts)];
  await using model = await openModel(file, least);
  const load = await loadMs(model);
  const results: Result[] = [];
  const alsoRight = answersAlsoRight(knowledge);
  const speeds: { firstMs: number; tokensPerSecond: number }[] = [];
  for (const { kind, language, conversation, answer, expected, schema } of tasks) {
    const reply = await ask(model, { conversation, schema, mostTokens });
    speeds.push(reply);
    const asked = conversation.messages.at(-1)?.content ?? "";
    const strict = judge(expected, language, reply);
    const others = kind === "fact" ? alsoRight(language, asked) : [];
    results.push({
      kind,
      language,
      verdict: others.some((parts) => holdsAll(reply.text, parts)) ? "right" : strict,
      strict,
      asked,
      answer: reply.text + reply.calls.map((call) => JSON.stringify(call)).join(""),
      expected: answer,
    });
    report(results.length, tasks.length);
  }
  const recall = {
    en: await recallAtOne(model, knowledge, "en", random, pairs),
    zh: await recallAtOne(model, knowledge, "zh", random, pairs),
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "answers.jsonl"), results.map((result) => JSON.stringify(result)).join("\n"));
  return {
    results,
    recall,
    speed: {
      loadMs: load,
      firstMs: middle(speeds.map((speed) => speed.firstMs)),
      tokensPerSecond: middle(speeds.map((speed) => speed.tokensPerSecond)),
    },
    bytes: statSync(file).size,
    learned: learnedFrom(knowledge, independent),
  };
}
