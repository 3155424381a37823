/**
 * Finds secrets in XML as the parser of read-xml.ts takes it apart: its comments, sections and instructions hold no
 * tags, and its quotes may hold `>`. An element ends where its last child has ended, whatever its text looks like.
 */
import { noTag } from "../../../foreign/xml-markup.ts";
import { readAttributes } from "../../../http/formats/read-xml.ts";
import { matchAt, type FindSecrets } from "./secret-place.ts";

interface Tag {
  readonly kind: "open" | "close" | "empty";
  readonly name: string;
  /** The value of the attribute that names a field, as written in its quotes: names that XML does not allow are there. */
  readonly key: string | undefined;
  readonly from: number;
  readonly to: number;
}

const tagName = /[^\s/>]*/y;
/** An attribute as the parser takes it, with its value in quotes if it has one. */
const attribute = /([^\s=]+)\s*(?:=\s*("[^"]*"|'[^']*'))?/g;
const afterEquals = /=\s*(?:"[^"]*"|'[^']*')?/y;
const other = new RegExp(noTag, "y");

/** The bracket that ends a tag, outside of the values of its attributes; -1 where the text ends first. */
function endOfTag(text: string, from: number): number {
  for (let at = from; at < text.length; at++)
    if (text[at] === ">") return at;
    else if (text[at] === "=") at += matchAt(afterEquals, text, at).length - 1;
  return -1;
}

function* tagsIn(text: string): Generator<Tag> {
  let from = text.indexOf("<");
  while (from >= 0) {
    let to = from + matchAt(other, text, from).length;
    if (to === from) {
      const closes = text[from + 1] === "/";
      const end = closes ? text.indexOf(">", from) : endOfTag(text, from + 1);
      if (end < 0) return;
      const kind = closes ? "close" : text[end - 1] === "/" ? "empty" : "open";
      const name = matchAt(tagName, text, from + (closes ? 2 : 1));
      const key = name === "entry" ? keyIn(text.slice(from + 1 + name.length, end)) : undefined;
      to = end + 1;
      yield { kind, name, key, from, to };
    }
    from = text.indexOf("<", to);
  }
}

function keyIn(attributes: string): string | undefined {
  if (!attributes.includes("key")) return undefined;
  let key: string | undefined;
  for (const [, name, quoted] of attributes.matchAll(attribute)) if (name === "key") key = quoted ?? key;
  return key;
}

/** The fields of entries by their keys as written. All are read at once, because each start of a parser is slow. */
function fieldsOf(tags: readonly Tag[]): ReadonlyMap<string | undefined, string | undefined> {
  const keys = [...new Set(tags.map(({ key }) => key))].filter((key) => key !== undefined);
  const fields = keys.length === 0 ? [] : readAttributes(keys);
  return new Map(keys.map((key, index) => [key, fields[index]]));
}

export const secretsInXml: FindSecrets = function* (text, isSecret) {
  let secret: { readonly name: string; readonly element: string; readonly from: number } | undefined;
  let depth = 0;
  const tags = [...tagsIn(text)];
  const fields = fieldsOf(tags);
  for (const tag of tags)
    if (tag.kind === "open" && secret) depth++;
    else if (tag.kind === "open") {
      const name = fields.get(tag.key) ?? tag.name;
      if (!isSecret(name)) continue;
      secret = { name, element: tag.name, from: tag.to };
      depth = 1;
    } else if (tag.kind === "close" && secret && --depth <= 0 && tag.name === secret.element) {
      yield { name: secret.name, from: secret.from, to: tag.from };
      secret = undefined;
    }
  if (secret) yield { name: secret.name, from: secret.from, to: text.length };
};
