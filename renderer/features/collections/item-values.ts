/** An item's data as the values of a form, and back. */
import { fieldsOf, type FieldSchema, type FieldValues, type SchemaField } from "../../ui/forms/schema-fields.ts";

type Data = Readonly<Record<string, unknown>>;

/** The form's fields of a collection; none for a schema that says too little about its members. */
export const itemFields = (schema: unknown): SchemaField[] => fieldsOf(schema as FieldSchema);

export const valuesOf = (fields: readonly SchemaField[], data: Data): FieldValues =>
  Object.fromEntries(
    fields
      .filter(({ name }) => data[name] !== undefined && data[name] !== null)
      .map(({ name, kind }) => [name, kind === "json" ? JSON.stringify(data[name], null, 2) : data[name]]),
  );

/**
 * The data of a form. A field without a value is left out, unless it is required or had that value before; members that
 * the form does not show stay. Invalid JSON stays a text, so that the schema refuses it.
 */
export function dataOf(fields: readonly SchemaField[], values: FieldValues, before: Data): Record<string, unknown> {
  const shown = new Set(fields.map(({ name }) => name));
  const others = Object.entries(before).filter(([name]) => !shown.has(name));
  const given = fields.flatMap(({ name, kind, required }): [string, unknown][] => {
    const value = values[name];
    if (value === undefined) return [];
    if (value === "" && kind !== "text") return [];
    if (value === "" && !required && before[name] !== "") return [];
    return [[name, kind === "json" ? parsed(value) : value]];
  });
  return Object.fromEntries([...others, ...given]);
}

function parsed(value: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return value;
  }
}
