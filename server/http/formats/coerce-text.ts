/** Reads the texts of forms and XML by the schema of the body: as numbers, booleans, texts. */
import { z } from "zod";
import { exactNumber } from "../../contract/exact-json.ts";
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
  /** Whether the schema has a member of this very name. */
  names(name: string): boolean;
  member(name: string): TextSchema;
  item(index: number): TextSchema;
}

function textSchema(references: SchemaReferences, schemas: readonly unknown[]): TextSchema {
  const all = applicable(references, schemas);
  const members = new Map<string, TextSchema>();
  const namedBy = (name: string) => all.flatMap((one) => schemasOfMember(one, name).named);
  return {
    types: all.flatMap(ownTypesOf),
    names: (name) => namedBy(name).length > 0,
    member(name) {
      const known = members.get(name);
      if (known) return known;
      const named = namedBy(name);
      // No pattern is tried on a client's name before the body is checked, within a deadline.
      const others = all
        .map((one) => schemasOfMember(one, name))
        .flatMap((one) => [...one.patterned.map(([, schema]) => schema), ...one.others]);
      const made = textSchema(references, named.length > 0 ? named : others);
      // Other names are a client's, and may be any number.
      if (named.length > 0) members.set(name, made);
      return made;
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

const isBoolean = (text: string) => /^\s*(?:true|false)\s*$/.test(text);
const isNumber = (text: string) =>
  /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text.trim()) && Number.isFinite(Number(text));

/**
 * Keeps text where the schema allows it, else converts it to the number or boolean it spells; a whole number that would be
 * rounded is NaN. Other text stays, for validation to refuse.
 */
export function scalarOf(text: string, types: readonly string[]): unknown {
  if (types.length === 0 || types.includes("string")) return text;
  if (types.includes("boolean") && isBoolean(text)) return text.trim() === "true";
  if ((types.includes("number") || types.includes("integer")) && isNumber(text)) return exactNumber(text.trim());
  return text;
}

/** All scalars that a text can stand for. */
export const scalarsOf = (text: string): unknown[] => [
  text,
  ...(isBoolean(text) ? [text.trim() === "true"] : []),
  ...(isNumber(text) ? [exactNumber(text.trim())] : []),
];
