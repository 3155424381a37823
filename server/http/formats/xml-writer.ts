import { forbiddenInXml } from "../../foreign/xml-markup.ts";

/**
 * XML text of a result (our choice; the spec only says "JSON or XML"). Root `<result>`; object members are elements, array
 * items repeated `<item>`; a name that XML forbids is `<entry key="…">`; null is omitted; a string that XML 1.0 cannot
 * carry is base64 of its UTF-8 with `encoding="base64"`.
 */
export function writeXml(value: unknown, style: { readonly relaxed: boolean }): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${element("result", "", value ?? {}, style.relaxed)}`;
}

/** ASCII names, except those that begin with "xml", which XML reserves, and those that XML readers refuse. */
const plainName = /^(?!xml|(?:__proto__|prototype|constructor)$)[A-Za-z_][A-Za-z0-9_.-]*$/i;

function element(name: string, attributes: string, value: unknown, relaxed: boolean): string {
  if (value === null || value === undefined || typeof value === "function") return "";
  if (typeof value === "string" && forbiddenInXml.test(value)) {
    const base64 = Buffer.from(value, "utf8").toString("base64");
    return `<${name}${attributes} encoding="base64">${base64}</${name}>`;
  }
  return `<${name}${attributes}>${content(value, relaxed)}</${name}>`;
}

function content(value: unknown, relaxed: boolean): string {
  if (Array.isArray(value)) return value.map((item) => element("item", "", item, relaxed)).join("");
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object" && value !== null) {
    return Object.entries(value)
      .map(([key, member]) =>
        plainName.test(key)
          ? element(key, "", member, relaxed)
          : element("entry", ` key="${keyText(key, relaxed)}"`, member, relaxed),
      )
      .join("");
  }
  return escapeXml(String(value), relaxed);
}

/** An attribute cannot mark base64, so it has forbidden characters as \uXXXX. */
const keyText = (key: string, relaxed: boolean) =>
  escapeXml(
    key.replace(new RegExp(forbiddenInXml, "gu"), (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    relaxed,
  );

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
