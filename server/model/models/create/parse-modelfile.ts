/**
 * Reads a Modelfile into what POST /api/create takes. Lines are `INSTRUCTION arguments`; arguments run to the end of the
 * line, or stand in `"…"` or `"""…"""`, which may span lines and know no escapes.
 */
import { optionType, retiredOptions } from "../../options/model-options.ts";

export interface Modelfile {
  /** In their order: names of models, or paths. */
  readonly from: readonly string[];
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly template?: string;
  readonly system?: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly licenses: readonly string[];
  /** Names of Ollama's prompt forms and answer forms. */
  readonly renderer?: string;
  readonly parser?: string;
  /** The least version of Ollama. */
  readonly requires?: string;
}

/** The text is no usable Modelfile; the message names the line. */
export class ModelfileError extends Error {
  override readonly name = "ModelfileError";
}

interface Instruction {
  readonly line: number;
  readonly name: string;
  readonly text: string;
}

const known = [
  "from",
  "license",
  "template",
  "system",
  "parameter",
  "message",
  "requires",
  "renderer",
  "parser",
] as const;
const refused = ["adapter", "draft"];
const roles = ["system", "user", "assistant"];
const failAt = (line: number, text: string) => new ModelfileError(`(line ${String(line)}): ${text}`);

const endOfLine = (source: string, from: number): number => {
  const end = source.indexOf("\n", from);
  return end < 0 ? source.length : end;
};

/** The text in the quotes that open at `start`, and its end. */
function quoted(source: string, start: number, line: number): { text: string; end: number } {
  const mark = source.startsWith('"""', start) ? '"""' : '"';
  const first = source.indexOf(mark, start + mark.length);
  if (first < 0) throw failAt(line, `the quotes ${mark} are never closed`);
  // Quotes within the text are those that something follows.
  const blankToEnd = /[^\S\n]*(?:\n|$)/y;
  for (let close = first; close >= 0; close = source.indexOf(mark, close + 1)) {
    blankToEnd.lastIndex = close + mark.length;
    if (blankToEnd.test(source))
      return { text: source.slice(start + mark.length, close), end: endOfLine(source, close) };
  }
  const rest = source.slice(first + mark.length, endOfLine(source, first)).trim();
  throw failAt(line, `unexpected text after the closing quotes: ${rest}`);
}

const hasHead = (name: string) => name === "message" || name === "parameter";
/** The start of the argument that may be quoted: after the role of a MESSAGE and the name of a PARAMETER. */
const headOf = (name: string) => (hasHead(name) ? /^[ \t]*\S+[ \t]+/ : /^[ \t]*/);

function* instructions(source: string): Generator<Instruction> {
  let line = 0;
  for (let at = 0, end; at < source.length; at = end + 1) {
    line++;
    end = endOfLine(source, at);
    const whole = source.slice(at, end);
    const [before = "", word = ""] = /^\s*([^\s#]*)/.exec(whole) ?? [];
    if (word === "") continue;
    const name = word.toLowerCase();
    const after = whole.slice(before.length);
    const [head = ""] = headOf(name).exec(after) ?? [];
    if (!after.startsWith('"', head.length)) {
      const text = after.trim();
      yield { line, name, text: hasHead(name) ? text.replace(/^(\S+)[ \t]+/, "$1 ") : text };
      continue;
    }
    const { text, end: closed } = quoted(source, at + before.length + head.length, line);
    yield { line, name, text: hasHead(name) ? `${head.trim()} ${text}` : text };
    line += text.split("\n").length - 1;
    end = closed;
  }
}

/** The first word, and the rest behind the blank between: blanks within quotes are the text's. */
const firstWord = (text: string) => {
  const [, word = "", rest = ""] = /^(\S+)(?: ([^]*))?$/.exec(text) ?? [];
  return [word, rest] as const;
};

function numberOf(name: string, text: string, type: "integer" | "float"): number {
  const value = Number(text);
  const fits = text.trim() !== "" && (type === "float" ? Number.isFinite(value) : Number.isInteger(value));
  if (!fits)
    throw new ModelfileError(`invalid ${type === "float" ? "float" : "int"} value ${JSON.stringify(text)} for ${name}`);
  return value;
}

function parameterValue(name: string, text: string): unknown {
  const type = optionType(name);
  if (type === undefined) throw new ModelfileError(`unknown parameter '${name}'`);
  if (type === "integer" || type === "float") return numberOf(name, text, type);
  if (type === "strings") return text;
  if (!/^(true|false|1|0)$/i.test(text))
    throw new ModelfileError(`invalid bool value ${JSON.stringify(text)} for ${name}`);
  return /^(true|1)$/i.test(text);
}

/** The parts read so far. */
interface Draft {
  readonly from: string[];
  readonly parameters: Record<string, unknown>;
  readonly messages: { role: string; content: string }[];
  readonly licenses: string[];
  template?: string;
  system?: string;
  renderer?: string;
  parser?: string;
  requires?: string;
}

const takers: Readonly<Record<(typeof known)[number], (draft: Draft, text: string) => void>> = {
  from: ({ from }, text) => void from.push(text),
  license: ({ licenses }, text) => void licenses.push(text),
  template: (draft, text) => void (draft.template = text),
  system: (draft, text) => void (draft.system = text),
  renderer: (draft, text) => void (draft.renderer = text),
  parser: (draft, text) => void (draft.parser = text),
  requires: (draft, text) => void (draft.requires = text),
  message({ messages }, text) {
    const [role, content] = firstWord(text);
    if (!roles.includes(role.toLowerCase()))
      throw new ModelfileError('message role must be one of "system", "user", or "assistant"');
    messages.push({ role: role.toLowerCase(), content });
  },
  parameter({ parameters }, text) {
    const [name, value] = firstWord(text);
    if (retiredOptions.has(name)) return;
    const read = parameterValue(name, value);
    if (optionType(name) === "strings") ((parameters[name] ??= []) as unknown[]).push(read);
    else parameters[name] = read;
  },
};

/** @throws ModelfileError */
export function parseModelfile(source: string): Modelfile {
  const draft: Draft = { from: [], parameters: {}, messages: [], licenses: [] };
  for (const { line, name, text } of instructions(source.replace(/^\uFEFF/, "").replace(/\r\n/g, "\n"))) {
    if (refused.includes(name)) throw failAt(line, `${name.toUpperCase()} is not supported`);
    const command = known.find((one) => one === name);
    if (command === undefined)
      throw failAt(line, `command must be one of ${known.map((one) => `"${one}"`).join(", ")}`);
    if (text === "" && command !== "system" && command !== "template")
      throw failAt(line, `${name.toUpperCase()} needs a value`);
    try {
      takers[command](draft, text);
    } catch (error) {
      throw failAt(line, (error as Error).message);
    }
  }
  if (draft.from.length === 0) throw new ModelfileError("no FROM line");
  return draft;
}
