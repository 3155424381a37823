import { isObject } from "../../contract/is-object.ts";
import { hasReference } from "../../json-schema/json-schema.ts";
import { createForeignPattern } from "../../foreign/foreign-pattern.ts";
import { OutOfTimeError } from "../../foreign/within-deadline.ts";
import type { OpenApiObject, SchemaBook } from "./schema-book.ts";

/** The most schemas that an example is made of. */
const mostSchemas = 300;

/** The way to a part of an example. */
interface Way {
  readonly members: "all" | "required";
  /** The schemas around it, as one that leads back to itself has no end. */
  readonly open: ReadonlySet<OpenApiObject>;
  readonly count: { schemas: number };
}

/**
 * An example value of a schema: its own example, its constant, default or first choice, or one made from its members.
 * With `required`, optional members without an example of their own are omitted. Undefined if none is found, or none
 * for a required member.
 */
export const exampleOf = (schema: OpenApiObject, book: SchemaBook, members: "all" | "required" = "all"): unknown =>
  exampleBy(schema, book, { members, open: new Set(), count: { schemas: 0 } });

function exampleBy(schema: OpenApiObject, book: SchemaBook, way: Way): unknown {
  const node = book.resolve(schema);
  const example = givenExample(node);
  if (example !== undefined) return example;
  if (way.open.has(node) || ++way.count.schemas > mostSchemas) return undefined;
  const within = { ...way, open: new Set([...way.open, node]) };
  const branch = [node["anyOf"], node["oneOf"], node["allOf"]].flat().find(isObject);
  if (branch) return exampleBy(branch, book, within);
  switch (Array.isArray(node["type"]) ? (node["type"] as unknown[])[0] : node["type"]) {
    case "object":
      return exampleObject(node, book, within);
    case "array": {
      const item = isObject(node["items"]) ? exampleBy(node["items"], book, within) : undefined;
      if (item === undefined) return Number(node["minItems"] ?? 0) > 0 ? undefined : [];
      return [item];
    }
    case "integer":
    case "number":
      return typeof node["minimum"] === "number" && node["minimum"] > 0 ? node["minimum"] : 1;
    case "boolean":
      return true;
    case "string":
      return exampleText(node);
    default:
      return {}; // anything is allowed
  }
}

function givenExample(node: OpenApiObject): unknown {
  const { examples, example, const: constant, default: standard, enum: choices } = node;
  const given = [examples].flat()[0] ?? example ?? constant ?? standard ?? [choices].flat()[0];
  return hasReference(given) ? undefined : given;
}

function exampleObject(node: OpenApiObject, book: SchemaBook, way: Way): OpenApiObject | undefined {
  const properties = isObject(node["properties"]) ? node["properties"] : {};
  const required = (node["required"] ?? []) as string[];
  const example: [string, unknown][] = [];
  for (const [name, schema] of Object.entries(properties)) {
    if (!isObject(schema)) continue;
    const isRequired = required.includes(name);
    if (way.members === "required" && !isRequired && givenExample(book.resolve(schema)) === undefined) continue;
    const value = name === "$ref" ? undefined : exampleBy(schema, book, way);
    if (value !== undefined) example.push([name, value]);
    else if (isRequired) return undefined;
  }
  return Object.fromEntries(example);
}

const exampleByFormat: Readonly<Record<string, string>> = {
  "date-time": "2026-11-20T08:30:00.000Z",
  date: "2026-11-20",
  time: "08:30:00Z",
  email: "alice@example.com",
  uri: "https://example.com/",
  uuid: "0b8d1cf6-7b5e-4a0e-9f0c-3c1b8f3f6a52",
  ipv4: "192.0.2.7",
  ipv6: "2001:db8::7",
};

const longestExample = 1_000;
/** Short, because a description has many examples. */
const patternDeadlineMs = 20;

/** Undefined when no simple text matches the pattern. */
function exampleText(node: OpenApiObject): string | undefined {
  const { format, pattern } = node as { format?: string; pattern?: string };
  const { minLength = 0, maxLength = Infinity } = node as { minLength?: number; maxLength?: number };
  if (minLength > longestExample) return undefined;
  const made =
    format === undefined
      ? "text".padEnd(minLength, "t").slice(0, maxLength)
      : (exampleByFormat[format] ?? "text".padEnd(minLength, "t"));
  if (pattern === undefined) return made;
  return firstMatch(
    pattern,
    [made, ...repeatedCharacters()].filter(({ length }) => length >= minLength && length <= maxLength),
  );
}

/** `0`, `00`, …: many patterns are for numbers and codes. */
function* repeatedCharacters(): Generator<string> {
  for (const character of ["0", "a", "A"]) for (let length = 1; length <= 20; length++) yield character.repeat(length);
}

/** The first text that matches; none when the pattern is invalid here, or too slow. */
function firstMatch(pattern: string, texts: readonly string[]): string | undefined {
  try {
    return createForeignPattern(pattern, "u").find(texts, patternDeadlineMs);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof OutOfTimeError) return undefined;
    throw error;
  }
}
