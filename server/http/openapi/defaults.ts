/**
 * Describes defaults of request bodies in words: generators of types treat a member with `default` as always present,
 * which is true for answers only.
 */
import type { SchemaObject } from "../../json-schema/json-schema.ts";

/** The schema with its default in the description. */
export function defaultInWords({ default: standard, ...schema }: SchemaObject): SchemaObject {
  if (standard === undefined) return schema;
  const { description } = schema;
  const sentence = `Default: ${JSON.stringify(standard)}.`;
  return { ...schema, description: typeof description === "string" ? `${description} ${sentence}` : sentence };
}

/** The schema without those words, for a body that leaves members as they are. */
export function withoutDefault({ description, ...schema }: SchemaObject): SchemaObject {
  if (typeof description !== "string") return schema;
  const [before = ""] = description.split(/ ?Default: /, 1);
  return { ...schema, ...(before !== "" && { description: before }) };
}
