/** What XML 1.0 forbids, which parsers drop or let through. */

/** Unpaired surrogates are among it. */
export const forbiddenInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** What may look like a reference without being one ends early or with the text, so that each place is read once. */
const references =
  /<!--[^]*?(?:-->|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)|<\?[^]*?(?:\?>|$)|&#(?:x(?<hex>[0-9a-f]+)|(?<decimal>\d+));/gi;

/** Whether the document has a forbidden character, as itself or as a numeric reference. */
export function hasForbiddenCharacter(xml: string): boolean {
  if (forbiddenInXml.test(xml)) return true;
  for (const { groups: { hex, decimal } = {} } of xml.matchAll(references)) {
    if (hex === undefined && decimal === undefined) continue;
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
    if (code > 0x10ffff || forbiddenInXml.test(String.fromCodePoint(code))) return true;
  }
  return false;
}
