/** Finds flaws of XML documents with matching tags, which the parser does not report. */
import { markupFlawOf } from "./xml-markup.ts";

/** A piece without an end extends to the end of the text, so that each position is read once. */
const pieces =
  /(?<comment><!--[^]*?(?:-->|$))|(?<instruction><\?[^]*?(?:\?>|$))|(?<section><!\[CDATA\[[^]*?(?:\]\]>|$))|(?<tag><(?:[^<>"']+|"[^"]*(?:"|$)|'[^']*(?:'|$))*>?)|(?<text>[^<]+)/g;
/** XML knows five entities; a document type, which could declare others, is refused before. */
const unknownReference = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i;

const documentType = /<!(?:DOCTYPE|ENTITY)/i;

/** Whether markup declares a document type. In a comment or a CDATA section the same characters are text. */
export const hasDocumentType = (xml: string): boolean =>
  documentType.test(xml) && [...xml.matchAll(pieces)].some(({ groups }) => documentType.test(groups?.["tag"] ?? ""));

/**
 * The first flaw: a second root or content beside the root, a reference to nothing, the end of a section that none has begun,
 * two hyphens in a comment, a declaration that is not at the beginning (XML 1.0, 2.5 and 2.6).
 */
function structureFlawOf(xml: string): "roots" | "reference" | "section_end" | "comment" | "declaration" | undefined {
  let depth = 0;
  let roots = 0;
  for (const { index, groups: { comment, instruction, section, tag, text } = {} } of xml.matchAll(pieces)) {
    if (comment?.slice(4, -3).includes("--") === true || comment?.endsWith("--->") === true) return "comment";
    if (index > 0 && instruction !== undefined && /^<[?]xml(?=[\s?])/i.test(instruction)) return "declaration";
    if (instruction?.startsWith("<?XML") === true) return "declaration";
    if (tag?.startsWith("</")) depth -= 1;
    else if (tag !== undefined) {
      if (depth === 0) roots += 1;
      if (!tag.endsWith("/>")) depth += 1;
    }
    const isBeside = depth === 0 && (section !== undefined || (text !== undefined && text.trim() !== ""));
    if (roots > 1 || isBeside) return "roots";
    if (unknownReference.test(tag ?? text ?? "")) return "reference";
    if (text?.includes("]]>")) return "section_end";
  }
  return undefined;
}

/** The first flaw of a text that a parser accepts. */
export const xmlFlawOf = (xml: string) => markupFlawOf(xml) ?? structureFlawOf(xml);

export type XmlFlaw = NonNullable<ReturnType<typeof xmlFlawOf>>;

/**
 * The declared encoding, if the text, which was read as UTF-8, would differ in it. ASCII is the same in most encodings,
 * and valid UTF-8 is not UTF-16, whatever the declaration says.
 */
export function otherEncodingOf(xml: string): string | undefined {
  const declared = /^\s*<\?xml(?=\s)[^>]*?\sencoding\s*=\s*["']([^"'>]*)/.exec(xml.slice(0, 500))?.[1];
  const isSame = declared === undefined || /^utf-?(?:8|16)/i.test(declared) || !/[^\0-\x7f]/.test(xml);
  return isSame ? undefined : declared;
}
