/**
 * Reads XML bodies in the form that xml-writer.ts writes. The body's schema decides what XML cannot express: text or
 * number, one item or many.
 */
import { XMLParser, XMLValidator, type ValidationError } from "fast-xml-parser";
import type { z } from "zod";
import { isObject } from "../../contract/is-object.ts";
import { propertiesOf, typesOf, type JsonSchema } from "../../json-schema/json-schema.ts";
import { jsonSchemaOf, scalarOf } from "./coerce-text.ts";
import { badRequest, HttpError } from "../http-error.ts";

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly Element[];
}

const maxDepth = 64;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  htmlEntities: true, // numeric references; a document type, which could define others, is refused before
  ignoreDeclaration: true,
  ignorePiTags: true,
  onDangerousProperty: (name) => name, // membersOf asks only for an object's own members
});

/**
 * The value of an XML document with any root element, converted by `schema`.
 * @throws HttpError 400 for a malformed document, a document type, or too deep nesting
 */
export function readXml(text: string, schema: z.ZodType): unknown {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
    throw badRequest("bad_xml", "The XML has a document type, which is refused: send elements only.");
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw badRequest("bad_xml", `The body is not well-formed XML: ${reasonOf(valid.err)}.`);
  const [root] = elementsOf(parse(text), 0);
  if (!root) throw badRequest("bad_xml", "The XML has no root element.");
  return valueOf(root, jsonSchemaOf(schema));
}

/** The parser's messages may quote much of the body. */
const reasonOf = ({ msg, line }: ValidationError["err"]) =>
  `${msg.length > 200 ? `${msg.slice(0, 200)}…` : msg} (line ${String(line)})`;

/** @throws HttpError 400 for names that the parser refuses, because they reach prototypes */
function parse(text: string): unknown[] {
  try {
    return parser.parse(text) as unknown[];
  } catch (error) {
    throw new HttpError(400, "bad_xml", "The XML holds a name or a reference that is refused.", { cause: error });
  }
}

function elementsOf(nodes: readonly unknown[], depth: number): Element[] {
  if (depth > maxDepth) throw badRequest("too_deep", `The body is nested deeper than ${String(maxDepth)} levels.`);
  return nodes.flatMap((node): Element[] => {
    const { ":@": attributes = {}, ...named } = node as Record<string, unknown>;
    const [entry] = Object.entries(named);
    if (!entry || entry[0].startsWith("#")) return [];
    const inner = entry[1] as Record<string, unknown>[];
    const text = inner.map((one) => (typeof one["#text"] === "string" ? one["#text"] : "")).join("");
    return [
      {
        name: entry[0],
        attributes: attributes as Record<string, string>,
        text,
        children: elementsOf(inner, depth + 1),
      },
    ];
  });
}

function textOf({ attributes, text, name }: Element): string {
  if (attributes["encoding"] !== "base64") return text;
  const decoded = Buffer.from(text, "base64").toString("utf8");
  if (!decoded.isWellFormed()) throw badRequest("bad_encoding", `"${name}" is not the base64 of UTF-8.`, name);
  return decoded;
}

function valueOf(element: Element, schema: JsonSchema): unknown {
  const types = typesOf(schema);
  if (
    types.includes("array") ||
    (types.length === 0 && element.children.length > 0 && element.children.every(({ name }) => name === "item"))
  ) {
    const items = isObject(schema) ? ((schema["items"] ?? {}) as JsonSchema) : {};
    return element.children.map((child) => valueOf(child, items));
  }
  if (types.includes("object") || element.children.length > 0) return membersOf(element, schema);
  return scalarOf(textOf(element), types);
}

function membersOf(element: Element, schema: JsonSchema): Record<string, unknown> {
  const properties = propertiesOf(schema);
  const others = isObject(schema) ? ((schema["additionalProperties"] ?? {}) as JsonSchema) : {};
  const members: Record<string, unknown> = {};
  for (const child of element.children) {
    const name = child.name === "entry" ? (child.attributes["key"] ?? "entry") : child.name;
    if (name === "__proto__") throw badRequest("bad_name", `"${name}" is not allowed as a name.`, name);
    if (Object.hasOwn(members, name))
      throw badRequest("duplicate_field", `"${name}" is given twice in the body: send it once.`, name);
    members[name] = valueOf(child, Object.hasOwn(properties, name) ? (properties[name] ?? others) : others);
  }
  return members;
}
