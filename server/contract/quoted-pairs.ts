/** The pairs of a header such as `Scheme name="value",other="value"`, by name. Escapes in values are not supported. */
export function quotedPairs(header: string): Map<string, string> {
  const pairs = new Map<string, string>();
  const pieces = header.split('"');
  // Every second piece is a value, if a quote closes it.
  for (let at = 1; at < pieces.length - 1; at += 2) {
    const before = pieces[at - 1] ?? "";
    const name = before.endsWith("=") ? before.slice(0, -1).split(/[\s,]/).at(-1) : "";
    if (name !== undefined && name !== "") pairs.set(name, pieces[at] ?? "");
  }
  return pairs;
}
