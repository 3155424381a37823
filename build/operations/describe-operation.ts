/** Reads the fields of an operation's requests and replies: names, types, lengths, patterns and enums, without texts. */
import { isObject } from "../../server/contract/is-object.ts";
import type { YamlFolder } from "./yaml-folder.ts";

/** A part of JSON Schema. */
export interface FieldSchema {
  type?: string;
  required?: string[];
  properties?: Record<string, FieldSchema>;
  items?: FieldSchema;
  [fact: string]: unknown;
}

export interface OperationDescription {
  /** Parameters by where they are. */
  readonly path?: FieldSchema;
  readonly query?: FieldSchema;
  readonly body?: FieldSchema;
  /** By status. */
  readonly replies: Readonly<Record<string, FieldSchema | null>>;
}

const facts = [
  "type",
  "format",
  "enum",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function merge(into: FieldSchema, part: FieldSchema): FieldSchema {
  const { required = [], properties = {}, enum: choices, ...rest } = part;
  const names = [...new Set([...(into.required ?? []), ...required])];
  const merged = { ...into.properties };
  for (const [name, schema] of Object.entries(properties)) merged[name] = merge(merged[name] ?? {}, schema);
  return {
    ...into,
    ...rest,
    ...(choices !== undefined && { enum: [...listOf(into["enum"]), ...listOf(choices)] }),
    ...(names.length > 0 && { required: names }),
    ...(Object.keys(merged).length > 0 && { properties: merged }),
  };
}

export function readSchema(yaml: YamlFolder, from: string, written: unknown): FieldSchema {
  const { file, value } = yaml.resolve(from, written);
  const { allOf, items, properties, required } = value;
  const parts = Array.isArray(allOf) ? allOf.map((part: unknown) => readSchema(yaml, file, part)) : [];
  const own: FieldSchema = Object.fromEntries(facts.filter((name) => name in value).map((name) => [name, value[name]]));
  if (Array.isArray(required)) own.required = required.map(String);
  if (items !== undefined) own.items = readSchema(yaml, file, items);
  if (isObject(properties))
    own.properties = Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, readSchema(yaml, file, field)]),
    );
  return parts.reduce(merge, own);
}

/** The schemas of all parameters that are at one place. */
function parametersAt(
  yaml: YamlFolder,
  file: string,
  place: string,
  parameters: readonly unknown[],
): FieldSchema | undefined {
  const resolved = parameters
    .map((parameter) => yaml.resolve(file, parameter))
    .filter(({ value }) => value["in"] === place);
  if (resolved.length === 0) return undefined;
  if (place === "body")
    return resolved.map((found) => readSchema(yaml, found.file, found.value["schema"])).reduce(merge);
  const required = resolved.filter(({ value }) => value["required"] === true).map(({ value }) => String(value["name"]));
  return {
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      resolved.map((found) => [
        String(found.value["name"]),
        readSchema(yaml, found.file, { ...found.value, required: undefined }),
      ]),
    ),
  };
}

export function describeOperation(
  yaml: YamlFolder,
  file: string,
  operation: Record<string, unknown>,
): OperationDescription {
  const parameters = Array.isArray(operation["parameters"]) ? operation["parameters"] : [];
  const responses = isObject(operation["responses"]) ? operation["responses"] : {};
  const at = (place: string) => parametersAt(yaml, file, place, parameters);
  const [path, query, body] = [at("path"), at("query"), at("body")];
  return {
    ...(path && { path }),
    ...(query && { query }),
    ...(body && { body }),
    replies: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        isObject(response) && response["schema"] !== undefined ? readSchema(yaml, file, response["schema"]) : null,
      ]),
    ),
  };
}
