/** Writes JSON Schemas as TypeScript types, without lengths, patterns and conditions. */
import { isObject } from "../../contract/is-object.ts";
import type { JsonSchema, SchemaObject } from "../../json-schema/json-schema.ts";

interface TypeText {
  readonly text: string;
  readonly is: "union" | "intersection" | "plain";
}

const componentPath = "#/components/schemas/";
const isIdentifier = /^[A-Za-z_$][\w$]*$/;

const plain = (text: string): TypeText => ({ text, is: "plain" });
const unknown = plain("unknown");

/** Names of the generated client's own types and a type parameter. */
const ownNames = new Set(["HearthAnswer", "HearthRefusal", "HearthClientOptions", "HearthClient", "HearthPrefer"]);

/** The type of a component. Names of components have no underscore. */
export const typeName = (component: string): string => (ownNames.has(component) ? `${component}_` : component);

/** A name as the key of a member. */
export const memberName = (name: string): string => (isIdentifier.test(name) ? name : JSON.stringify(name));

/** A text as a comment of one line. */
export const commentOf = (text: string): string => `/** ${text.replaceAll(/\s+/g, " ").replaceAll("*/", "*\\/")} */`;

/** An object type with the texts of its members. */
export const objectType = (members: readonly string[]): string =>
  `{\n${members.map((member) => `  ${member.replaceAll("\n", "\n  ")}\n`).join("")}}`;

/** A type as part of another type. */
const element = ({ text, is }: TypeText): string => (is === "plain" ? text : `(${text})`);

function joined(types: readonly TypeText[], is: "union" | "intersection"): TypeText {
  const different = [...new Map(types.map((type) => [type.text, type])).values()];
  const [first = unknown, ...others] = different;
  if (others.length === 0) return first;
  if (is === "union") return { text: different.map(({ text }) => text).join(" | "), is };
  return { text: different.map((type) => (type.is === "union" ? `(${type.text})` : type.text)).join(" & "), is };
}

/** One member of an object, with its description as a comment. */
export function memberOf(name: string, schema: JsonSchema, isRequired: boolean, typeOf = schemaType): string {
  const member = `${memberName(name)}${isRequired ? "" : "?"}: ${typeOf(schema)};`;
  const about = isObject(schema) ? schema["description"] : undefined;
  return typeof about === "string" && about !== "" ? `${commentOf(about)}\n${member}` : member;
}

function objectOf({ properties, required, additionalProperties }: SchemaObject, typeOf = schemaType): TypeText {
  const members = isObject(properties) ? Object.entries(properties) : [];
  const names = Array.isArray(required) ? required : [];
  // An object with known members allows no others, so that TypeScript finds misspelt ones.
  if (members.length > 0)
    return plain(
      objectType(members.map(([name, one]) => memberOf(name, one as JsonSchema, names.includes(name), typeOf))),
    );
  // Not Record, which a collection may be called.
  return plain(`{ [name: string]: ${isObject(additionalProperties) ? schemaType(additionalProperties) : "unknown"} }`);
}

function arrayOf({ prefixItems, items, minItems, maxItems = Infinity }: SchemaObject): TypeText {
  const rest = `${element(typeText(items as JsonSchema))}[]`;
  if (!Array.isArray(prefixItems)) return plain(rest);
  const first = typesOf(prefixItems).map(
    (type, index) => `${element(type)}${index < Number(minItems ?? 0) ? "" : "?"}`,
  );
  const isOpen = items !== false && Number(maxItems) > first.length;
  return plain(`[${[...first.slice(0, Number(maxItems)), ...(isOpen ? [`...${rest}`] : [])].join(", ")}]`);
}

function namedType(type: unknown, schema: SchemaObject): TypeText {
  switch (type) {
    case "object":
      return objectOf(schema);
    case "array":
      return arrayOf(schema);
    case "integer":
      return plain("number");
    case "string":
    case "number":
    case "boolean":
    case "null":
      return plain(type);
    default:
      return unknown;
  }
}

const literal = (value: unknown) => plain(JSON.stringify(value));

/** The type of a schema without the schemas that it combines. */
function ownType(schema: SchemaObject): TypeText {
  const { type, enum: values } = schema;
  if ("const" in schema) return literal(schema["const"]);
  if (Array.isArray(values)) return joined(values.map(literal), "union");
  if (type === undefined) return isObject(schema["properties"]) ? objectOf(schema) : unknown;
  return joined(
    [type].flat().map((one) => namedType(one, schema)),
    "union",
  );
}

const typesOf = (schemas: unknown) => (Array.isArray(schemas) ? (schemas as JsonSchema[]).map(typeText) : []);
const isKnown = ({ text }: TypeText) => text !== "unknown";

function typeText(schema: JsonSchema): TypeText {
  if (!isObject(schema)) return schema === false ? plain("never") : unknown;
  const { $ref } = schema;
  if (typeof $ref === "string")
    return $ref.startsWith(componentPath) ? plain(typeName($ref.slice(componentPath.length))) : unknown;
  const choices = [schema["anyOf"], schema["oneOf"]].map(typesOf);
  const parts = [
    ownType(schema),
    ...typesOf(schema["allOf"]),
    ...choices.map((types) => (types.every(isKnown) ? joined(types, "union") : unknown)),
  ];
  return joined(parts.filter(isKnown), "intersection");
}

/** @param schema of a description: references lead to its components */
export const schemaType = (schema: JsonSchema): string => typeText(schema).text;

const partType = (schema: JsonSchema) =>
  isObject(schema) && schema["format"] === "binary" ? "globalThis.File" : schemaType(schema);

/** The type of a form with files. The server needs their names, which a Blob lacks. */
export const formType = (schema: JsonSchema): string =>
  isObject(schema) ? objectOf(schema, partType).text : "unknown";
