/** An item's data as the values of a form, and back. */
import {
  fieldsOf,
  fitsField,
  type FieldSchema,
  type FieldValues,
  type SchemaField,
} from "../../../ui/forms/schema-fields.ts";
import { ownValue } from "../../../ui/forms/own-value.ts";

type Data = Readonly<Record<string, unknown>>;

/** The form's fields of a collection; none for a schema that says too little about its members. */
export const itemFields = (schema: unknown): SchemaField[] => fieldsOf(schema as FieldSchema);

export interface FilledForm {
  readonly fields: readonly SchemaField[];
  readonly values: FieldValues;
}

/** The form of an item's data. A value that does not fit its field, as an older one may not, is shown as JSON. */
export function itemForm(schemaFields: readonly SchemaField[], data: Data): FilledForm {
  const given = schemaFields.filter(({ name }) => (ownValue(data, name) ?? null) !== null);
  const misfits = new Set(given.filter((field) => !fitsField(field, data[field.name])));
  const fields = schemaFields.map((field) => (misfits.has(field) ? { ...field, kind: "json" as const } : field));
  const shown = fields.filter(({ name }) => given.some((field) => field.name === name));
  const values = shown.map(({ name, kind }) => [
    name,
    kind === "json" ? JSON.stringify(data[name], null, 2) : data[name],
  ]);
  return { fields, values: Object.fromEntries(values) as FieldValues };
}

/**
 * The data of a form. A field without a value is left out, unless it is required or had that value before; null stays
 * null until there is a value, and members that the form does not show stay. Invalid JSON stays a text, so that the schema refuses it.
 */
export function itemDataOf(fields: readonly SchemaField[], values: FieldValues, before: Data): Record<string, unknown> {
  const shown = new Set(fields.map(({ name }) => name));
  const others = Object.entries(before).filter(([name]) => !shown.has(name));
  const given = fields.flatMap(({ name, kind, required }): [string, unknown][] => {
    const value = ownValue(values, name);
    const old = ownValue(before, name);
    if (old === null && (value === undefined || value === "")) return [[name, null]];
    if (value === undefined) return [];
    if (value === "" && kind !== "text") return [];
    if (value === "" && !required && old !== "") return [];
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
