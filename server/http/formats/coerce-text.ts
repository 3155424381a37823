/** Forms and XML carry text only: which of it means a number or a boolean, the schema of the body says. */
import { z } from "zod";

export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

const known = new WeakMap<z.ZodType, JsonSchema>();

/** The JSON Schema of what a schema takes, made once. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const made = known.get(schema) ?? z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  known.set(schema, made);
  return made;
}

export const isSchemaObject = (schema: JsonSchema): schema is Exclude<JsonSchema, boolean> =>
  typeof schema === "object";

/** The types that a schema takes; none when it does not say. */
export function typesOf(schema: JsonSchema): string[] {
  if (!isSchemaObject(schema)) return [];
  const { type, anyOf, oneOf, allOf, enum: values } = schema;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type as string[];
  const nested = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? (list as JsonSchema[]) : []));
  if (nested.length > 0) return nested.flatMap(typesOf);
  return Array.isArray(values) ? values.map((value) => typeof value) : [];
}

/** Text where text is taken; else the number or boolean that it spells. What spells neither is left for the schema to refuse. */
export function scalarOf(text: string, types: readonly string[]): unknown {
  if (types.length === 0 || types.includes("string")) return text;
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  if ((types.includes("number") || types.includes("integer")) && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text.trim()))
    return Number(text);
  return text;
}

/** The fields of a form, coerced by the schema of the body. */
export function coerceForm(fields: Readonly<Record<string, string>>, schema: z.ZodType): Record<string, unknown> {
  const described = jsonSchemaOf(schema);
  const properties = (isSchemaObject(described) ? (described["properties"] ?? {}) : {}) as Record<string, JsonSchema>;
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, scalarOf(text, typesOf(properties[name] ?? {}))]),
  );
}
