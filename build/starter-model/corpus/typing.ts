/** How people type a question: politeness, other words for the same, case, typos, punctuation. */
import { z } from "zod";
import { readData } from "./data-files.ts";
import { languages, type Language } from "./language.ts";
import type { Random } from "./random.ts";

const tableSchema = z.strictObject({
  before: z.array(z.string()),
  scene: z.array(z.string()),
  after: z.array(z.string()),
  /** Words that may stand for others without changing what is asked; `not`: the longer word that is another one. */
  swaps: z.array(z.strictObject({ find: z.array(z.string()), say: z.array(z.string()), not: z.string().optional() })),
});
const tables = z.record(z.enum(languages), tableSchema).parse(JSON.parse(readData("corpus/paraphrases.json")));

const swaps = (language: Language) =>
  tables[language].swaps.map(({ find, say, not }) => {
    const words = find.join("|");
    return { pattern: new RegExp(language === "en" ? `\\b(?:${words})\\b` : `(?:${words})`), say, not };
  });
const swapsOf = { en: swaps("en"), zh: swaps("zh") };

function reworded(text: string, language: Language, random: Random): string {
  let result = text;
  for (const { pattern, say, not } of swapsOf[language]) {
    if (!random.chance(0.3)) continue;
    result = result.replace(pattern, (found: string, at: number) =>
      not !== undefined && result.startsWith(not, at) ? found : random.pick(say),
    );
  }
  return result;
}

/** Gives words the spelling that they have in the answer, as a careful user types them. */
function inProperCase(text: string, answer: string): string {
  const spellings = [...answer.matchAll(/[A-Za-z]\w+/g)]
    .map(([word]) => word)
    .filter((word) => /\w[A-Z]|^Hearth$/.test(word));
  const bySmall = new Map(spellings.map((word) => [word.toLowerCase(), word]));
  return text.replace(/(?<![/\w.])[A-Za-z]\w+/g, (word) => bySmall.get(word.toLowerCase()) ?? word);
}

function withTypo(text: string, random: Random): string {
  const words = text.split(" ");
  const long = [...words.keys()].filter((index) => /^[a-z]{4,}$/i.test(words[index] ?? ""));
  if (long.length === 0) return text;
  const index = random.pick(long);
  const word = words[index] ?? "";
  const at = random.between(1, word.length - 2);
  const [start, letter, end] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  words[index] = random.pick([
    start + end.charAt(0) + letter + end.slice(1),
    start + end,
    start + letter + letter + end,
    start + random.pick([..."etaoinshr"]) + end,
  ]);
  return words.join(" ");
}

const smallWords = new Set(["the", "a", "an", "do", "does", "is", "are", "of", "to", "i"]);
/** Small words alone stay as they are. */
const withoutSmallWords = (text: string, random: Random) =>
  text
    .split(" ")
    .filter((word) => !smallWords.has(word.toLowerCase()) || random.chance(0.4))
    .join(" ") || text;

function inSomeCase(text: string, random: Random): string {
  const draw = random.next();
  if (draw < 0.5) return text.charAt(0).toUpperCase() + text.slice(1);
  if (draw < 0.53) return text.toUpperCase();
  return draw < 0.68 ? text.toLowerCase() : text;
}

function typedEnglish(question: string, random: Random, calm: boolean): string {
  let text = question;
  if (random.chance(0.06)) text = withoutSmallWords(text, random);
  if (!calm && random.chance(0.16)) text = withTypo(text, random);
  return inSomeCase(text, random) + random.pick(["?", "?", "?", "?", "?", "", "", "", ".", "??"]);
}

function typedChinese(question: string, random: Random): string {
  let text = question;
  if (random.chance(0.3)) text = text.replace(/ ?([\w/:]+) ?/g, "$1");
  if (random.chance(0.05)) {
    const at = random.below(text.length);
    if (!/\w/.test(text.charAt(at))) text = text.slice(0, at) + text.slice(at + 1);
  }
  return text + random.pick(["？", "？", "？", "？", "?", "", "", "", "。"]);
}

export interface TypingOptions {
  /** The answer, whose spellings a careful user knows; without it words are not replaced by others either. */
  readonly answer?: string;
  /** Leaves out what may change a short text's sense: openings, endings, typos. */
  readonly calm?: boolean;
}

/** A question as somebody may type it. */
export function typed(question: string, language: Language, random: Random, options: TypingOptions = {}): string {
  const { answer, calm = false } = options;
  const { scene, before, after } = tables[language];
  let text = answer !== undefined && random.chance(0.45) ? reworded(question, language, random) : question;
  if (!calm && random.chance(0.05)) text = random.pick(scene) + text;
  if (answer !== undefined && random.chance(0.4)) text = inProperCase(text, answer);
  if (!calm && random.chance(0.22)) text = random.pick(before) + text;
  if (!calm && !/[.?!。？！]$/.test(text) && random.chance(0.12)) text += random.pick(after);
  return (language === "en" ? typedEnglish(text, random, calm) : typedChinese(text, random)).trim();
}

/** A text without many of its words, or of its Chinese characters. */
export function thinned(text: string, random: Random): string {
  const kept = 0.15 + 0.5 * random.next();
  const words = text.match(/\p{Script=Han}|[^\s\p{Script=Han}]+\s*|\s+/gu) ?? [];
  const left = words
    .filter(() => random.chance(kept))
    .join("")
    .trim();
  return left === "" ? random.pick(words).trim() : left;
}
