/**
 * Reads XML bodies in the form that xml-writer.ts writes. The attributes `type` and `xsi:nil` decide what XML cannot express
 * otherwise: text or number, one item or many. Without them the body's schema does.
 */
import { isUtf8 } from "node:buffer";
import { XMLParser, XMLValidator, type ValidationError } from "fast-xml-parser";
import type { z } from "zod";
import { scalarOf, scalarsOf, textSchemaOf, type TextSchema } from "./coerce-text.ts";
import type { TextReading } from "./reading.ts";
import { shapeOf, type ElementShape } from "./xml-types.ts";
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
  comment: "xml.comment",
  declaration: "xml.declaration",
} as const satisfies Record<XmlFlaw, string>;

/**
 * The value of an XML document with any root element, converted by `schema`.
 * @throws HttpError 400 for a malformed document, a forbidden character, a document type, text beside elements, too deep
 * nesting, or too many tags; 415 for a declared encoding other than UTF-8, which a charset of the header outranks
 */
export function readXml(text: string, schema: z.ZodType, charset?: string): TextReading {
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
  const others: OtherReading[] = [];
  return { value: valueOf(root, textSchemaOf(schema), [], others), others };
}

export const isXml = (text: string): boolean => XMLValidator.validate(text) === true;

/** Uses only the position from the parser's message, which may quote a password in the body. */
const notWellFormed = ({ line, col }: Partial<ValidationError["err"]>) =>
  line === undefined || col === undefined ? refuse("xml.rootless") : refuse("xml.at", { line, column: col });

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

type Path = readonly string[];
type OtherReading = TextReading["others"][number];

const isNil = ({ attributes }: Element) =>
  Object.entries(attributes).some(([name, value]) => /(?:^|:)nil$/.test(name) && /^(?:true|1)$/.test(value));

function valueOf(element: Element, schema: TextSchema, path: Path, others: OtherReading[]): unknown {
  const { name, attributes, children } = element;
  const { types } = schema;
  const names = children.map((child) => child.name);
  const hasText = element.text.trim() !== "";
  if (hasText && children.length > 0) throw refuse("xml.mixed", { name }, { field: name });
  if (!hasText && children.length === 0 && isNil(element)) return null;
  const read = {
    list: (found: OtherReading[]) =>
      children.map((child, index) => valueOf(child, schema.item(index), [...path, String(index)], found)),
    object: (found: OtherReading[]) => membersOf(element, schema, path, found),
    text: () => scalarOf(textOf(element), types),
  };
  const { type } = attributes;
  // Validation refuses text in the place of a list or an object.
  if (!hasText && (type === "list" || type === "object")) return read[type](others);
  if (children.length === 0 && type === "string") return textOf(element);
  if (children.length === 0 && (type === "number" || type === "boolean")) return scalarOf(textOf(element), [type]);
  const shape = shapeOf(types, { hasText, names });
  const value = read[shape](others);
  const mayBe = (one: string) => types.length === 0 || types.includes(one);
  const isAnother = (one: ElementShape) => one !== shape && !hasText && mayBe(one === "list" ? "array" : one);
  if (isAnother("list") && names.every((one) => one === "item")) others.push({ path, value: read.list([]) });
  if (isAnother("object") && children.length < 2) others.push({ path, value: read.object([]) });
  if (children.length === 0)
    others.push(...scalarsOf(textOf(element)).flatMap((one) => (one === value ? [] : [{ path, value: one }])));
  return value;
}

/** The name that an element stands for. */
function nameOf({ name, attributes }: Element): string {
  if (name !== "entry") return name;
  const key = attributes["key"] ?? "entry";
  return attributes["key-encoding"] === "base64" ? Buffer.from(key, "base64").toString("utf8") : key;
}

function membersOf(element: Element, schema: TextSchema, path: Path, others: OtherReading[]): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const child of element.children) {
    const name = nameOf(child);
    if (name === "__proto__") throw refuse("body.name", { name }, { field: name });
    if (Object.hasOwn(members, name)) throw refuse("body.twice", { name }, { field: name });
    members[name] = valueOf(child, schema.member(name), [...path, name], others);
  }
  return members;
}
