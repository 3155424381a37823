/** JSON out of a text, by fields or by a schema. */
import { z } from "zod";
import { spacedJson, type Json } from "../corpus/chat.ts";
import { readData } from "../corpus/data-files.ts";
import type { Language } from "../corpus/language.ts";
import type { Random } from "../corpus/random.ts";
import { askedOnly, fill, templatesSchema, type Task } from "./task.ts";
import { valueOf } from "./values.ts";

const list = z.array(z.string());
const { fields, sentences, asks, bySchema } = z
  .strictObject({
    /** The kind of value of each field, and its type in a schema. */
    fields: z.record(z.string(), z.strictObject({ kind: z.string(), type: z.enum(["string", "integer"]) })),
    sentences: z.array(z.strictObject({ fields: list, en: list, zh: list })),
    asks: z.strictObject({ en: templatesSchema, zh: templatesSchema }),
    bySchema: z.strictObject({ en: list, zh: list }),
  })
  .parse(JSON.parse(readData("skills/extraction.json")));

const schemaOf = (names: readonly string[]): Json => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: fields[name]?.type ?? "string" }])),
  required: names,
});

function listed(names: readonly string[], language: Language): string {
  if (language === "zh") return names.join("、");
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join("");
}

export function extractionTask(language: Language, random: Random, held: boolean): Task {
  const sentence = random.pick(sentences);
  const kindOf = (name: string) => fields[name]?.kind ?? "";
  const values = Object.fromEntries(sentence.fields.map((name) => [name, valueOf(kindOf(name), language, random)]));
  const text = fill(random.pick(sentence[language]), values);
  const names = random.chance(0.3) ? random.sample(sentence.fields, random.between(1, 3)) : sentence.fields;
  const json = Object.fromEntries(names.map((name) => [name, values[name] ?? ""]));
  const schema = schemaOf(names);
  const { asked, judgedBy } = asks[language];
  const template = random.pick(held ? judgedBy : random.chance(0.15) ? bySchema[language] : asked);
  const question = fill(template, { fields: listed(names, language), text, schema: spacedJson(schema) });
  return {
    kind: "json",
    language,
    conversation: askedOnly(question),
    answer: spacedJson(json),
    expected: { json },
    schema,
  };
}
