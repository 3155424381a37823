/**
 * A quick reader for XML as providers and merchants write it: one element of fields, each plain text or one CDATA section.
 * It knows nothing else, and says so: what has attributes, references, comments or anything odd is for a whole parser. A
 * payment is a dozen such messages, and the whole parser takes longer for each than HTTP does.
 */

const rootTag = /^\s*(?:<\?xml [^<>]*\?>\s*)?<([a-z][a-z0-9_]*)>/;
const fieldTag = /\s*<([a-z][a-z0-9_]*)>/y;
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
  let at = root[0].length;
  for (;;) {
    fieldTag.lastIndex = at;
    const name = fieldTag.exec(text)?.[1];
    if (name === undefined) break;
    const read = readValue(text, fieldTag.lastIndex, `</${name}>`);
    if (!read || name in fields || name in Object.prototype) return undefined;
    fields[name] = read.value;
    at = read.end;
  }
  const end = text.indexOf("<", at);
  const isWhole = end >= at && space.test(text.slice(at, end)) && at > root[0].length;
  const tag = `</${root[1] ?? ""}>`;
  return isWhole && text.startsWith(tag, end) && space.test(text.slice(end + tag.length)) ? fields : undefined;
}

/** The value that begins at `start` and ends with `tag`, if it is plain. */
function readValue(text: string, start: number, tag: string): { value: string; end: number } | undefined {
  const isSection = text.startsWith(sectionStart, start);
  const from = isSection ? start + sectionStart.length : start;
  const to = text.indexOf(isSection ? sectionEnd : "<", from);
  if (to < 0) return undefined;
  const value = text.slice(from, to);
  const after = isSection ? to + sectionEnd.length : to;
  // What is empty or has space around it, parsers see differently; references and `]]>` are none of plain text.
  const isPlain = value !== "" && value.trim() === value && (isSection || !/[&\]]/.test(value));
  return isPlain && text.startsWith(tag, after) ? { value, end: after + tag.length } : undefined;
}
