/**
 * Finds secrets in XML as the parser of read-xml.ts takes it apart: its comments, sections and instructions hold no
 * tags, and its quotes may hold `>`. An element ends where its last child has ended, whatever its text looks like.
 */
import { attributesIn } from "../../../http/formats/read-xml.ts";
import { matchAt, type FindSecrets } from "./secret-place.ts";

interface Tag {
  readonly kind: "open" | "close" | "empty";
  readonly name: string;
  /** As written, without the bracket that closes it. */
  readonly written: string;
  readonly from: number;
  readonly to: number;
}

const tagName = /[^\s/>]*/y;
const afterEquals = /=\s*(?:"[^"]*"|'[^']*')?/y;
/** Quotes in an instruction may hold its end. Its own question mark may be the one that ends it. */
const instruction = /<(?:[^?"']|\?(?!>)|"[^"]*"|'[^']*')*/y;

/** The bracket that ends a tag, outside of the values of its attributes; -1 where the text ends first. */
function endOfTag(text: string, from: number): number {
  for (let at = from; at < text.length; at++)
    if (text[at] === ">") return at;
    else if (text[at] === "=") at += matchAt(afterEquals, text, at).length - 1;
  return -1;
}

/** Where what is no tag and begins at `at` has ended; undefined for a tag. */
function endOfOther(text: string, at: number): number | undefined {
  if (text.startsWith("<?", at)) return at + matchAt(instruction, text, at).length;
  const mark = text.startsWith("<!--", at) ? "-->" : text.startsWith("<![", at) ? "]]>" : undefined;
  if (mark === undefined) return undefined;
  const end = text.indexOf(mark, mark === "-->" ? at + 4 : at);
  return end < 0 ? text.length : end + mark.length;
}

function* tagsIn(text: string): Generator<Tag> {
  let from = text.indexOf("<");
  while (from >= 0) {
    let to = endOfOther(text, from);
    if (to === undefined) {
      const closes = text[from + 1] === "/";
      const end = closes ? text.indexOf(">", from) : endOfTag(text, from + 1);
      if (end < 0) return;
      const kind = closes ? "close" : text[end - 1] === "/" ? "empty" : "open";
      const name = matchAt(tagName, text, from + (closes ? 2 : 1));
      to = end + 1;
      yield { kind, name, written: text.slice(from, end), from, to };
    }
    from = text.indexOf("<", to);
  }
}

/** The field that an element is for: names that XML does not allow are in an attribute. */
const fieldOf = ({ name, written }: Tag) => (name === "entry" ? (attributesIn(`${written}/>`)["key"] ?? name) : name);

export const secretsInXml: FindSecrets = function* (text, isSecret) {
  let secret: { readonly name: string; readonly element: string; readonly from: number } | undefined;
  let depth = 0;
  for (const tag of tagsIn(text))
    if (tag.kind === "open" && secret) depth++;
    else if (tag.kind === "open") {
      const name = fieldOf(tag);
      if (!isSecret(name)) continue;
      secret = { name, element: tag.name, from: tag.to };
      depth = 1;
    } else if (tag.kind === "close" && secret && --depth <= 0 && tag.name === secret.element) {
      yield { name: secret.name, from: secret.from, to: tag.from };
      secret = undefined;
    }
  if (secret) yield { name: secret.name, from: secret.from, to: text.length };
};
