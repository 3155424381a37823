/** XML of version 2: one flat element of text fields. A document type, which could define entities, is refused. */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { hasDocumentType, xmlFlawOf, type XmlFlaw } from "../foreign/xml-document.ts";
import { readPlainXml } from "./plain-xml.ts";
import type { FieldsV2 } from "./sign-v2.ts";

/** The text is no message of version 2; the error's message says why. */
export class XmlFormatError extends Error {
  override readonly name = "XmlFormatError";
}

const parser = new XMLParser({
  parseTagValue: false,
  trimValues: false,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  htmlEntities: true, // numeric references, as Go writes quotes and Python writes Chinese
});

const flaws: Readonly<Record<XmlFlaw, string>> = {
  less_than: 'it holds a "<" that begins no tag: write "&lt;" there',
  character: "it holds a character that XML forbids",
  roots: "it has something beside its root element",
  reference: 'it refers to an unknown entity: write "&amp;" for "&"',
  section_end: 'it holds "]]>" in a text: write "]]&gt;" there',
  comment: 'a comment of it holds "--"',
  declaration: "it has a declaration that does not begin it",
};

/**
 * The fields of a message, whatever the name of its root.
 * @throws XmlFormatError if it is not well-formed, or has a document type, a nested field or a repeated field
 */
export function readXmlV2(text: string): Record<string, string> {
  if (hasDocumentType(text)) throw new XmlFormatError("a document type is refused");
  const plain = readPlainXml(text);
  if (plain) return plain;
  const valid = XMLValidator.validate(text);
  if (valid !== true) {
    const { line, col } = valid.err; // its message may quote a secret
    throw new XmlFormatError(`it is not well-formed: look at line ${String(line)}, column ${String(col)}`);
  }
  const flaw = xmlFlawOf(text);
  if (flaw) throw new XmlFormatError(flaws[flaw]);
  const [root] = Object.values(parse(text));
  if (typeof root !== "object" || root === null || Array.isArray(root))
    throw new XmlFormatError("one root element with fields in it is required");
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(root)) {
    if (name === "#text") continue; // white space between the fields
    if (typeof value !== "string") throw new XmlFormatError(`the field ${name} is there twice, or has fields itself`);
    fields[name] = value;
  }
  return fields;
}

function parse(text: string): Record<string, unknown> {
  try {
    return parser.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new XmlFormatError("a name or a reference in it is refused", { cause: error });
  }
}

const beyondCdata = /\]\]>|\r/;
const split = (text: string) => text.replaceAll("]]>", "]]]]><![CDATA[>").replaceAll("\r", "]]>&#13;<![CDATA[");

/** A CDATA section cannot contain `]]>`, nor a carriage return, which parsers make a line feed: it is split there. */
const cdata = (text: string) => `<![CDATA[${beyondCdata.test(text) ? split(text) : text}]]>`;

/** Writes a message with its values in CDATA. Empty fields are omitted. */
export function writeXmlV2(fields: FieldsV2, root = "xml"): string {
  let elements = "";
  for (const name of Object.keys(fields)) {
    const value = fields[name] ?? "";
    if (value !== "") elements += `<${name}>${cdata(value)}</${name}>`;
  }
  return `<${root}>${elements}</${root}>`;
}
