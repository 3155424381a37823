/** Small exercises: upper case, counting, sums, copying, names, and the product's terms in the other language. */
import { z } from "zod";
import { readData } from "../corpus/data-files.ts";
import type { Language } from "../corpus/language.ts";
import type { Random } from "../corpus/random.ts";
import { askedOnly, fill, templatesSchema, type Task } from "./task.ts";
import { inventedName, phrase, valueOf } from "./values.ts";

const kinds = ["upperCase", "counting", "countUp", "sums", "repeating", "translating", "names"] as const;
type Kind = (typeof kinds)[number];

const { templates, introductions } = z
  .strictObject({
    templates: z.record(z.enum(kinds), z.strictObject({ en: templatesSchema, zh: templatesSchema })),
    introductions: z.strictObject({ en: z.array(z.string()), zh: z.array(z.string()) }),
  })
  .parse(JSON.parse(readData("skills/exercises.json")));
const terms = z
  .array(z.strictObject({ en: z.string(), zh: z.string() }))
  .parse(JSON.parse(readData("skills/terms.json")));

type Exercise = (language: Language, random: Random, held: boolean) => Task;

function draw(kind: Kind, language: Language, random: Random, held: boolean): string {
  const { asked, judgedBy } = templates[kind][language];
  return random.pick(held ? judgedBy : asked);
}

interface Made {
  /** What the template has places for. */
  readonly values: Readonly<Record<string, string>>;
  readonly answer: string;
}

const exercise = (kind: Kind, name: string, make: (language: Language, random: Random) => Made): Exercise => {
  return (language, random, held) => {
    const { values, answer } = make(language, random);
    const question = fill(draw(kind, language, random, held), values);
    return { kind: name, language, conversation: askedOnly(question), answer, expected: { text: answer } };
  };
};

const upperCase = exercise("upperCase", "upper case", (_, random) => {
  const word = () => String(valueOf("word", "en", random)).toLowerCase();
  const text = Array.from({ length: random.between(1, 3) }, word).join(" ");
  return { values: { text }, answer: text.toUpperCase() };
});

const counting = exercise("counting", "counting", (language, random) => {
  const count = random.between(1, 10);
  const items = Array.from({ length: count }, () => String(valueOf("thing", language, random)));
  return { values: { list: items.join(language === "en" ? ", " : "、") }, answer: String(count) };
});

const countUp = exercise("countUp", "counting to", (_, random) => {
  const last = random.between(2, 10);
  const numbers = Array.from({ length: last }, (_one, index) => index + 1);
  return { values: { last: String(last) }, answer: numbers.join(", ") };
});

const sums = exercise("sums", "sums", (_, random) => {
  const most = random.chance(0.7) ? 10 : 19;
  const [a, b] = [random.between(0, most), random.between(0, most)];
  return { values: { a: String(a), b: String(b) }, answer: `${a} + ${b} = ${a + b}` };
});

const repeating = exercise("repeating", "repeating", (language, random) => {
  const words = random.between(1, 8);
  const text = random.chance(0.2) ? String(valueOf("id", language, random)) : phrase(language, random, words);
  return { values: { text }, answer: text };
});

const translating = exercise("translating", "terms", (language, random) => {
  const { en, zh } = random.pick(terms);
  return language === "en"
    ? { values: { from: `"${en}"`, to: "Chinese" }, answer: zh }
    : { values: { from: `“${zh}”`, to: "英文" }, answer: en };
});

/** A name that is told first and asked for later. */
const names: Exercise = (language, random, held) => {
  const name = random.chance(0.5) ? inventedName(language, random) : String(valueOf("person", language, random));
  const [hello, answer] =
    language === "en"
      ? [`Nice to meet you, ${name}!`, `Your name is ${name}.`]
      : [`很高兴认识你，${name}！`, `你叫${name}。`];
  const messages = [
    { role: "user", content: fill(random.pick(introductions[language]), { name }) },
    { role: "assistant", content: hello },
    { role: "user", content: draw("names", language, random, held) },
  ] as const;
  return { kind: "names", language, conversation: { messages }, answer, expected: { text: answer } };
};

export const exercises = { upperCase, counting, countUp, sums, repeating, translating, names };
