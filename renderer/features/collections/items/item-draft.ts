import { asWritten, parseExactJson } from "../../../../server/contract/exact-json.ts";
import { isObject } from "../../../../server/contract/is-object.ts";

/**
 * The initial fields of a new item: the examples and defaults of its schema, and empty values by type for what is
 * required. An item to refer to must be chosen.
 */
export function itemDraftOf(schema: unknown, relations: readonly { field: string }[]): Record<string, unknown> {
  const { properties, required } = isObject(schema) ? schema : {};
  if (!isObject(properties)) return {};
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  const fields = Object.entries(properties).filter(([name]) => !relations.some(({ field }) => field === name));
  return Object.fromEntries(
    fields.flatMap(([name, field]): [string, unknown][] => {
      const value = suggested(field) ?? (isRequired(name) ? emptyOf(field) : undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

const empty: Readonly<Record<string, unknown>> = {
  string: "",
  number: 0,
  integer: 0,
  boolean: false,
  array: [],
  object: {},
};

function suggested(field: unknown): unknown {
  if (!isObject(field)) return undefined;
  const { examples, default: standard, const: only, enum: choices } = field;
  const [example] = Array.isArray(examples) ? (examples as unknown[]) : [];
  const [choice] = Array.isArray(choices) ? (choices as unknown[]) : [];
  return only ?? standard ?? example ?? choice;
}

function emptyOf(field: unknown): unknown {
  const [type] = isObject(field) ? [field["type"]].flat() : [];
  return typeof type === "string" ? (empty[type] ?? null) : null;
}

/** Parses a JSON object; undefined for any other text. */
export function parseFields(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parseExactJson(text, asWritten);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
