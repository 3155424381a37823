/** Recorded requests as commands for a shell or as JavaScript. Secrets become variables. */
import type { RecordedRequest } from "../../contract/console/traffic/requests.ts";

type Header = RecordedRequest["request"]["headers"][number];

/** Headers that every client sets itself. */
const clientsOwn = new Set([
  "host",
  "connection",
  "content-length",
  "accept-encoding",
  "keep-alive",
  "transfer-encoding",
]);

const referencePattern = /\{\{([\w-]+)(?::[\w.]+)?\}\}/g;

/** The variable for a reference: `{{session:12}}` is HEARTH_TOKEN, `{{password:…}}` HEARTH_PASSWORD. */
const variableOf = (name: string) =>
  name === "session" ? "HEARTH_TOKEN" : `HEARTH_${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;

/** Splits a text: literal parts at even indexes, names of references at odd ones. */
const partsOf = (text: string) => text.split(referencePattern);

/** One word of a POSIX shell. */
function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return partsOf(text)
    .map((part, index) => (index % 2 === 1 ? `"$${variableOf(part)}"` : part === "" ? "" : quoted(part)))
    .join("");
}
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A string of JavaScript. */
function scriptString(text: string): string {
  const parts = partsOf(text);
  if (parts.length === 1) return JSON.stringify(text);
  const escaped = (part: string) => part.replace(/[\\`]|\$\{/g, "\\$&").replaceAll("\r", "\\r");
  const inside = parts.map((part, index) => (index % 2 === 1 ? `\${process.env.${variableOf(part)}}` : escaped(part)));
  return `\`${inside.join("")}\``;
}

interface Call {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly Header[];
  readonly body: RecordedRequest["request"]["body"];
  /** Warnings for a person who runs it. */
  readonly warning: string | undefined;
}

function callOf({ method, path, query, request: { headers, body } }: RecordedRequest, baseUrl: string): Call {
  return {
    url: baseUrl + path + (query === "" ? "" : `?${query}`),
    method,
    headers: headers.filter(({ name }) => !clientsOwn.has(name.toLowerCase())),
    body,
    warning:
      body.withheld !== undefined
        ? `The body of ${String(body.size)} bytes is missing: ${body.withheld}.`
        : body.truncated
          ? `The body is cut: only its beginning of ${String(body.size)} bytes was kept.`
          : undefined,
  };
}

const hasBody = ({ body }: Call) => body.text !== undefined || body.base64 !== undefined;
/** Clients add a content type to a body unless one is set. */
const hasNoType = (call: Call) =>
  hasBody(call) && !call.headers.some(({ name }) => name.toLowerCase() === "content-type");
const commentOf = (call: Call, sign: string) => (call.warning === undefined ? "" : `${sign} ${call.warning}\n`);
/** Binary bodies come from a pipe. */
const pipeOf = ({ body }: Call) => (body.base64 === undefined ? "" : `printf %s ${quoted(body.base64)} | base64 -d | `);

function curl(call: Call): string {
  const method =
    call.method === "HEAD" ? ["--head"] : call.method === (hasBody(call) ? "POST" : "GET") ? [] : ["-X", call.method];
  const headers = call.headers.flatMap(({ name, value }) => [
    "-H",
    shellWord(value === "" ? `${name};` : `${name}: ${value}`),
  ]);
  if (hasNoType(call)) headers.push("-H", "Content-Type:");
  const { text, base64 } = call.body;
  const body =
    base64 !== undefined ? ["--data-binary", "@-"] : text !== undefined ? ["--data-raw", shellWord(text)] : [];
  const words = [...method, shellWord(call.url), ...headers, ...body];
  const lines = words
    .join(" ")
    .replaceAll(" -H ", " \\\n  -H ")
    .replace(/ (--data-(?:raw|binary)) /, " \\\n  $1 ");
  return `${commentOf(call, "#")}${pipeOf(call)}curl ${lines}\n`;
}

function httpie(call: Call): string {
  const headers = call.headers.map(({ name, value }) => shellWord(value === "" ? `${name};` : `${name}:${value}`));
  if (hasNoType(call)) headers.push("Content-Type:");
  const { text, base64 } = call.body;
  const raw = text === undefined || base64 !== undefined ? [] : ["--raw", shellWord(text)];
  const stdin = base64 === undefined ? ["--ignore-stdin"] : [];
  const words = ["http", ...stdin, ...raw, call.method, shellWord(call.url), ...headers];
  return `${commentOf(call, "#")}${pipeOf(call)}${words.join(" ")}\n`;
}

function fetchCall(call: Call): string {
  const { text, base64 } = call.body;
  const members = [
    `  method: ${JSON.stringify(call.method)},`,
    ...(call.headers.length === 0
      ? []
      : [
          "  headers: [",
          ...call.headers.map(({ name, value }) => `    [${JSON.stringify(name)}, ${scriptString(value)}],`),
          "  ],",
        ]),
    ...(text === undefined
      ? []
      : [`  body: ${hasNoType(call) ? `Buffer.from(${scriptString(text)})` : scriptString(text)},`]),
    ...(base64 === undefined ? [] : [`  body: Buffer.from(${JSON.stringify(base64)}, "base64"),`]),
  ];
  return `${commentOf(call, "//")}const response = await fetch(${scriptString(call.url)}, {\n${members.join("\n")}\n});\n`;
}

const writers = { curl, fetch: fetchCall, httpie };

/** `baseUrl`: of the service that got the request. */
export const snippetOf = (format: keyof typeof writers, recorded: RecordedRequest, baseUrl: string): string =>
  writers[format](callOf(recorded, baseUrl));
