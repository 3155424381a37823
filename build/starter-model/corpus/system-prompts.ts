/** System prompts of a few kinds, and what each does to an answer. */
import { z } from "zod";
import { readData } from "./data-files.ts";
import { heldOut } from "./held-out.ts";
import type { Language } from "./language.ts";
import type { Random } from "./random.ts";
import { otherLanguage } from "./follow-ups.ts";
import type { Topic } from "./topics.ts";

const list = z.array(z.string());
const prompts = z
  .strictObject({ neutral: list, chinese: list, english: list, oneWord: list, pirate: list })
  .parse(JSON.parse(readData("corpus/system-prompts.json")));

/** One that changes nothing, or none. */
export const someSystem = (random: Random) => (random.chance(0.6) ? undefined : random.pick(prompts.neutral));

const draw = (kind: keyof typeof prompts, random: Random, held: boolean) => {
  const allowed = prompts[kind].filter((text) => heldOut("system", text, 5) === held);
  return random.pick(allowed.length > 0 ? allowed : prompts[kind]);
};

/** What is short enough to be called a word. */
const longestWord = 24;
const calls = { en: "Arr, matey! ", zh: "啊哈，水手！" };

export interface Instructed {
  readonly system: string;
  readonly answer: string;
  /** What a right answer contains. */
  readonly parts: readonly string[];
}

/** An answer about a topic as a system prompt wants it, for a question in a language. */
export function instructed(topic: Topic, language: Language, random: Random, held: boolean): Instructed {
  const { answer, must } = topic[language];
  const [word = ""] = must;
  const draws = random.next();
  if (draws < 0.34 && word.length <= longestWord)
    return { system: draw("oneWord", random, held), answer: word, parts: [word] };
  if (draws < 0.67)
    return {
      system: draw("pirate", random, held),
      answer: calls[language] + answer,
      parts: [calls[language].trim(), ...must],
    };
  const other = topic[otherLanguage(language)];
  return {
    system: draw(language === "en" ? "chinese" : "english", random, held),
    answer: other.answer,
    parts: other.must,
  };
}
