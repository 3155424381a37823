/** Determines the kind of a body from its media type and text, and formats it for reading. */

export type BodyKind = "json" | "ndjson" | "xml" | "form" | "plain";

export interface FormattedBody {
  kind: BodyKind;
  /** The formatted text; absent if it would not differ or the text does not match its type. */
  pretty: string | undefined;
}

/** Formatting a text with more characters than this would block the page. */
const longestFormatted = 2_000_000;

export function formatBody(text: string, mediaType: string | undefined): FormattedBody {
  const kind = kindOf(text, mediaType);
  if (text.length > longestFormatted) return { kind, pretty: undefined };
  const pretty = layOut[kind](text);
  return { kind, pretty: pretty === text ? undefined : pretty };
}

function kindOf(text: string, mediaType: string | undefined): BodyKind {
  const type = mediaType?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (/ndjson|jsonl|json-seq|event-stream/.test(type)) return type.includes("event-stream") ? "plain" : "ndjson";
  if (/[/+]json$/.test(type)) return "json";
  if (/[/+]xml$|html/.test(type)) return "xml";
  if (type === "application/x-www-form-urlencoded") return "form";
  const start = text.trimStart().slice(0, 1);
  if (type !== "" && type !== "text/plain") return "plain";
  // Without a meaningful type, the text itself decides.
  if ((start === "{" || start === "[") && layOut.json(text) !== undefined) return "json";
  return start === "<" ? "xml" : "plain";
}

const layOut: Record<BodyKind, (text: string) => string | undefined> = {
  json: prettyJson,
  ndjson: (text) => {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return lines.map((line) => prettyJson(line) ?? line).join("\n");
  },
  xml: prettyXml,
  form: (text) => [...new URLSearchParams(text)].map(([name, value]) => `${name} = ${value}`).join("\n"),
  plain: () => undefined,
};

/** Deeper levels keep this indentation; otherwise the growing lines would exceed any limit. */
const deepestIndent = 32;
const startOfLine = (depth: number) => `\n${"  ".repeat(Math.min(depth, deepestIndent))}`;

/** Strings stay verbatim, so that escapes and long numbers keep their spelling. */
const jsonToken = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

function prettyJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  let depth = 0;
  let out = "";
  const tokens = text.match(jsonToken) ?? [];
  for (const [index, token] of tokens.entries()) {
    if (token === "{" || token === "[") {
      depth += 1;
      const closes = tokens[index + 1] === (token === "{" ? "}" : "]");
      out += closes ? token : token + startOfLine(depth);
    } else if (token === "}" || token === "]") {
      depth -= 1;
      const opened = tokens[index - 1] === (token === "}" ? "{" : "[");
      out += opened ? token : startOfLine(depth) + token;
    } else if (token === ",") out += token + startOfLine(depth);
    else out += token === ":" ? ": " : token;
  }
  return out;
}

/** The tokens of XML: tags, comments, sections, and the texts between them. An unclosed token extends to the end. */
function xmlTokens(text: string): string[] {
  const tokens: string[] = [];
  for (let at = 0, end; at < text.length; at = end) {
    end = endOfXmlToken(text, at);
    tokens.push(text.slice(at, end));
  }
  return tokens;
}

function endOfXmlToken(text: string, at: number): number {
  const isTag = text.startsWith("<", at);
  const isSection = text.startsWith("<![CDATA[", at);
  const close = isSection ? "]]>" : text.startsWith("<!--", at) ? "-->" : isTag ? ">" : "<";
  const found = text.indexOf(close, at + 1);
  return found < 0 ? text.length : isTag ? found + close.length : found;
}

/** Puts each element on its own line; an element with only text stays on one. */
function prettyXml(text: string): string | undefined {
  const tokens = xmlTokens(text).filter((token) => token.trim() !== "");
  if (!tokens[0]?.startsWith("<")) return undefined;
  const isOpening = (token: string) => /^<[^!?/]/.test(token) && !token.endsWith("/>");
  let depth = 0;
  let out = "";
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const isClosing = token.startsWith("</");
    if (isClosing) depth = Math.max(0, depth - 1);
    const inline = isText(token) || (isClosing && before !== undefined && (isText(before) || isOpening(before)));
    out += inline || index === 0 ? token : startOfLine(depth) + token;
    if (isOpening(token)) depth += 1;
  }
  return out;
}

const isText = (token: string) => !token.startsWith("<") || token.startsWith("<![CDATA[");
