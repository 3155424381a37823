/** Enum parameters by index number (setting enum_as_text off): what the description then shows must also be taken. */
import type { z } from "zod";
import { isObject } from "../../contract/is-object.ts";
import { propertiesOf } from "../../json-schema/json-schema.ts";
import { jsonSchemaOf } from "./coerce-text.ts";

/** The texts that each field of an object schema chooses from; fields that choose from nothing are left out. */
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

/** The same fields with indexes of enums replaced by the texts; what is no index stays for the schema to judge. */
export function textsForIndexes(schema: z.ZodType, value: unknown): unknown {
  if (!isObject(value)) return value;
  const fields = { ...value };
  for (const [name, choices] of choicesOf(schema)) {
    const given = fields[name];
    const isIndex = typeof given === "number" || (typeof given === "string" && /^\d+$/.test(given));
    if (isIndex && !choices.includes(String(given))) fields[name] = choices[Number(given)] ?? given;
  }
  return fields;
}
