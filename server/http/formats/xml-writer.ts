import { isObject } from "../../contract/is-object.ts";
import { forbiddenInXml } from "../../foreign/xml-markup.ts";
import { scalarOf, type TextSchema } from "./coerce-text.ts";
import { instanceNamespace, shapeOf } from "./xml-types.ts";

/** The schemas by which the values of a result are read when they are sent back. */
export type XmlGuide = Pick<TextSchema, "types"> & {
  member(name: string): XmlGuide | undefined;
  item(index: number): XmlGuide | undefined;
};

/**
 * XML text of a result (our choice; the spec only says "JSON or XML"). Root `<result>`; object members are elements, array
 * items repeated `<item>`; a name that XML forbids is `<entry key="…">`; a string that XML 1.0 cannot carry is base64 of its
 * UTF-8 with `encoding="base64"`. Null is omitted.
 * @param guide Makes the result one that is read as the same value: null is written with `xsi:nil="true"`, and a value that
 * its schema would take for another has its `type`.
 */
export function writeXml(value: unknown, { relaxed }: { readonly relaxed: boolean }, guide?: XmlGuide): string {
  const root = element("result", "", value ?? {}, guide, relaxed);
  const declared = root.includes(nilAttribute)
    ? root.replace("<result", `<result xmlns:xsi="${instanceNamespace}"`)
    : root;
  return `<?xml version="1.0" encoding="UTF-8"?>${declared}`;
}

/** ASCII names, except those that begin with "xml", which XML reserves, and those that XML readers refuse. */
const plainName = /^(?!xml|(?:__proto__|prototype|constructor)$)[A-Za-z_][A-Za-z0-9_.-]*$/i;
const nilAttribute = ' xsi:nil="true"';

const isNone = (value: unknown) => value === null || value === undefined || typeof value === "function";

function element(
  name: string,
  attributes: string,
  value: unknown,
  guide: XmlGuide | undefined,
  relaxed: boolean,
): string {
  if (isNone(value)) return guide && value === null ? `<${name}${attributes}${nilAttribute}/>` : "";
  const marked = attributes + (guide ? typeAttribute(value, guide.types) : "");
  if (typeof value === "string" && forbiddenInXml.test(value)) {
    const base64 = Buffer.from(value, "utf8").toString("base64");
    return `<${name}${marked} encoding="base64">${base64}</${name}>`;
  }
  return `<${name}${marked}>${content(value, guide, relaxed)}</${name}>`;
}

/** The attribute that tells a value from the one that its schema would take it for. */
function typeAttribute(value: unknown, types: readonly string[]): string {
  if (Array.isArray(value))
    return shapeOf(types, { hasText: false, names: value.map(() => "item") }) === "list" ? "" : ' type="list"';
  if (isObject(value)) {
    const names = Object.keys(value).map((name) => (plainName.test(name) ? name : "entry"));
    return shapeOf(types, { hasText: false, names }) === "object" ? "" : ' type="object"';
  }
  const text = String(value);
  const isText = shapeOf(types, { hasText: text.trim() !== "", names: [] }) === "text";
  return isText && scalarOf(text, types) === value ? "" : ` type="${typeof value}"`;
}

function content(value: unknown, guide: XmlGuide | undefined, relaxed: boolean): string {
  if (Array.isArray(value))
    return value.map((item, index) => element("item", "", item, guide?.item(index), relaxed)).join("");
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object" && value !== null) {
    return Object.entries(value)
      .map(([key, member]) =>
        plainName.test(key)
          ? element(key, "", member, guide?.member(key), relaxed)
          : element("entry", keyAttributes(key, relaxed), member, guide?.member(key), relaxed),
      )
      .join("");
  }
  return escapeXml(String(value), relaxed);
}

const keyAttributes = (key: string, relaxed: boolean) =>
  forbiddenInXml.test(key)
    ? ` key="${Buffer.from(key, "utf8").toString("base64")}" key-encoding="base64"`
    : ` key="${escapeXml(key, relaxed)}"`;

const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
  "\n": "&#10;",
  "\t": "&#9;",
};

/** Escapes a text for an element or an attribute. */
export function escapeXml(text: string, relaxed: boolean): string {
  const safe = text.replace(/[&<>"\r\n\t]/g, (character) => escapes[character] ?? character);
  // oxlint-disable-next-line no-control-regex -- the range is exactly ASCII
  return relaxed ? safe : safe.replace(/[^\u0000-\u007f]/gu, (character) => `&#${String(character.codePointAt(0))};`);
}
