/** What the model is judged by beside the independent questions: nothing of it was there to learn from. */
import { exercises } from "../skills/exercises.ts";
import { extractionTask } from "../skills/extraction.ts";
import { openQuestion, refusalParts } from "../skills/open-domain.ts";
import { askedOnly, type Task } from "../skills/task.ts";
import { someTools, toolTask } from "../skills/tool-tasks.ts";
import { followUp } from "./follow-ups.ts";
import { languages, type Language } from "./language.ts";
import type { Questions } from "./questions.ts";
import type { Random } from "./random.ts";
import { instructed } from "./system-prompts.ts";
import type { Knowledge, Topic } from "./topics.ts";

/** How many there are of each kind and language, at most. */
export interface Counts {
  readonly facts: number;
  /** Wordings of each fact. */
  readonly wordings: number;
  readonly others: number;
  /** Further tool calls: few templates were kept back, and a hundred calls say little about all that is made of them. */
  readonly calls: number;
}

const times = <Made>(count: number, make: () => Made | undefined): Made[] =>
  Array.from({ length: count }, make).filter((made) => made !== undefined);

/** One question after another, the same ones for the same seed. */
export function heldOutTasks(knowledge: Knowledge, questions: Questions, random: Random, counts: Counts): Task[] {
  const tasks = languages.flatMap((language) => tasksIn(language, knowledge, questions, random, counts));
  const calls = languages.flatMap((language) => times(counts.calls, () => toolCall(language, random)));
  return [...tasks, ...calls];
}

const toolCall = (language: Language, random: Random) => toolTask(language, random, { held: true, answered: false });

function tasksIn(
  language: Language,
  knowledge: Knowledge,
  questions: Questions,
  random: Random,
  { facts: mostFacts, wordings, others }: Counts,
): Task[] {
  const { facts, smallTalk, open } = knowledge;
  const about = (kind: string, topic: Topic, questionsOf: readonly string[]): Task[] => {
    const { answer, must } = topic[language];
    const expected = { parts: must };
    return questionsOf.map((text) => ({ kind, language, conversation: askedOnly(text), answer, expected }));
  };
  const judged = (topic: Topic, most = 1) => questions.judge(topic, language, random, most);
  const refusal = (): Task => {
    const written = open[language].judgedBy;
    const { text } =
      written.length > 0 && random.chance(0.5) ? { text: random.pick(written) } : openQuestion(language, random, true);
    const parts = refusalParts[language];
    return { kind: "refusal", language, conversation: askedOnly(text), answer: "", expected: { parts } };
  };
  const follow = (): Task | undefined => {
    const topic = random.pick(facts);
    const next = followUp(knowledge, topic, language, random, true);
    if (next === undefined) return undefined;
    const { answer, must } = next.topic[next.language];
    const messages = [
      { role: "user", content: questions.ask(topic, language, random) },
      { role: "assistant", content: topic[language].answer },
      { role: "user", content: next.question },
    ] as const;
    return { kind: "follow-up", language, conversation: { messages }, answer, expected: { parts: must } };
  };
  const obedient = (): Task => {
    const topic = random.pick(facts);
    const { system, answer, parts } = instructed(topic, language, random, true);
    const conversation = { system, ...askedOnly(questions.ask(topic, language, random)) };
    return { kind: "system prompt", language, conversation, answer, expected: { parts } };
  };
  const unfit = (): Task | undefined => {
    const topic = random.pick(facts);
    const [task] = about("no tool fits", topic, judged(topic));
    return task && { ...task, conversation: { ...task.conversation, tools: someTools(random) } };
  };
  const asked = random.sample(facts, Math.min(mostFacts, facts.length));
  return [
    ...asked.flatMap((topic) => about("fact", topic, judged(topic, wordings))),
    ...random
      .sample(facts, others)
      .flatMap((topic) => about("fact by name", topic, questions.judgeByName(topic, language, random))),
    ...random.sample(smallTalk, others).flatMap((topic) => about("small talk", topic, judged(topic))),
    ...times(2 * others, refusal),
    ...times(others, follow),
    ...times(others, obedient),
    ...times(others, () => toolCall(language, random)),
    ...times(Math.ceil(others / 2), () => toolTask(language, random, { held: true, answered: true })),
    ...times(Math.ceil(others / 2), unfit),
    ...times(others, () => extractionTask(language, random, true)),
    ...Object.values(exercises).flatMap((make) => times(Math.ceil(others / 4), () => make(language, random, true))),
  ];
}
