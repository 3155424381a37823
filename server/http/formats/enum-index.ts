/** Enum parameters by index number (setting enum_as_text off), which the description then shows. */
import type { z } from "zod";
import { isObject } from "../../contract/is-object.ts";
import { propertiesOf } from "../../json-schema/json-schema.ts";
import { jsonSchemaOf } from "./coerce-text.ts";

/** The choices of each enum field of an object schema. */
function choicesOf(schema: z.ZodType): Map<string, readonly string[]> {
  return new Map(
    Object.entries(propertiesOf(jsonSchemaOf(schema))).flatMap(([name, property]): [string, readonly string[]][] => {
      const choices = isObject(property) ? property["enum"] : undefined;
      return isTexts(choices) ? [[name, choices]] : [];
    }),
  );
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

/** The fields, also filters such as `state[ne]`, with enum indexes replaced by their texts. Validation refuses other values. */
export function textsForIndexes(schema: z.ZodType, value: unknown): unknown {
  if (!isObject(value)) return value;
  const choices = choicesOf(schema);
  const texts = Object.entries(value).map(([name, one]) => {
    const known = choices.get(name.replace(/\[.*$/s, "")) ?? [];
    return [name, Array.isArray(one) ? one.map((each: unknown) => textFor(known, each)) : textFor(known, one)] as const;
  });
  return Object.fromEntries(texts);
}

function textFor(choices: readonly string[], value: unknown): unknown {
  const isIndex = typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value));
  return isIndex && !choices.includes(String(value)) ? (choices[Number(value)] ?? value) : value;
}
