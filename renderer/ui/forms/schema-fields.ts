/** Derives a form's fields from the JSON Schema of an object, and the values to send from the form. */
import { ownValue } from "./own-value.ts";

/** The part of a JSON Schema that forms use. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly FieldSchema[];
  readonly items?: FieldSchema;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

export type Choice = string | number;

export interface SchemaField {
  readonly name: string;
  /** `json`: a value without its own field type, written as JSON. */
  readonly kind: "choice" | "choices" | "integer" | "number" | "flag" | "text" | "json";
  readonly required: boolean;
  readonly choices: readonly Choice[];
  /** The default if no value is given. */
  readonly fallback: unknown;
  readonly description: string | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}

/** A schema bounds integers by what a number can hold; such a bound is not shown. */
const bound = (value: number | undefined) =>
  value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;

const isChoice = (value: unknown): value is Choice => typeof value === "string" || typeof value === "number";

function choicesOf({ enum: values, anyOf, const: only }: FieldSchema): readonly Choice[] {
  if (isChoice(only)) return [only];
  if (values) return values.filter(isChoice);
  const parts = (anyOf ?? []).map(choicesOf);
  return parts.every(({ length }) => length > 0) ? parts.flat() : [];
}

/** The type of a field's value; undefined where there is a choice of several. */
function typeOf({ type }: FieldSchema): string | undefined {
  const types = [type].flat().filter((one) => one !== "null");
  return types.length === 1 ? types[0] : undefined;
}

function kindOf(schema: FieldSchema): SchemaField["kind"] {
  if (choicesOf(schema).length > 0) return "choice";
  const type = typeOf(schema);
  if (type === "array" && schema.items && choicesOf(schema.items).length > 0) return "choices";
  if (type === "integer" || type === "number") return type;
  if (type === "boolean") return "flag";
  return type === "string" ? "text" : "json";
}

/** The members of an object in the schema's order, without those that have only one value. */
export const fieldsOf = ({ properties = {}, required = [] }: FieldSchema): SchemaField[] =>
  Object.entries(properties)
    .filter(([, schema]) => schema.const === undefined)
    .map(([name, schema]) => ({
      name,
      kind: kindOf(schema),
      required: required.includes(name),
      choices: choicesOf(typeOf(schema) === "array" ? (schema.items ?? {}) : schema),
      fallback: schema.default,
      description: schema.description,
      minimum: bound(schema.minimum),
      maximum: bound(schema.maximum),
    }));

const isOneOf = (choices: readonly Choice[]) => (value: unknown) => choices.some((choice) => choice === value);

/** Whether the field's input can show the value, which may be older than the schema. */
export function fitsField({ kind, choices }: SchemaField, value: unknown): boolean {
  switch (kind) {
    case "choice":
      return isOneOf(choices)(value);
    case "choices":
      return Array.isArray(value) && value.every(isOneOf(choices));
    case "flag":
      return typeof value === "boolean";
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number";
    case "text":
      return typeof value === "string";
    case "json":
      return true;
  }
}

/** Values by the names of the fields. */
export type FieldValues = Readonly<Record<string, unknown>>;

const isPresent = (value: unknown) =>
  value !== undefined && value !== "" && value !== false && !(Array.isArray(value) && value.length === 0);

/** The given values. JSON is parsed; invalid JSON stays text, so that the schema rejects it. */
export function presentValues(fields: readonly SchemaField[], values: FieldValues): Record<string, unknown> {
  const present = fields.filter(({ name }) => isPresent(ownValue(values, name)));
  return Object.fromEntries(
    present.map(({ name, kind }) => [name, kind === "json" ? parsed(ownValue(values, name)) : ownValue(values, name)]),
  );
}

function parsed(value: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return value;
  }
}
