import { isObject } from "../../../server/contract/is-object.ts";

/** The initial text for a new item: the examples and defaults of its schema, or empty values by type. */
export function draftOf(schema: unknown): Record<string, unknown> {
  const { properties } = isObject(schema) ? schema : {};
  if (!isObject(properties)) return {};
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, firstValue(field)]));
}

const empty: Readonly<Record<string, unknown>> = {
  string: "",
  number: 0,
  integer: 0,
  boolean: false,
  array: [],
  object: {},
};

function firstValue(field: unknown): unknown {
  if (!isObject(field)) return null;
  const { examples, default: standard, const: only, enum: choices, type } = field;
  if (only !== undefined) return only;
  if (standard !== undefined) return standard;
  if (Array.isArray(examples) && examples.length > 0) return examples[0] as unknown;
  if (Array.isArray(choices) && choices.length > 0) return choices[0] as unknown;
  const [first] = [type].flat();
  return typeof first === "string" ? (empty[first] ?? null) : null;
}

/** Parses a JSON object; undefined for any other text. */
export function parseFields(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
