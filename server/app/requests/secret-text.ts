/**
 * Finds the secret fields of a text, in whatever way a body or a query can hold them, and puts something else in their
 * place. All else stays byte for byte, so that a body can be sent again as it was; a text that has been cut off is read as
 * far as it goes.
 */
import type { IsSecretName } from "./secret-names.ts";

/**
 * What takes the place of a value. `raw` is the value as it is written, with its quotes and escapes; the result is written
 * like it. `plain` is what it means.
 */
export type Replace = (name: string, raw: string, plain: string) => string;

type TextKind = "json" | "xml" | "form" | "multipart" | "other";

/** By the media type; a text that is sent under another one is told by how it begins. */
export function kindOf(mediaType: string, text: string): TextKind {
  if (mediaType === "multipart/form-data") return "multipart";
  if (mediaType === "application/x-www-form-urlencoded") return "form";
  if (/[/+]json$/.test(mediaType) || /^\s*[[{]/.test(text)) return "json";
  if (/[/+]xml$/.test(mediaType) || /^\s*</.test(text)) return "xml";
  return /^[\w.[\]%-]+=/.test(text) ? "form" : "other";
}

export function replaceSecrets(text: string, kind: TextKind, isSecret: IsSecretName, replace: Replace): string {
  switch (kind) {
    case "json":
      return replaceInJson(text, isSecret, replace);
    case "xml":
      return replaceInXml(text, isSecret, replace);
    case "form":
      return replaceInForm(text, isSecret, replace);
    case "multipart":
      return replaceInMultipart(text, isSecret, replace);
    case "other":
      return text;
  }
}

const jsonString = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)/y;
const jsonScalar = /[^\s,}\]]*/y;
const afterKey = /\s*:\s*/y;

const matchAt = (pattern: RegExp, text: string, at: number): string => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
};

function meaningOf(raw: string): string {
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

function jsonValueAt(text: string, at: number): string {
  const first = text[at];
  if (first === '"') return matchAt(jsonString, text, at);
  if (first === "{" || first === "[") return text.slice(at, endOfNested(text, at));
  return matchAt(jsonScalar, text, at);
}

function replaceInJson(text: string, isSecret: IsSecretName, replace: Replace): string {
  let result = "";
  let copied = 0;
  let at = text.indexOf('"');
  while (at >= 0) {
    const key = matchAt(jsonString, text, at);
    let next = at + key.length;
    const colon = matchAt(afterKey, text, next);
    if (colon !== "") {
      const name = key.includes("\\") ? meaningOf(key) : key.slice(1, -1);
      next += colon.length;
      if (isSecret(name)) {
        const raw = jsonValueAt(text, next);
        if (raw !== "null" && raw !== "") {
          result += text.slice(copied, next) + replace(name, raw, meaningOf(raw));
          copied = next + raw.length;
        }
        next += raw.length;
      }
    }
    at = text.indexOf('"', next);
  }
  return copied === 0 ? text : result + text.slice(copied);
}

const openTag = /<([A-Za-z_][\w.-]*)((?:\s[^<>]*)?)>/g;

function replaceInXml(text: string, isSecret: IsSecretName, replace: Replace): string {
  let result = "";
  let copied = 0;
  openTag.lastIndex = 0;
  for (let tag = openTag.exec(text); tag; tag = openTag.exec(text)) {
    const [written, element = "", attributes = ""] = tag;
    if (attributes.endsWith("/")) continue;
    const name = element === "entry" ? (/\skey="([^"]*)"/.exec(attributes)?.[1] ?? element) : element;
    if (!isSecret(name)) continue;
    const from = tag.index + written.length;
    const close = text.indexOf(`</${element}`, from);
    const to = close < 0 ? text.length : close;
    const raw = text.slice(from, to);
    if (raw !== "") result += text.slice(copied, from) + replace(name, raw, raw);
    else result += text.slice(copied, from);
    copied = to;
    openTag.lastIndex = to;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function replaceInForm(text: string, isSecret: IsSecretName, replace: Replace): string {
  return text
    .split("&")
    .map((pair) => {
      const at = pair.indexOf("=");
      if (at < 0) return pair;
      const name = decoded(pair.slice(0, at));
      const raw = pair.slice(at + 1);
      return raw !== "" && isSecret(name) ? `${pair.slice(0, at)}=${replace(name, raw, decoded(raw))}` : pair;
    })
    .join("&");
}

/** The head of a part with its name, and its content up to the next boundary. */
const part =
  /(content-disposition:[^\r\n]*?[;\s]name="?([^"\r\n;]*)[^\r\n]*(?:\r\n[^\r\n]+)*\r\n\r\n)([^]*?)(?=\r\n--|$)/gi;

function replaceInMultipart(text: string, isSecret: IsSecretName, replace: Replace): string {
  return text.replace(part, (whole: string, head: string, name: string, raw: string) =>
    isSecret(name) && raw !== "" ? head + replace(name, raw, raw) : whole,
  );
}
