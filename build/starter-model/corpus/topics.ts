/** What the model can say: facts about Hearth and small talk, with the questions that lead to each. */
import { z } from "zod";
import { dataFiles, readLines } from "./data-files.ts";
import { languages, type Language } from "./language.ts";
import { heldOut } from "./held-out.ts";

const sideSchema = z.strictObject({
  answer: z.string().min(1),
  /** What a right answer contains. */
  must: z.array(z.string().min(1)).min(1),
  /** Noun phrases for what it is about. */
  named: z.array(z.string().min(1)),
});
const answerSchema = z.strictObject({ id: z.string(), en: sideSchema, zh: sideSchema });
const keywordsSchema = z.strictObject({ fact: z.string(), en: z.array(z.string()), zh: z.array(z.string()) });
const questionSchema = z.strictObject({ fact: z.string(), lang: z.enum(languages), text: z.string().min(1) });

interface Side extends z.infer<typeof sideSchema> {
  /** Questions, in which `(a|b)` is a choice: those to learn from, and those to be judged by. */
  readonly asked: string[];
  readonly judgedBy: string[];
  /** Words and short phrases that, in a question, speak for it: only to learn from. */
  readonly keywords: readonly string[];
}
export interface Topic {
  readonly id: string;
  /** Its file: `payments`, `login`, or `small-talk`. */
  readonly area: string;
  readonly en: Side;
  readonly zh: Side;
}

type Keywords = ReadonlyMap<string, Readonly<Record<Language, readonly string[]>>>;

const readKeywords = (): Keywords =>
  new Map(
    dataFiles("keywords").flatMap(({ path }) =>
      readLines(path, keywordsSchema).map(({ fact, ...keywords }) => [fact, keywords]),
    ),
  );

function readTopics(path: string, area: string, keywordsOf: Keywords): Topic[] {
  return readLines(path, answerSchema).map(({ id, en, zh }) => {
    for (const { answer, must } of [en, zh])
      for (const part of must) if (!answer.includes(part)) throw new Error(`${path}: ${id} lacks "${part}"`);
    const side = (language: Language, told: z.infer<typeof sideSchema>): Side => ({
      ...told,
      asked: [],
      judgedBy: [],
      keywords: keywordsOf.get(id)?.[language] ?? [],
    });
    return { id, area, en: side("en", en), zh: side("zh", zh) };
  });
}

export interface Knowledge {
  readonly facts: readonly Topic[];
  readonly smallTalk: readonly Topic[];
  readonly byId: ReadonlyMap<string, Topic>;
  /** Questions about all the rest, as people have written them. */
  readonly open: Readonly<Record<Language, { asked: string[]; judgedBy: string[] }>>;
}

/** The name under which `wordings/open.jsonl` has what is to be refused. */
export const openId = "open";

let known: Knowledge | undefined;
/**
 * Facts, small talk and their 200,000 questions, read once. Each wording is held out as a whole or not at all, before
 * anything is made of it.
 * @throws Error for a question about an unknown fact, for an id that is there twice, and for a fact without a question
 */
export const readKnowledge = (): Knowledge => (known ??= read());

function read(): Knowledge {
  const keywordsOf = readKeywords();
  const facts = dataFiles("facts").flatMap(({ name, path }) => readTopics(path, name, keywordsOf));
  const smallTalk = readTopics("small-talk.jsonl", "small-talk", keywordsOf);
  const byId = new Map([...facts, ...smallTalk].map((topic) => [topic.id, topic]));
  if (byId.size < facts.length + smallTalk.length) throw new Error("two facts have the same id");
  for (const fact of keywordsOf.keys()) if (!byId.has(fact)) throw new Error(`keywords: no fact is called ${fact}`);
  const open = { en: { asked: [], judgedBy: [] }, zh: { asked: [], judgedBy: [] } } as Record<
    Language,
    { asked: string[]; judgedBy: string[] }
  >;
  for (const { path } of [...dataFiles("phrasings"), ...dataFiles("wordings")])
    for (const { fact, lang, text } of readLines(path, questionSchema)) {
      const side = fact === openId ? open[lang] : byId.get(fact)?.[lang];
      if (side === undefined) throw new Error(`${path}: no fact is called ${fact}`);
      (heldOut(fact, text) ? side.judgedBy : side.asked).push(text);
    }
  for (const { id, en, zh } of byId.values())
    for (const { asked, named } of [en, zh])
      if (asked.length + named.length === 0) throw new Error(`nobody asks for ${id}`);
  return { facts, smallTalk, byId, open };
}
