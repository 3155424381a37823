/** Adds an MCP server to the text of an agent's configuration. Everything else in the text stays, comments included. */
import { isDeepStrictEqual } from "node:util";
import { applyEdits, modify, parse, printParseErrorCode, type ParseError } from "jsonc-parser";
import { parse as parseToml, stringify as stringifyToml } from "smol-toml";

/** The configuration cannot be read, or its form leaves no place for the server. */
export class UnreadableConfig extends Error {
  override readonly name = "UnreadableConfig";
}

export interface McpServer {
  /** The member of the configuration that holds the servers. */
  readonly servers: string;
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

type Table = Record<string, unknown>;
const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value);

interface Format {
  readonly parse: (text: string) => unknown;
  /** The text with the server, which `before` does not have. */
  readonly add: (text: string, before: Table, server: McpServer) => string;
}

/** JSON with comments and trailing commas, as editors write their settings. */
function parseJson(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined)
    throw new SyntaxError(`${printParseErrorCode(first.error)} at position ${String(first.offset)}`);
  return value;
}

const json: Format = {
  parse: (text) => (text.trim() === "" ? {} : parseJson(text)),
  add(text, _before, { servers, name, entry }) {
    if (text.trim() === "") return `${JSON.stringify({ [servers]: { [name]: entry } }, undefined, 2)}\n`;
    const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
    const formattingOptions = {
      insertSpaces: !indent.startsWith("\t"),
      tabSize: indent.length,
      eol: text.includes("\r\n") ? "\r\n" : "\n",
    };
    return applyEdits(text, modify(text, [servers, name], entry, { formattingOptions, getInsertionIndex: () => 0 }));
  },
};

const toml: Format = {
  parse: parseToml,
  add(text, _before, { servers, name, entry }) {
    const gap = text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n";
    return `${text}${gap}${stringifyToml({ [servers]: { [name]: entry } }).trimEnd()}\n`;
  },
};

const formats = { json, toml };

function read({ parse }: Format, text: string): Table {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw new UnreadableConfig((error as Error).message.split("\n", 1)[0]);
  }
  if (!isTable(value)) throw new UnreadableConfig("it is not an object");
  return value;
}

/**
 * @param text of the configuration; empty for a new file
 * @returns the text with the server; `undefined` if it already has an entry of that name, which `isSame` compares
 * @throws UnreadableConfig
 */
export function addServer(
  text: string,
  kind: keyof typeof formats,
  server: McpServer,
): { readonly text: string | undefined; readonly isSame: boolean } {
  const format = formats[kind];
  const before = read(format, text);
  const present = before[server.servers] ?? {};
  if (!isTable(present)) throw new UnreadableConfig(`its "${server.servers}" is not an object`);
  const existing = present[server.name];
  if (existing !== undefined)
    return { text: undefined, isSame: isDeepStrictEqual({ ...(existing as Table) }, server.entry) };
  const wanted = { ...before, [server.servers]: { ...present, [server.name]: server.entry } };
  const added = format.add(text, before, server);
  const after = read(format, added);
  // The text may have a form that an insertion breaks, such as an inline table in TOML.
  if (JSON.stringify(sorted(after)) !== JSON.stringify(sorted(wanted)))
    throw new UnreadableConfig(`its "${server.servers}" has a form that cannot be extended`);
  return { text: added, isSame: false };
}

/** The same value with the members of each object in the order of their names. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isTable(value) || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
};
