/**
 * Finds the secret fields of a query or a body and replaces their values. All other text stays byte for byte, so that
 * it can be sent again. A truncated text is read as far as it goes.
 */
import { boundaryIn } from "../../../contract/multipart-boundary.ts";
import type { IsSecretName } from "./secret-names.ts";

/**
 * Returns the replacement of a value. `raw` is the value as written, with quotes and escapes, and so is the result.
 * `plain` is its meaning.
 */
export type Replace = (name: string, raw: string, plain: string) => string;

/** The syntax of a text. `boundary` separates the parts of a multipart body. */
type TextForm =
  { readonly kind: "json" | "xml" | "form" | "other" } | { readonly kind: "multipart"; readonly boundary: string };

/** Decides by the content type, or by the beginning of the text where the type does not fit. */
export function formOf(contentType: string, text: string): TextForm {
  const mediaType = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
  const boundary = mediaType === "multipart/form-data" ? boundaryOf(contentType, text) : undefined;
  if (boundary !== undefined) return { kind: "multipart", boundary };
  if (mediaType === "application/x-www-form-urlencoded") return { kind: "form" };
  if (/[/+]json$/.test(mediaType) || /^\s*[[{]/.test(text)) return { kind: "json" };
  if (/[/+]xml$/.test(mediaType) || /^\s*</.test(text)) return { kind: "xml" };
  return { kind: /^[\w.[\]%-]+=/.test(text) ? "form" : "other" };
}

/** The boundary in the content type. Where that is missing or wrong, the first line of the body has it. */
function boundaryOf(contentType: string, text: string): string | undefined {
  const named = boundaryIn(contentType) ?? "";
  if (named !== "" && firstDelimiter(text, named) < text.length) return named;
  return /^--([^\r\n]+)/.exec(text)?.[1];
}

export function replaceSecrets(text: string, form: TextForm, isSecret: IsSecretName, replace: Replace): string {
  switch (form.kind) {
    case "json":
      return replaceInJson(text, isSecret, replace);
    case "xml":
      return replaceInXml(text, isSecret, replace);
    case "form":
      return replaceInForm(text, isSecret, replace);
    case "multipart":
      return replaceInMultipart(text, form.boundary, isSecret, replace);
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

/** The start of the next line that separates two parts, with its line break; the text's end where there is none. */
function nextDelimiter(text: string, boundary: string, from: number): number {
  let at = text.indexOf("\r\n--", from);
  while (at >= 0 && !text.startsWith(boundary, at + 4)) at = text.indexOf("\r\n--", at + 4);
  return at < 0 ? text.length : at;
}

/** The separator may be the first line of the text. */
const firstDelimiter = (text: string, boundary: string) =>
  text.startsWith(`--${boundary}`) ? 0 : nextDelimiter(text, boundary, 0);

/** The name of a part's form field, from its head. */
function fieldOf(head: string): string {
  const disposition = head.split("\r\n").find((line) => /^content-disposition:/i.test(line)) ?? "";
  return /[;\s]name="?([^"\r\n;]*)/i.exec(disposition)?.[1] ?? "";
}

function replaceInMultipart(text: string, boundary: string, isSecret: IsSecretName, replace: Replace): string {
  let end = firstDelimiter(text, boundary);
  let result = text.slice(0, end);
  while (end < text.length) {
    const begin = end;
    end = nextDelimiter(text, boundary, begin + 2);
    const part = text.slice(begin, end);
    const headEnd = part.indexOf("\r\n\r\n");
    const name = headEnd < 0 ? "" : fieldOf(part.slice(0, headEnd));
    const raw = part.slice(headEnd + 4);
    result += name !== "" && raw !== "" && isSecret(name) ? part.slice(0, headEnd + 4) + replace(name, raw, raw) : part;
  }
  return result;
}
