/** JSON with comments and trailing commas, as editors write their settings. */

const string = String.raw`"(?:[^"\\]|\\.)*"`;
const stringOrComment = new RegExp(`${string}|//[^\\n]*|/\\*[^]*?\\*/`, "g");
const stringOrLastComma = new RegExp(`${string}|,(?=\\s*[}\\]])`, "g");
const keyOrBracket = new RegExp(`(${string})(?=\\s*:)|${string}|[{}[\\]]`, "g");

/** The same text as plain JSON, with every character in its place. */
const plainJson = (text: string): string =>
  text
    .replace(/^\uFEFF/, " ")
    .replaceAll(stringOrComment, (found) => (found.startsWith('"') ? found : found.replaceAll(/[^\n\r]/g, " ")))
    .replaceAll(stringOrLastComma, (found) => (found === "," ? " " : found));

/** @throws SyntaxError */
export const parseJsonc = (text: string): unknown => JSON.parse(plainJson(text));

/** The position behind the brace that opens the whole object, or its member of that name. */
function startOfObject(plain: string, member: string | undefined): number {
  if (member === undefined) return plain.indexOf("{") + 1;
  let depth = 0;
  for (const { 0: found, 1: key, index } of plain.matchAll(keyOrBracket)) {
    if (found === "{" || found === "[") depth++;
    else if (found === "}" || found === "]") depth--;
    else if (key !== undefined && depth === 1 && JSON.parse(key) === member)
      return plain.indexOf("{", index + found.length) + 1;
  }
  throw new SyntaxError(`it has no object "${member}"`);
}

/**
 * Inserts a member at the beginning of an object, in the indentation of the text.
 *
 * @param member the member of the whole object that gets it; `undefined` for the whole object itself
 */
export function insertMember(text: string, member: string | undefined, name: string, value: unknown): string {
  const plain = plainJson(text);
  const at = startOfObject(plain, member);
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const unit = /^([ \t]+)\S/m.exec(plain)?.[1] ?? "  ";
  const outer = member === undefined ? "" : unit;
  const start = `${newline}${outer}${unit}`;
  const written = JSON.stringify(value, undefined, unit).split("\n").join(start);
  const before = `${text.slice(0, at)}${start}${JSON.stringify(name)}: ${written}`;
  const rest = text.slice(at);
  if (/^\s*\}/.test(plain.slice(at))) return `${before}${newline}${outer}${rest.trimStart()}`;
  return `${before},${/^[ \t]*\r?\n/.test(rest) ? rest : start + rest.trimStart()}`;
}
