/** Reads the rules of a scripted model: YAML or JSON from anybody, bounded in size and time. */
import { decodeText } from "../../../file-system/decode-text.ts";
import { randomUUID } from "node:crypto";
import { LineCounter, parseDocument, type Document } from "yaml";
import { modelRulesSchema, type ModelRule, type TextMatch } from "../../../contract/model/model-rules.ts";
import { parseJson } from "../../../contract/parse-json.ts";
import { createForeignPattern } from "../../../foreign/foreign-pattern.ts";
import { withinDeadline } from "../../../foreign/within-deadline.ts";
import type { Capability, ScriptedRules } from "./installed-model.ts";

/** The text is no rules file; the message names the line and the member. */
export class RulesError extends Error {
  override readonly name = "RulesError";
}

/** The largest file. Reading has a deadline, too: its time grows with the square of the names of a map. */
const mostRulesBytes = 512 * 1024;
const deadlineMs = 2_000;

export const isRulesName = (fileName: string) =>
  /\.rules\.(?:ya?ml|json)$/i.test(fileName) && !fileName.startsWith(".");

/** @throws RulesError */
export function checkRulesSize(bytes: number): void {
  if (bytes > mostRulesBytes) throw new RulesError(`it has more than ${String(mostRulesBytes / 1024)} KiB`);
}

/** The value of a text, and the line of each of its members where the text has lines to name. */
interface ReadText {
  readonly value: unknown;
  readonly lineOf: (path: readonly PropertyKey[]) => number | undefined;
}

function lineIn(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number | undefined {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined;
    if (node?.range) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}

/** @throws RulesError for a text that is neither JSON nor YAML */
function readText(text: string): ReadText {
  const json = parseJson(text);
  if (json !== undefined) return { value: json, lineOf: () => undefined };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [problem] = document.errors;
  if (problem) throw new RulesError(`line ${String(lines.linePos(problem.pos[0]).line)}: ${problem.message}`);
  return { value: document.toJS({ maxAliasCount: 100 }), lineOf: (path) => lineIn(document, lines, path) };
}

const pathText = (path: readonly PropertyKey[]) =>
  path
    .map((part, at) => (typeof part === "number" ? `[${String(part)}]` : `${at > 0 ? "." : ""}${String(part)}`))
    .join("");

function failAt(path: readonly PropertyKey[], message: string, { lineOf }: ReadText): RulesError {
  const line = lineOf(path);
  const place = [line === undefined ? "" : `line ${String(line)}`, pathText(path)].filter((part) => part !== "");
  return new RulesError(`${place.join(", ") || "the file"}: ${message}`);
}

/** @throws RulesError for a regular expression that is not valid */
function checkPatterns({ when = {} }: ModelRule, at: readonly PropertyKey[], read: ReadText): void {
  const { user, system, tool_result: result } = when;
  const matches = { user, system, tool_result: typeof result === "object" ? result : undefined };
  for (const [name, match] of Object.entries<TextMatch | undefined>(matches))
    try {
      if (match?.matches !== undefined) createForeignPattern(match.matches);
    } catch (error) {
      throw failAt([...at, "when", name, "matches"], (error as Error).message, read);
    }
}

function capabilitiesIn(rules: readonly ModelRule[]): Capability[] {
  const has = (test: (rule: ModelRule) => unknown) => rules.some((rule) => Boolean(test(rule)));
  return [
    "completion",
    ...(has(({ calls, when }) => calls ?? when?.tools ?? when?.tool_result) ? (["tools"] as const) : []),
    ...(has(({ thinking }) => thinking) ? (["thinking"] as const) : []),
    ...(has(({ when }) => when?.images) ? (["vision"] as const) : []),
  ];
}

function parse(text: string): ScriptedRules {
  const read = readText(text);
  const parsed = modelRulesSchema.safeParse(read.value);
  const [issue] = parsed.error?.issues ?? [];
  if (issue !== undefined) throw failAt(issue.path, issue.message, read);
  const { rules = [] } = parsed.data ?? {};
  for (const [at, rule] of rules.entries()) checkPatterns(rule, ["rules", at], read);
  const placed = rules.map((rule, at) => {
    const line = read.lineOf(["rules", at]);
    return { ...rule, place: `rule ${String(at + 1)}${line === undefined ? "" : ` (line ${String(line)})`}` };
  });
  return { id: randomUUID(), rules: placed, capabilities: capabilitiesIn(rules) };
}

/** @throws RulesError */
export function parseRules(bytes: Uint8Array): ScriptedRules {
  checkRulesSize(bytes.length);
  try {
    return withinDeadline(deadlineMs, () => parse(decodeText(bytes, { lenient: true })));
  } catch (error) {
    if (error instanceof RulesError) throw error;
    // Too deep for the stack, too many aliases, or too slow.
    throw new RulesError(`the file cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
