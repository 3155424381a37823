/** Questions about all the rest, and the honest refusal of each. */
import { z } from "zod";
import { readData, readLines } from "../corpus/data-files.ts";
import { heldOut } from "../corpus/held-out.ts";
import { languages, type Language } from "../corpus/language.ts";
import { expand } from "../corpus/patterns.ts";
import type { Random } from "../corpus/random.ts";
import { inventedName } from "./values.ts";

const textsSchema = z.strictObject({ en: z.string(), zh: z.string() });
const refusals = z.record(z.string(), textsSchema).parse(JSON.parse(readData("open-domain/refusals.json")));
const wordsSchema = z.record(z.enum(languages), z.record(z.string(), z.array(z.string())));
const words = wordsSchema.parse(JSON.parse(readData("open-domain/words.json")));
const templates = readLines(
  "open-domain/templates.jsonl",
  z.strictObject({ kind: z.string(), lang: z.enum(languages), text: z.string() }),
);

export interface OpenQuestion {
  readonly text: string;
  readonly answer: string;
}

/** What every refusal names, whatever it refuses. */
export const refusalParts = { en: ["starter model", "hearth pull"], zh: ["入门模型", "hearth pull"] };

/** @throws RangeError for a kind that has no refusal */
export function refusalOf(kind: string, language: Language): string {
  const texts = refusals[kind];
  if (texts === undefined) throw new RangeError(`no refusal is called ${kind}`);
  return texts[language];
}

/** A calculation beyond the small sums. */
function calculation(language: Language, random: Random): string {
  const [a, b] = [random.between(20, 9999), random.between(2, 999)];
  const sign = random.pick([
    "-",
    "*",
    "/",
    "x",
    ...(language === "en" ? ["times", "divided by", "minus"] : ["乘以", "除以", "减"]),
  ]);
  const texts =
    language === "en"
      ? [
          `what is ${a} ${sign} ${b}`,
          `calculate ${a} ${sign} ${b}`,
          `${a} ${sign} ${b}`,
          `what is ${a} + ${b}`,
          `what is the square root of ${a}`,
          `solve x + ${b} = ${a}`,
          `${b % 90} percent of ${a}`,
          `is ${a} a prime number`,
          `what is the factorial of ${b % 40}`,
        ]
      : [
          `${a} ${sign} ${b} 等于多少`,
          `计算 ${a} ${sign} ${b}`,
          `${a} ${sign} ${b}`,
          `${a} + ${b} 是多少`,
          `${a} 的平方根是多少`,
          `解方程 x + ${b} = ${a}`,
          `${a} 的百分之 ${b % 90} 是多少`,
          `${a} 是素数吗`,
          `${b % 40} 的阶乘是多少`,
        ];
  return random.pick(texts);
}

const inventible = new Set(["person", "place", "science", "food", "feature"]);

/** Fills a template with words to learn from, or with some that were kept back. */
function filled(template: string, language: Language, random: Random, held: boolean): string {
  return expand(template, random).replace(/\{(\w+)\}/g, (_, kind: string) => {
    if (!held && inventible.has(kind) && random.chance(0.2)) return inventedName(language, random);
    const list = words[language][kind] ?? [];
    const allowed = list.filter((word) => heldOut(kind, word) === held);
    return random.pick(allowed.length > 0 ? allowed : list);
  });
}

const isHeldTemplate = ({ text }: { text: string }) => heldOut("open-domain", text);
const kinds = ["general", "general", "general", "general", "general", "code", "medical", "news", "writing", "hearth"];
/** What none of the tools that are trained could answer. */
export const beyondTools = ["general", "code", "medical"];

/** A question that the model cannot answer. A held one has a template that was kept back, or a known one about something new. */
export function openQuestion(
  language: Language,
  random: Random,
  held: boolean,
  among: readonly string[] = kinds,
): OpenQuestion {
  if (among === kinds && random.chance(0.07))
    return { text: calculation(language, random), answer: refusalOf("maths", language) };
  const kind = random.pick(among);
  const fitting = templates.filter((template) => template.kind === kind && template.lang === language);
  const kept = fitting.filter(isHeldTemplate);
  const useKept = held && kept.length > 0 && random.chance(0.5);
  const { text } = random.pick(useKept ? kept : fitting.filter((template) => !isHeldTemplate(template)));
  return { text: filled(text, language, random, held), answer: refusalOf(kind, language) };
}
