/**
 * A fast reader for the XML that providers and merchants usually write: one element of fields, each plain text or one
 * CDATA section. It rejects anything else, such as attributes, references or comments, which needs a full parser. A
 * payment takes a dozen such messages, and the full parser takes longer for each than HTTP does.
 */

const rootTag = /^\s*(?:<\?xml [^<>]*\?>\s*)?<([a-z][a-z0-9_]*)>/;
const plainName = /^[a-z][a-z0-9_]*$/;
const space = /^\s*$/;
/** Characters that XML does not allow or that a parser changes; for simplicity also those beyond the first plane. */
const odd = /[^\t\n\x20-\ud7ff\ue000-\ufffd]/;
const sectionStart = "<![CDATA[";
const sectionEnd = "]]>";

/** The fields; undefined for less plain XML, and for a repeated field. */
export function readPlainXml(text: string): Record<string, string> | undefined {
  const root = rootTag.exec(text);
  if (!root || odd.test(text)) return undefined;
  const fields = Object.create(null) as Record<string, string>;
  const start = root[0].length;
  let at = start;
  for (;;) {
    const open = text.indexOf("<", at);
    if (open < 0 || (open > at && !space.test(text.slice(at, open)))) return undefined;
    if (text.startsWith("/", open + 1)) {
      const tag = `</${root[1] ?? ""}>`;
      const isWhole = at > start && text.startsWith(tag, open) && space.test(text.slice(open + tag.length));
      return isWhole ? fields : undefined;
    }
    const close = text.indexOf(">", open);
    const name = text.slice(open + 1, close);
    if (close < 0 || !plainName.test(name) || name in fields || name in Object.prototype) return undefined;
    const read = readValue(text, close + 1, name);
    if (!read) return undefined;
    fields[name] = read.value;
    at = read.end;
  }
}

/** The value from `start` to the field's closing tag, if it is plain. */
function readValue(text: string, start: number, name: string): { value: string; end: number } | undefined {
  const isSection = text.startsWith(sectionStart, start);
  const from = isSection ? start + sectionStart.length : start;
  const to = text.indexOf(isSection ? sectionEnd : "<", from);
  if (to < 0) return undefined;
  const value = text.slice(from, to);
  const after = isSection ? to + sectionEnd.length : to;
  // Parsers disagree on empty values and surrounding space; plain text has no references and no `]]>`.
  const isPlain = value !== "" && value.trim() === value && (isSection || !/[&\]]/.test(value));
  const end = after + name.length + 3;
  const isClosed = text.startsWith("</", after) && text.startsWith(name, after + 2) && text.startsWith(">", end - 1);
  return isPlain && isClosed ? { value, end } : undefined;
}
