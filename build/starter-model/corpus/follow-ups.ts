/** What people ask next: "which port?", "and 404?", "and in Chinese?". */
import { z } from "zod";
import { readData } from "./data-files.ts";
import { heldOut } from "./held-out.ts";
import { languages, type Language } from "./language.ts";
import type { Random } from "./random.ts";
import type { Knowledge, Topic } from "./topics.ts";

const texts = { en: z.array(z.string()), zh: z.array(z.string()) };
const table = z
  .strictObject({
    /** Questions that lead from any of some facts to another one. */
    after: z.array(z.strictObject({ from: z.array(z.string()), to: z.string(), ...texts })),
    /** Facts of one kind with what each is about: "and {x}?" leads from one to another. */
    families: z.record(z.string(), z.array(z.tuple([z.string(), z.string()]))),
    and: z.strictObject(texts),
    inTheOther: z.strictObject(texts),
    again: z.strictObject(texts),
  })
  .parse(JSON.parse(readData("corpus/follow-ups.json")));
const families = Object.values(table.families);

export interface FollowUp {
  readonly question: string;
  readonly topic: Topic;
  /** Of the answer. */
  readonly language: Language;
}

/** Draws from the wordings to learn from, or from those that were kept back; undefined where there is none. */
function draw(list: readonly string[], random: Random, held: boolean): string | undefined {
  const allowed = list.filter((text) => heldOut("follow-up", text, 6) === held);
  return allowed.length > 0 ? random.pick(allowed) : undefined;
}

export const otherLanguage = (language: Language): Language =>
  languages.find((other) => other !== language) ?? language;

/** A question that makes sense only after one about a topic; undefined where none was kept back. */
export function followUp(
  { byId }: Knowledge,
  topic: Topic,
  language: Language,
  random: Random,
  held: boolean,
): FollowUp | undefined {
  const find = (id: string) => byId.get(id) ?? topic;
  const options: FollowUp[] = [];
  const offer = (question: string | undefined, to: Topic, answered: Language) => {
    if (question !== undefined) options.push({ question, topic: to, language: answered });
  };
  for (const { from, to, ...wordings } of table.after)
    if (from.includes(topic.id) && to !== topic.id) offer(draw(wordings[language], random, held), find(to), language);
  const family = families.find((members) => members.some(([id]) => id === topic.id));
  if (family !== undefined) {
    const [id, about] = random.pick(family.filter(([other]) => other !== topic.id));
    offer(draw(table.and[language], random, held)?.replace("{x}", about), find(id), language);
  }
  offer(draw(table.inTheOther[language], random, held), topic, otherLanguage(language));
  if (!held && random.chance(0.3)) offer(random.pick(table.again[language]), topic, language);
  return options.length > 0 ? random.pick(options) : undefined;
}

/** @throws Error for a fact that is not there */
export function checkFollowUps({ byId }: Knowledge): void {
  const named = [...table.after.flatMap(({ from, to }) => [...from, to]), ...families.flat().map(([id]) => id)];
  for (const id of named) if (!byId.has(id)) throw new Error(`follow-ups.json: no fact is called ${id}`);
}
