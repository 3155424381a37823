/**
 * Parses JSON in which no object has a name twice. Otherwise a reader of the first and a reader of the last would
 * differ.
 */

/** @throws SyntaxError for invalid JSON, and for a name that an object has twice */
export function readJsonOnce(text: string): unknown {
  const value = parse(text);
  // The text is well-formed here, so strings and brackets are all there is to look at.
  const objects: (Set<string> | undefined)[] = [];
  for (const [token, string] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(?=\s*:)|"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/g)) {
    if (token === "{") objects.push(new Set());
    else if (token === "[") objects.push(undefined);
    else if (token === "}" || token === "]") objects.pop();
    else if (string !== undefined) claim(objects.at(-1), JSON.parse(string) as string);
  }
  return value;
}

/** The engine's own message would quote the text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new SyntaxError("it is not JSON");
  }
}

function claim(names: Set<string> | undefined, name: string): void {
  if (names?.has(name)) throw new SyntaxError("an object contains a name twice");
  names?.add(name);
}
