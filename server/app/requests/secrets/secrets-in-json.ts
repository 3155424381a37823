import { matchAt, type FindSecrets } from "./secret-place.ts";

const jsonString = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)/y;
const jsonScalar = /[^\s,}\]]*/y;
const afterKey = /\s*:\s*/y;

/** The text that a JSON string stands for. Other values and invalid JSON stand for themselves. */
export function meaningOfJson(raw: string): string {
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === "string" ? value : raw;
  } catch {
    return raw;
  }
}

/** The end of the object or array that begins at `at`, or of the text. */
function endOfNested(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const character = text[i];
    if (character === '"') i += Math.max(1, matchAt(jsonString, text, i).length) - 1;
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) return i + 1;
  }
  return text.length;
}

function endOfValue(text: string, at: number): number {
  const first = text[at];
  if (first === "{" || first === "[") return endOfNested(text, at);
  return at + matchAt(first === '"' ? jsonString : jsonScalar, text, at).length;
}

export const secretsInJson: FindSecrets = function* (text, isSecret) {
  let at = text.indexOf('"');
  while (at >= 0) {
    const key = matchAt(jsonString, text, at);
    let next = at + key.length;
    const colon = matchAt(afterKey, text, next);
    if (colon !== "") {
      const name = key.includes("\\") ? meaningOfJson(key) : key.slice(1, -1);
      next += colon.length;
      if (isSecret(name)) {
        const to = endOfValue(text, next);
        if (text.slice(next, to) !== "null") yield { name, from: next, to };
        next = to;
      }
    }
    at = text.indexOf('"', next);
  }
};
