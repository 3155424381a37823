/** Converts the texts of forms and XML to numbers and booleans, by the schema of the body. */
import { z } from "zod";
import { propertiesOf, typesOf, type JsonSchema } from "../../json-schema/json-schema.ts";

const known = new WeakMap<z.ZodType, JsonSchema>();

/** The JSON Schema of a body's schema, cached. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const made = known.get(schema) ?? z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  known.set(schema, made);
  return made;
}

/**
 * Keeps text where the schema allows it, else converts it to the number or boolean it spells. Other text stays, for
 * validation to refuse.
 */
export function scalarOf(text: string, types: readonly string[]): unknown {
  if (types.length === 0 || types.includes("string")) return text;
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  if ((types.includes("number") || types.includes("integer")) && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text.trim()))
    return Number(text);
  return text;
}

/** The fields of a form, coerced by the schema of the body. */
export function coerceForm(fields: Readonly<Record<string, string>>, schema: z.ZodType): Record<string, unknown> {
  const properties = propertiesOf(jsonSchemaOf(schema));
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, scalarOf(text, typesOf(properties[name] ?? {}))]),
  );
}
