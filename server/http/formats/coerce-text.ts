/** Converts the texts of forms and XML to numbers and booleans, by the schema of the body. */
import { z } from "zod";
import { applicable, schemasOfItem, schemasOfMember } from "../../json-schema/applicable-schemas.ts";
import { ownTypesOf, type JsonSchema } from "../../json-schema/json-schema.ts";
import { schemaReferences, type SchemaReferences } from "../../json-schema/schema-references.ts";

const known = new WeakMap<z.ZodType, JsonSchema>();

/** The JSON Schema of a body's schema, cached. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const made = known.get(schema) ?? z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  known.set(schema, made);
  return made;
}

/** The types that a text may be converted to by its schema; none if the schema allows any. */
export interface TextSchema {
  readonly types: readonly string[];
  member(name: string): TextSchema;
  item(index: number): TextSchema;
}

function textSchema(references: SchemaReferences, schemas: readonly unknown[]): TextSchema {
  const all = applicable(references, schemas);
  return {
    types: all.flatMap(ownTypesOf),
    member(name) {
      const found = all.map((one) => schemasOfMember(one, name));
      const named = found.flatMap((one) => one.named);
      // Patterns are not matched against names from the client before the body is checked, which has a deadline.
      const others = found.flatMap((one) => [...one.patterned.map(([, schema]) => schema), ...one.others]);
      return textSchema(references, named.length > 0 ? named : others);
    },
    item(index) {
      const found = all.map(schemasOfItem);
      const own = found.flatMap(({ first }) => first.slice(index, index + 1));
      return textSchema(references, own.length > 0 ? own : found.flatMap(({ others }) => others));
    },
  };
}

const textSchemas = new WeakMap<z.ZodType, TextSchema>();

/** The conversion of texts by a body's schema, cached. */
export function textSchemaOf(schema: z.ZodType): TextSchema {
  const root = jsonSchemaOf(schema);
  const made = textSchemas.get(schema) ?? textSchema(schemaReferences(root), [root]);
  textSchemas.set(schema, made);
  return made;
}

/**
 * Keeps text where the schema allows it; otherwise converts it to the number or boolean that it spells. Validation
 * refuses other text.
 */
export function scalarOf(text: string, types: readonly string[]): unknown {
  if (types.length === 0 || types.includes("string")) return text;
  if (types.includes("boolean") && /^\s*(?:true|false)\s*$/.test(text)) return text.trim() === "true";
  if ((types.includes("number") || types.includes("integer")) && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text.trim()))
    return Number.isFinite(Number(text)) ? Number(text) : text;
  return text;
}

/** The fields of a form, coerced by the schema of the body. */
export function coerceForm(fields: Readonly<Record<string, string>>, schema: z.ZodType): Record<string, unknown> {
  const body = textSchemaOf(schema);
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, scalarOf(text, body.member(name).types)]),
  );
}
