/**
 * `node build/starter-model/known-questions.ts MODEL_SERVICE`: writes the questions that the model service offers in the
 * place of an answer that the starter model is not sure of, with the terms that lead to each: those of all its wordings.
 * Only those are offered that the starter model of this running service answers rightly in both languages.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { KnownQuestion } from "../../server/model/confidence/known-questions.ts";
import { termsOf } from "../../server/model/confidence/question-terms.ts";
import { dataFiles, readLines } from "./corpus/data-files.ts";
import type { Language } from "./corpus/language.ts";
import { readKnowledge } from "./corpus/topics.ts";
import { ask } from "./evaluate/ask.ts";
import { judge } from "./evaluate/judge.ts";

const target = join(import.meta.dirname, "../../server/model/starter/known-questions.jsonl");

/** Further terms of a question change nothing any more. */
const mostTerms = 60;

const [url = "http://127.0.0.1:11434"] = process.argv.slice(2);
const questions = readLines("questions.jsonl", z.object({ fact: z.string(), en: z.string(), zh: z.string() }));
const { byId } = readKnowledge();

async function isAnswered(fact: string, language: Language, content: string): Promise<boolean> {
  const conversation = { messages: [{ role: "user", content }] } as const;
  const reply = await ask({ url, name: "hearth-starter" }, { conversation, mostTokens: 200 });
  return judge({ parts: byId.get(fact)?.[language].must ?? [] }, language, reply) === "right";
}
/** Of each fact, how many of its wordings have a term. */
const counts = new Map(questions.map(({ fact }) => [fact, new Map<string, number>()]));

function count(fact: string, text: string): void {
  const terms = counts.get(fact);
  // Small talk and what is to be refused are nothing to offer.
  if (terms !== undefined) for (const term of new Set(termsOf(text))) terms.set(term, (terms.get(term) ?? 0) + 1);
}
for (const { fact, en, zh } of questions) for (const text of [en, zh]) count(fact, text);
const wordingSchema = z.object({ fact: z.string(), text: z.string() });
for (const { path } of dataFiles("wordings"))
  for (const { fact, text } of readLines(path, wordingSchema)) count(fact, text);

const factsWith = new Map<string, number>();
for (const terms of counts.values())
  for (const term of terms.keys()) factsWith.set(term, (factsWith.get(term) ?? 0) + 1);

/** The weights of the terms that tell a fact from others best, as thousandths of a vector of length 1. */
function weightsOf(fact: string): Record<string, number> {
  const weigh = ([term, times]: [string, number]) =>
    [term, (1 + Math.log(times)) * Math.log(counts.size / (factsWith.get(term) ?? 1))] as const;
  const best = [...(counts.get(fact) ?? [])].map(weigh).sort(([, one], [, other]) => other - one);
  const kept = best.slice(0, mostTerms);
  const length = Math.hypot(...kept.map(([, weight]) => weight));
  return Object.fromEntries(kept.map(([term, weight]) => [term, Math.round((1000 * weight) / length)]));
}

const known: KnownQuestion[] = [];
for (const { fact, en, zh } of questions)
  if ((await isAnswered(fact, "en", en)) && (await isAnswered(fact, "zh", zh)))
    known.push({ en, zh, terms: weightsOf(fact) });
writeFileSync(target, known.map((question) => `${JSON.stringify(question)}\n`).join(""));
