/** What parsers of XML take long for, drop or let through. */

/** Unpaired surrogates are among it. */
export const forbiddenInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** What begins and does not end is read up to the text's end, so that each place is read once. */
const comment = "<!--[^]*?(?:-->|$)";
const section = String.raw`<!\[[^]*?(?:\]\]>|$)`;
/** As the parser takes it: its quotes may hold its end, and its own question mark may be the one that ends it. */
const instruction = String.raw`<(?=\?)(?:[^?"']+|\?(?!>)|"[^"]*"|'[^']*')*`;
const quoted = `"[^"]*(?:"|$)|'[^']*(?:'|$)`;

/** What begins as a tag does and is none, as the source of a pattern. */
export const noTag = `${comment}|${section}|${instruction}`;

/** Tags are found by their beginning; they end before `>`, or the `<` of another one. */
const markup = new RegExp(
  `${comment}|(?=<!\\[CDATA\\[)${section}|(?<tag>${instruction}|<(?:[^<>"']+|${quoted})*)`,
  "g",
);
const values = new RegExp(quoted, "g");
const references = new RegExp(`${noTag}|&#(?:[xX](?<hex>[0-9a-fA-F]+)|(?<decimal>\\d+));`, "g");

/** Opening, closing and empty tags and instructions, whatever comments and CDATA have. */
function* tagsOf(xml: string): Generator<string> {
  for (const { groups } of xml.matchAll(markup)) if (groups?.["tag"] !== undefined) yield groups["tag"];
}

/** Whether the document has more than `most` tags and attributes. */
export function hasMoreTags(xml: string, most: number): boolean {
  let count = 0;
  for (const tag of tagsOf(xml)) if ((count += 1 + (tag.match(values)?.length ?? 0)) > most) return true;
  return false;
}

/**
 * Why a document is not well-formed although a parser takes it for that: a `<` that begins no tag, as in an attribute,
 * behind which references could hide from this check, or a forbidden character, as itself or as a numeric reference.
 */
export function markupFlawOf(xml: string): "less_than" | "character" | undefined {
  for (const tag of tagsOf(xml))
    if (tag.startsWith("<!") || (tag.includes("<", 1) && !tag.startsWith("<?"))) return "less_than";
  return hasForbiddenCharacter(xml) ? "character" : undefined;
}

function hasForbiddenCharacter(xml: string): boolean {
  if (forbiddenInXml.test(xml)) return true;
  for (const { groups: { hex, decimal } = {} } of xml.matchAll(references)) {
    if (hex === undefined && decimal === undefined) continue;
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
    if (code > 0x10ffff || forbiddenInXml.test(String.fromCodePoint(code))) return true;
  }
  return false;
}
