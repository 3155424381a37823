/** Recorded requests as commands for a POSIX shell or as JavaScript, which send what was recorded. Secrets become variables. */
import { isUtf8 } from "node:buffer";
import type { RecordedBody, RecordedRequest } from "../../contract/console/traffic/requests.ts";
import { posixWord } from "../../contract/shell-words.ts";

type Header = RecordedRequest["request"]["headers"][number];

/** Headers that each client sets itself. */
const clientsOwn = new Set([
  "host",
  "connection",
  "content-length",
  "accept-encoding",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Matches the references in a request: to the token of its session, and to secrets in the vault. Other braces are text. */
const referencesIn = ({ session_id: session }: RecordedRequest) =>
  new RegExp(
    `(\\{\\{[\\w-]+:(?:(?<=\\{\\{session:)${String(session ?? "(?!)")}|[0-9a-f]{6}\\.[0-9a-z]+(?:\\.json)?)\\}\\})`,
    "g",
  );

/** The reference to JSON that is no string, in the quotes of the record. */
const bareJson = /"(\{\{[\w-]+:[0-9a-f]{6}\.[0-9a-z]+\.json\}\})"/g;

const sessionReference = /^\{\{session:\d+\}\}$/;

/**
 * The variables for references: `{{session:12}}` is HEARTH_TOKEN, and nothing else is. `{{password:…}}` is
 * HEARTH_PASSWORD, and that to another password the same with a number.
 */
function variablesFor(references: Iterable<string>): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  const taken = new Set(["HEARTH_TOKEN"]);
  for (const reference of new Set(references)) {
    if (sessionReference.test(reference)) {
      variables.set(reference, "HEARTH_TOKEN");
      continue;
    }
    const name = `HEARTH_${reference
      .slice(2, reference.indexOf(":"))
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, "_")}`;
    let variable = name;
    for (let number = 2; taken.has(variable); number++) variable = `${name}_${String(number)}`;
    variables.set(reference, variable);
    taken.add(variable);
  }
  return variables;
}

interface Call {
  readonly baseUrl: string;
  /** As it was sent: path and query. */
  readonly target: string;
  readonly method: string;
  readonly headers: readonly Header[];
  readonly text: string | undefined;
  /** The body where it is no text, in Latin-1. */
  readonly bytes: string | undefined;
  /** For a person who runs it. */
  readonly warnings: readonly string[];
  /** Splits a text: literal parts at even indexes, names of variables at odd ones. */
  readonly partsOf: (text: string) => readonly string[];
}

function callOf(recorded: RecordedRequest, baseUrl: string): Call {
  const { method, path, query, request } = recorded;
  const { text, base64 } = request.body;
  const target = path + (query === "" ? "" : `?${query}`);
  const headers = request.headers.filter(({ name }) => !clientsOwn.has(name.toLowerCase()));
  const bytes = base64 === undefined ? undefined : Buffer.from(base64, "base64").toString("latin1");
  const references = referencesIn(recorded);
  const all = [target, ...headers.map(({ value }) => value), text ?? bytes ?? ""].flatMap(
    (one) => one.match(references) ?? [],
  );
  const variables = variablesFor(all);
  return {
    baseUrl,
    target,
    method,
    headers,
    text,
    bytes,
    warnings: warningsOn(request.body),
    partsOf: (whole) =>
      whole
        .replace(bareJson, "$1")
        .split(references)
        .map((part) => variables.get(part) ?? part),
  };
}

function warningsOn({ size, withheld, truncated }: RecordedBody): string[] {
  if (withheld !== undefined) return [`The body of ${String(size)} bytes is missing: ${withheld}.`];
  return truncated ? [`The body is cut: only its first ${String(size)} bytes were kept.`] : [];
}

const hasBody = ({ text, bytes }: Call) => text !== undefined || bytes !== undefined;

/** Removes the body where a client sends none with this method. */
function withoutBodyOf(bodiless: readonly string[], client: string, call: Call): Call {
  if (!hasBody(call) || !bodiless.includes(call.method)) return call;
  const warning = `The body is missing: ${client} sends none with ${call.method}.`;
  return { ...call, text: undefined, bytes: undefined, warnings: [...call.warnings, warning] };
}

const isSet = ({ headers }: Call, wanted: string) => headers.some(({ name }) => name.toLowerCase() === wanted);
/** Headers that clients add unless they are set or removed. */
const unwanted = (call: Call) =>
  ["Accept", "User-Agent", ...(hasBody(call) ? ["Content-Type"] : [])].filter(
    (name) => !isSet(call, name.toLowerCase()),
  );

const withoutReferences = ({ target, partsOf }: Call) =>
  partsOf(target)
    .filter((_part, index) => index % 2 === 0)
    .join("");

/** Whether clients send a target as it is: other characters, and dots as segments, are changed by some. */
const isPlain = (call: Call) =>
  /^\/[\w@%+=:,./?&~!$'()*;-]*$/.test(withoutReferences(call)) && !/\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(call.target);

const comments = ({ warnings }: Call, sign: string) => warnings.map((warning) => `${sign} ${warning}\n`).join("");

const octal = (byte: number) => `\\${byte.toString(8).padStart(3, "0")}`;

/** One word of a shell. */
function shellWord(text: string, { partsOf }: Call): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return partsOf(text)
    .map((part, index) => (index % 2 === 1 ? `"$${part}"` : part === "" ? "" : posixWord(part)))
    .join("");
}

/** Characters that a terminal changes, or takes for keys, when a command is pasted. */
const notPasted = /[^\P{Cc}\n]/u;

/** One word of a shell, from a header: each character there is a byte. */
function headWord(latin1: string, call: Call): string {
  const bytes = Buffer.from(latin1, "latin1");
  if (isUtf8(bytes) && !notPasted.test(bytes.toString())) return shellWord(bytes.toString(), call);
  return call
    .partsOf(latin1)
    .map((part, index) =>
      index % 2 === 1 ? `"$${part}"` : `"$(printf '${[...Buffer.from(part, "latin1")].map(octal).join("")}')"`,
    )
    .join("");
}

/** The longest argument that every system accepts. */
const longestWord = 100_000;

/** The command that writes the body, for a pipe: of bytes, of text that cannot be pasted, and of long text. */
function writerOf(call: Call): string | undefined {
  const { text = "", bytes = notPasted.test(text) ? Buffer.from(text).toString("latin1") : undefined } = call;
  if (bytes === undefined)
    return Buffer.byteLength(text) > longestWord ? `printf %s ${shellWord(text, call)}` : undefined;
  const commands = call
    .partsOf(bytes)
    .map((part, index) =>
      index % 2 === 1
        ? `printf %s "$${part}"`
        : `printf %s ${posixWord(Buffer.from(part, "latin1").toString("base64"))} | base64 -d`,
    );
  return commands.length === 1 ? commands[0] : `{ ${commands.join("; ")}; }`;
}

const pipeline = (call: Call, command: string) => {
  const writer = writerOf(call);
  return `${comments(call, "#")}${writer === undefined ? "" : `${writer} | `}${command}\n`;
};

function curl(recorded: Call): string {
  const call = withoutBodyOf(["HEAD"], "curl", recorded);
  const { baseUrl, target, method, text } = call;
  const usual = hasBody(call) ? "POST" : "GET";
  const words = [
    ...(method === "HEAD" ? ["--head"] : method === usual ? [] : ["-X", method]),
    ...(isPlain(call)
      ? [shellWord(baseUrl + target, call)]
      : ["--request-target", shellWord(target, call), shellWord(`${baseUrl}/`, call)]),
  ];
  const options = [
    ...call.headers.map(({ name, value }) => `-H ${headWord(value === "" ? `${name};` : `${name}: ${value}`, call)}`),
    ...unwanted(call).map((name) => `-H ${name}:`),
    ...(writerOf(call) !== undefined
      ? ["--data-binary @-"]
      : text !== undefined
        ? [`--data-raw ${shellWord(text, call)}`]
        : []),
  ];
  return pipeline(call, [`curl ${words.join(" ")}`, ...options].join(" \\\n  "));
}

/** HTTPie reads a file after `:@`, and JSON after `:=`. */
const httpieHeader = ({ name, value }: Header) =>
  value === "" ? `${name};` : `${name}:${value.replace(/^[@=]/, "\\$&")}`;

/** HTTPie takes pairs of backslashes as they are, and drops one that is alone before a separator of its own. */
const losesBackslash = /(?<!\\)(?:\\\\)*\\[:;=@]/;

function httpie(recorded: Call): string {
  const lost = recorded.headers.filter(({ value }) => losesBackslash.test(value));
  const warnings = lost.map(({ name }) => `HTTPie does not send ${name} unchanged: it drops a backslash.`);
  const call = { ...recorded, warnings: [...recorded.warnings, ...warnings] };
  const { baseUrl, target, method, text } = call;
  const body =
    writerOf(call) !== undefined
      ? []
      : ["--ignore-stdin", ...(text === undefined ? [] : [`--raw=${shellWord(text, call)}`])];
  const words = [
    "http",
    ...(isPlain(call) ? [] : ["--path-as-is"]),
    ...body,
    method,
    shellWord(baseUrl + target, call),
    ...call.headers.map((header) => headWord(httpieHeader(header), call)),
    ...unwanted(call).map((name) => `${name}:`),
  ];
  return pipeline(call, words.join(" "));
}

const unicodeEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** A string of JavaScript. */
function scriptString(text: string, { partsOf }: Call): string {
  const parts = partsOf(text);
  const escaped = (part: string) => part.replace(/[\\`]|\$\{/g, "\\$&");
  const inside = parts.map((part, index) => (index % 2 === 1 ? `\${process.env.${part}}` : escaped(part)));
  const literal = parts.length === 1 ? JSON.stringify(text) : `\`${inside.join("")}\``;
  return literal.replace(new RegExp(notPasted, "gu"), unicodeEscape);
}

/** Bytes of JavaScript. */
function scriptBytes(latin1: string, { partsOf }: Call): string {
  const parts = partsOf(latin1).map((part, index) =>
    index % 2 === 1
      ? `Buffer.from(process.env.${part})`
      : `Buffer.from(${JSON.stringify(Buffer.from(part, "latin1").toString("base64"))}, "base64")`,
  );
  return parts.length === 1 ? parts.join("") : `Buffer.concat([${parts.join(", ")}])`;
}

function fetchCall(recorded: Call): string {
  const call = withoutBodyOf(["GET", "HEAD"], "fetch", recorded);
  const { baseUrl, target, text, bytes } = call;
  const string = (part: string) => scriptString(part, call);
  const literal = withoutReferences(call);
  const sent = URL.parse(baseUrl + literal);
  const warnings =
    sent && sent.pathname + sent.search === literal
      ? call.warnings
      : [...call.warnings, "fetch does not send the path unchanged: it changes some characters."];
  const body =
    bytes !== undefined
      ? scriptBytes(bytes, call)
      : text === undefined
        ? undefined
        : isSet(call, "content-type")
          ? string(text)
          : `Buffer.from(${string(text)})`; // fetch gives a string a content type
  const headers = call.headers.map(({ name, value }) => `    [${JSON.stringify(name)}, ${string(value)}],`);
  const members = [
    `  method: ${JSON.stringify(call.method)},`,
    ...(headers.length === 0 ? [] : ["  headers: [", ...headers, "  ],"]),
    ...(body === undefined ? [] : [`  body: ${body},`]),
  ];
  return `${comments({ ...call, warnings }, "//")}const response = await fetch(${string(baseUrl + target)}, {\n${members.join("\n")}\n});\n`;
}

const writers = { curl, fetch: fetchCall, httpie };

/** `baseUrl`: of the service that got the request. */
export const snippetOf = (format: keyof typeof writers, recorded: RecordedRequest, baseUrl: string): string =>
  writers[format](callOf(recorded, baseUrl));
