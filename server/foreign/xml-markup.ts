/** Finds markup that XML parsers are slow for, drop or accept wrongly. */

/** Includes unpaired surrogates. */
export const forbiddenInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** A piece without an end extends to the end of the text, so that each position is read once. */
const comment = "<!--[^]*?(?:-->|$)";
const section = String.raw`<!\[[^]*?(?:\]\]>|$)`;
/** Like the parser: its quotes may contain its end, and its first question mark may already end it. */
const instruction = String.raw`<(?=\?)(?:[^?"']+|\?(?!>)|"[^"]*"|'[^']*')*`;
const quoted = `"[^"]*(?:"|$)|'[^']*(?:'|$)`;

/** Markup that begins like a tag but is none, as the source of a pattern. */
export const noTag = `${comment}|${section}|${instruction}`;

/** Finds tags by their beginning; they end before `>`, or the `<` of the next tag. */
const markup = new RegExp(
  `${comment}|(?=<!\\[CDATA\\[)${section}|(?<tag>${instruction}|<(?:[^<>"']+|${quoted})*)`,
  "g",
);
const values = new RegExp(quoted, "g");
const references = new RegExp(`${noTag}|&#(?:[xX](?<hex>[0-9a-fA-F]+)|(?<decimal>\\d+));`, "g");

/** Opening, closing and empty tags and instructions outside of comments and CDATA. */
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
 * Why a document is not well-formed although a parser accepts it: a `<` that begins no tag, as in an attribute, behind
 * which references could hide from this check, or a forbidden character, literally or as a numeric reference.
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
