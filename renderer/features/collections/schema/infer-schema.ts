/** Makes a JSON Schema from examples. It says what they have in common, and allows what some of them lack. */
import { fullFormats } from "ajv-formats/dist/formats.js";
import { isObject } from "../../../../server/contract/is-object.ts";
import type { FileRow } from "./read-rows.ts";
import { ownValue } from "../../../ui/forms/own-value.ts";

export interface InferredSchema {
  readonly [keyword: string]: unknown;
  readonly type?: string | readonly string[];
}

/** Recognizes formats no more strictly than the server accepts them. Each pattern has a bounded cost. */
const formats = [
  ["date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/],
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["email", /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}$/],
  ["uri", /^https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w.~!$&'()*+,;=:@%/?#-]*)?$/],
] as const;

/** The server's own check of a format. */
function hasFormat(name: (typeof formats)[number][0], text: string): boolean {
  const { validate = fullFormats[name] } = Object(fullFormats[name]) as { validate?: unknown };
  return validate instanceof RegExp ? validate.test(text) : (validate as (text: string) => boolean)(text);
}

/** The schema of items. A field is required if there are several items and each of them has it. */
export function inferSchema(rows: readonly FileRow[]): InferredSchema {
  return { type: "object", ...membersOf(rows) };
}

function membersOf(objects: readonly FileRow[]): { properties: Record<string, InferredSchema>; required?: string[] } {
  const names = [...new Set(objects.flatMap((one) => Object.keys(one)))];
  const valuesOf = (name: string) => objects.map((one) => ownValue(one, name)).filter((value) => value !== undefined);
  const properties = Object.fromEntries(names.map((name) => [name, schemaOf(valuesOf(name))]));
  const required =
    objects.length < 2 ? [] : names.filter((name) => objects.every((one) => isGiven(ownValue(one, name))));
  return { properties, ...(required.length > 0 && { required }) };
}

const isGiven = (value: unknown) => value !== undefined && value !== null;

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function schemaOf(values: readonly unknown[]): InferredSchema {
  const found = new Set(values.map(typeOf));
  if (found.has("number")) found.delete("integer");
  const types = [...found];
  const [first = "null"] = types;
  // Only null was seen: anything may come.
  if (types.length === 0 || (types.length === 1 && first === "null")) return {};
  const type = types.length === 1 ? first : types;
  const texts = values.filter((value) => typeof value === "string");
  const format = formats.find(
    ([name, pattern]) => texts.length > 0 && texts.every((text) => pattern.test(text) && hasFormat(name, text)),
  );
  return {
    type,
    ...(format && { format: format[0] }),
    ...(found.has("array") && { items: schemaOf(values.filter((value) => Array.isArray(value)).flat()) }),
    ...(found.has("object") && membersOf(values.filter(isObject))),
  };
}

/** A name for a collection after a file's: lower-case words joined by '-'. */
export const nameAfter = (file: string): string =>
  file
    .replace(/\.[^.]*$/, "")
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((word) => word !== "")
    .join("-")
    .replace(/^[-\d]+/, "");
