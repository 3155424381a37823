/** Writes the schemas of an OpenAPI document as JSON Schema of draft 2020-12, each at its place. */
import { isObject } from "../../contract/is-object.ts";
import type { SchemaObject } from "../../json-schema/json-schema.ts";

/** Members whose own members are named by the author. */
const maps = new Set([
  ...["properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "schemas", "headers", "paths"],
  ...["parameters", "requestBodies", "responses", "content", "pathItems", "links", "callbacks", "encoding"],
]);
const values = new Set(["example", "examples", "default", "enum", "const"]);
/** Whoever judges them, they decide nothing about a value here. */
const ignored = new Set(["$id", "$schema", "discriminator", "xml", "externalDocs"]);

interface Reading {
  /** In OpenAPI 3.0, the neighbours of a reference do not count. */
  readonly isOld: boolean;
  /** The schemas are for what a client sends, where no member that the server writes is required. */
  readonly isSent: boolean;
}

/** The whole document with such schemas. */
export const withModernSchemas = (document: SchemaObject, isSent: boolean): SchemaObject =>
  changed(document, { isOld: String(document["openapi"]).startsWith("3.0"), isSent }, false) as SchemaObject;

function changed(part: unknown, reading: Reading, isMap: boolean): unknown {
  if (Array.isArray(part)) return part.map((one) => changed(one, reading, false));
  if (!isObject(part)) return part;
  const { $ref } = part;
  if (!isMap && reading.isOld && typeof $ref === "string") return { $ref };
  const members = Object.entries(part)
    .filter(([name]) => isMap || (!ignored.has(name) && !name.startsWith("x-")))
    .map(([name, value]) => [
      name,
      !isMap && values.has(name) ? value : changed(value, reading, !isMap && maps.has(name)),
    ]);
  const copy = Object.fromEntries(members) as Record<string, unknown>;
  if (!isMap) modernize(copy, part, reading);
  return copy;
}

function modernize(schema: Record<string, unknown>, written: SchemaObject, { isSent }: Reading): void {
  if (schema["nullable"] === true && typeof schema["type"] === "string") schema["type"] = [schema["type"], "null"];
  if (typeof schema["nullable"] === "boolean") delete schema["nullable"];
  for (const [limit, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof schema[limit] !== "boolean") continue;
    if (schema[limit] && schema[bound] !== undefined) {
      schema[limit] = schema[bound];
      delete schema[bound];
    } else delete schema[limit];
  }
  const { required, properties } = written;
  if (!isSent || !Array.isArray(required) || !isObject(properties)) return;
  const isWritten = (name: unknown) => isObject(properties[String(name)]) && isReadOnly(properties[String(name)]);
  schema["required"] = required.filter((name) => !isWritten(name));
}

const isReadOnly = (schema: unknown) => isObject(schema) && schema["readOnly"] === true;
