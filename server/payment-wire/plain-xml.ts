/**
 * A quick reader for XML as providers and merchants write it: one element of fields, each plain text or one CDATA section.
 * It knows nothing else, and says so: what has attributes, references, comments or anything odd is for a whole parser. A
 * payment is a dozen such messages, and the whole parser takes longer for each than HTTP does.
 */

const rootTag = /^\s*(?:<\?xml [^<>]*\?>\s*)?<([a-z][a-z0-9_]*)>/;
const plainName = /^[a-z][a-z0-9_]*$/;
const space = /^\s*$/;
/** Characters that XML does not have, or that a parser changes; and, out of convenience, those beyond the first plane. */
const odd = /[^\t\n\x20-\ud7ff\ue000-\ufffd]/;
const sectionStart = "<![CDATA[";
const sectionEnd = "]]>";

/** The fields; undefined for what is not as plain as that, and for a field that is there twice. */
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

/** The value that begins at `start` and ends with the field's tag, if it is plain. */
function readValue(text: string, start: number, name: string): { value: string; end: number } | undefined {
  const isSection = text.startsWith(sectionStart, start);
  const from = isSection ? start + sectionStart.length : start;
  const to = text.indexOf(isSection ? sectionEnd : "<", from);
  if (to < 0) return undefined;
  const value = text.slice(from, to);
  const after = isSection ? to + sectionEnd.length : to;
  // What is empty or has space around it, parsers see differently; references and `]]>` are none of plain text.
  const isPlain = value !== "" && value.trim() === value && (isSection || !/[&\]]/.test(value));
  const end = after + name.length + 3;
  const isClosed = text.startsWith("</", after) && text.startsWith(name, after + 2) && text.startsWith(">", end - 1);
  return isPlain && isClosed ? { value, end } : undefined;
}
