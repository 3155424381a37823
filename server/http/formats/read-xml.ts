/**
 * Reads XML bodies in the form that xml-writer.ts writes. The body's schema decides what XML cannot express: text or
 * number, one item or many.
 */
import { isUtf8 } from "node:buffer";
import { XMLParser, XMLValidator, type ValidationError } from "fast-xml-parser";
import type { z } from "zod";
import { scalarOf, textSchemaOf, type TextSchema } from "./coerce-text.ts";
import { hasDocumentType, otherEncodingOf, xmlFlawOf, type XmlFlaw } from "../../foreign/xml-document.ts";
import { hasMoreTags } from "../../foreign/xml-markup.ts";
import { refuse } from "../http-error.ts";

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly Element[];
}

const maxDepth = 64;
/** Opening, closing and empty tags, and attributes: the parser is slow for each, and other requests wait. */
const mostTags = 50_000;

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

const flaws = {
  less_than: "xml.lessThan",
  character: "xml.character",
  roots: "xml.beside",
  reference: "xml.entity",
  section_end: "xml.sectionEnd",
} as const satisfies Record<XmlFlaw, string>;

/**
 * The value of an XML document with any root element, converted by `schema`.
 * @throws HttpError 400 for a malformed document, a forbidden character, a document type, text beside elements, too deep
 * nesting, or too many tags; 415 for a declared encoding other than UTF-8, which a charset of the header outranks
 */
export function readXml(text: string, schema: z.ZodType, charset?: string): unknown {
  if (hasDocumentType(text)) throw refuse("xml.doctype");
  const encoding = charset === undefined ? otherEncodingOf(text) : undefined;
  if (encoding !== undefined) throw refuse("body.charset", { charset: encoding });
  if (hasMoreTags(text, mostTags)) throw refuse("xml.tags", { mostTags });
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw notWellFormed(valid.err);
  const flaw = xmlFlawOf(text);
  if (flaw) throw refuse(flaws[flaw]);
  const [root] = elementsOf(parse(text), 0);
  if (!root) throw refuse("xml.rootless");
  return valueOf(root, textSchemaOf(schema));
}

export const isXml = (text: string): boolean => XMLValidator.validate(text) === true;

/** Uses only the position from the parser's message, which may quote a password in the body. */
const notWellFormed = ({ line, col }: ValidationError["err"]) => refuse("xml.at", { line, column: col });

/** @throws HttpError 400 for names that the parser refuses, because they reach prototypes */
function parse(text: string): unknown[] {
  try {
    return parser.parse(text) as unknown[];
  } catch (error) {
    throw refuse("xml.name", undefined, { cause: error });
  }
}

/** Reads quoted values of attributes like those of a body. All are put into one tag, because each tag takes long. */
export function readAttributes(quoted: readonly string[]): (string | undefined)[] {
  const tag = `<a ${quoted.map((value, index) => `a${String(index)}=${value}`).join(" ")}/>`;
  const [node] = parser.parse(tag) as { readonly ":@"?: Element["attributes"] }[];
  return quoted.map((_value, index) => node?.[":@"]?.[`a${String(index)}`]);
}

function elementsOf(nodes: readonly unknown[], depth: number): Element[] {
  if (depth > maxDepth) throw refuse("body.tooDeep", { maxDepth });
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
  const bytes = Buffer.from(text, "base64");
  const unpadded = (base64: string) => base64.replace(/={0,2}$/, "");
  if (unpadded(bytes.toString("base64")) !== unpadded(text.replace(/\s+/g, "")) || !isUtf8(bytes))
    throw refuse("xml.base64", { name }, { field: name });
  return bytes.toString("utf8");
}

function valueOf(element: Element, schema: TextSchema): unknown {
  const { name, children } = element;
  const { types } = schema;
  const hasText = element.text.trim() !== "";
  if (hasText && children.length > 0) throw refuse("xml.mixed", { name }, { field: name });
  // Validation refuses text in the place of a list or an object.
  if (hasText) return scalarOf(textOf(element), types);
  const isList = children.every((child) => child.name === "item");
  const mayBeObject = types.length === 0 || types.includes("object");
  if (types.includes("array") ? isList || !mayBeObject : types.length === 0 && children.length > 0 && isList)
    return children.map((child, index) => valueOf(child, schema.item(index)));
  if (types.includes("object") || children.length > 0) return membersOf(element, schema);
  return scalarOf(textOf(element), types);
}

function membersOf(element: Element, schema: TextSchema): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const child of element.children) {
    const name = child.name === "entry" ? (child.attributes["key"] ?? "entry") : child.name;
    if (name === "__proto__") throw refuse("body.name", { name }, { field: name });
    if (Object.hasOwn(members, name)) throw refuse("body.twice", { name }, { field: name });
    members[name] = valueOf(child, schema.member(name));
  }
  return members;
}
