/** XML of version 2: one flat element of text fields. Entities and document types are never resolved. */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { readPlainXml } from "./plain-xml.ts";
import type { FieldsV2 } from "./sign-v2.ts";

/** The text is no message of version 2; the words say why. */
export class XmlFormatError extends Error {
  override readonly name = "XmlFormatError";
}

const parser = new XMLParser({
  parseTagValue: false,
  trimValues: false,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

/**
 * The fields of a message, whatever its root is called.
 * @throws XmlFormatError for what is not well-formed, has a document type, a nested field or a field twice
 */
export function readXmlV2(text: string): Record<string, string> {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new XmlFormatError("a document type is refused");
  const plain = readPlainXml(text);
  if (plain) return plain;
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new XmlFormatError(`${valid.err.msg} (line ${String(valid.err.line)})`);
  const [root] = Object.values(parse(text));
  if (typeof root !== "object" || root === null || Array.isArray(root))
    throw new XmlFormatError("one root element with fields in it is needed");
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

/** `]]>` cannot stand in a CDATA section: it is cut in two there. */
const cdata = (text: string) => `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;

/** Writes a message; values in CDATA. Empty fields are left out. */
export function writeXmlV2(fields: FieldsV2, root = "xml"): string {
  const elements = Object.entries(fields).map(([name, value]) =>
    value === "" ? "" : `<${name}>${cdata(value)}</${name}>`,
  );
  return `<${root}>${elements.join("")}</${root}>`;
}
