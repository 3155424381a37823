/** The refusal of a body that is not of its schema: in the words of Go's decoder where a type is wrong, else in our own. */
import type { z } from "zod";
import { OllamaError } from "../ollama-error.ts";

type Issue = z.core.$ZodIssue;

export const goKind = (value: unknown) =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;

const goTypes: Readonly<Record<string, string>> = {
  boolean: "bool",
  number: "float64",
  int: "int",
  array: "[]interface {}",
  record: "map[string]interface {}",
  object: "map[string]interface {}",
};

/** The issue within a union: that of the kind that fits furthest, else of the first one, which is Ollama's own. */
function innermost(issue: Issue): Issue {
  const inner = issue.code === "invalid_union" ? issue.errors.flat() : [];
  if (inner.length === 0) return issue;
  const found = inner.reduce((best, one) => (one.path.length > best.path.length ? one : best));
  return innermost({ ...found, path: [...issue.path, ...found.path] });
}

/** As one writes it in JavaScript, for example "messages[0].role". */
const placeOf = (path: Issue["path"]) =>
  path
    .map((part, at) => (typeof part === "number" ? `[${String(part)}]` : `${at > 0 ? "." : ""}${String(part)}`))
    .join("") || "the body";

const isNumber = (origin: string) => origin === "number" || origin === "int";

function textOf(name: string, issue: Issue, body: unknown): string {
  const { path } = issue;
  const place = placeOf(path);
  if (issue.code === "invalid_type") {
    const received = path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], body);
    if (received === undefined || received === null) return `${place} is required`;
    const field = [name, ...path.filter((part) => typeof part === "string")].join(".");
    const type = goTypes[issue.expected] ?? issue.expected;
    return `json: cannot unmarshal ${goKind(received)} into Go struct field ${field} of type ${type}`;
  }
  if (issue.code === "too_small" && isNumber(issue.origin)) return `${place} must be at least ${String(issue.minimum)}`;
  if (issue.code === "too_big" && isNumber(issue.origin)) return `${place} must be at most ${String(issue.maximum)}`;
  if (issue.code === "invalid_value")
    return `${place} must be ${issue.values.map((one) => JSON.stringify(one)).join(" or ")}`;
  if (issue.code === "unrecognized_keys") return `${place} has the unknown member ${JSON.stringify(issue.keys[0])}`;
  return `${place} is not valid: ${issue.message}`;
}

/** Tells the first issue, as Go does. `name`: Go's of the request's type. */
export function unmarshalError(name: string, error: z.core.$ZodError, body: unknown): OllamaError {
  const [issue] = error.issues;
  return new OllamaError(400, issue === undefined ? error.message : textOf(name, innermost(issue), body), error);
}
