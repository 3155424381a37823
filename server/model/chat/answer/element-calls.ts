/** Calls whose arguments are elements of their own, between texts that each family chooses. */
import { escapePattern } from "../../../contract/escape-pattern.ts";
import { parseJson } from "../../../contract/parse-json.ts";
import type { ToolDefinition } from "../../chat-completion.ts";
import { literal, type GrammarRules } from "../../grammar/grammar-rules.ts";
import { namedArguments, type PairMarks } from "./argument-pairs.ts";
import { anyTool, several } from "./call-grammar.ts";
import {
  areKnownCalls,
  bodyUpTo,
  callsOrText,
  isKnownTool,
  isName,
  longestHead,
  mayNameTool,
  unclosedObject,
  type CutContext,
  type CallSyntax,
  type CutCalls,
  type ReadCalls,
  type ReadContext,
} from "./call-syntax.ts";
import { argumentsOf, callsOfJson, jsonEnd } from "./json-in-text.ts";
import { argumentsInOrder, withoutTags } from "./tool-parameters.ts";

/** The text behind a name: a pattern for the parser, and the body of a rule for the grammar. */
export interface BehindName {
  readonly pattern: string;
  readonly written: (isText: boolean) => string;
}

export interface ElementMarkup {
  /** The texts around a call or several. Undefined where nothing stands around a call. */
  readonly section?: { readonly open: string; readonly close: string; readonly isOfOneCall?: boolean };
  readonly call: { readonly open: string; readonly behindName: BehindName; readonly close: string };
  readonly argument: { readonly open: string; readonly behindName: BehindName; readonly close: string };
  /** The line end that the grammar writes around a value. The parser removes one on each side. */
  readonly padding: "\n" | "";
  /** The body of a rule for the text between elements. */
  readonly gap: string;
  /** Whether a value that is not closed ends before the next argument, or with the call. */
  readonly mayBeUnclosed?: boolean;
}

/** The same text for the parser and the grammar. */
export const exactly = (text: string): BehindName => ({ pattern: escapePattern(text), written: () => literal(text) });

/** The patterns of a markup. */
function patternsOf({ section, call, argument, padding, mayBeUnclosed = false }: ElementMarkup) {
  const lineEnd = padding === "" ? "" : "\\n?";
  const [open, close, callClose] = [argument.open, argument.close, call.close].map(escapePattern);
  const behind = section === undefined ? escapePattern(call.open) : escapePattern(section.close);
  const unclosed = mayBeUnclosed ? `|(?=${String(open)})|$` : "";
  const pair: PairMarks = [
    new RegExp(String(open), "g"),
    new RegExp(`${argument.behindName.pattern}${lineEnd}`, "g"),
    new RegExp(`${lineEnd}${String(close)}${unclosed}`, "g"),
  ];
  return {
    pair,
    name: new RegExp(`(.*?)(?:${call.behindName.pattern})`, "sy"),
    outside: new RegExp(`${[open, callClose, ...(section ? [escapePattern(section.close)] : [])].join("|")}`, "g"),
    // In a value, only the closing of a call that something else of the markup follows ends the call.
    inside: new RegExp(
      `${String(close)}|${String(callClose)}\\s*${behind}${mayBeUnclosed ? `|${String(open)}` : ""}`,
      "g",
    ),
  };
}

/** The longest text of a markup, with white space inside it. */
const longestMark = 96;

/** Where the body of a call ends, and the call with its closing. */
interface FoundEnd {
  readonly to: number;
  readonly length: number;
  /** Its closing is missing. */
  readonly isRecovered?: boolean;
}

class ElementSyntax implements CallSyntax {
  readonly open: readonly string[];
  readonly ignored: readonly string[];
  readonly #markup: ElementMarkup;
  readonly #patterns: ReturnType<typeof patternsOf>;

  constructor(markup: ElementMarkup) {
    const { section, call } = markup;
    this.#markup = markup;
    this.#patterns = patternsOf(markup);
    this.open = section === undefined ? [call.open] : [section.open, call.open];
    this.ignored = [section?.close ?? call.close];
  }

  /** The name at the beginning; "none" for other text, undefined while it is incomplete. */
  #head(text: string, opening: string): { name: string; from: number } | "none" | undefined {
    const { call } = this.#markup;
    const start = opening === call.open ? "" : call.open;
    const from = start === "" ? 0 : text.length - text.trimStart().length;
    const head = text.slice(from, from + longestHead);
    if (!head.startsWith(start)) return start.startsWith(head) ? undefined : "none";
    const { name } = this.#patterns;
    name.lastIndex = start.length;
    const [found, word = ""] = name.exec(head) ?? [];
    if (found === undefined) return head.length < longestHead ? undefined : "none";
    return { name: word.trim(), from: from + start.length + found.length };
  }

  /** The end of the call whose body begins at `from`. Each piece of the text is searched once. */
  #end(text: string, from: number, { isEnd, scan: { body } }: ReadContext): FoundEnd | undefined {
    const { call, argument, mayBeUnclosed = false } = this.#markup;
    if (body.from === 0) body.from = body.next = from;
    for (;;) {
      const pattern = body.inside ? this.#patterns.inside : this.#patterns.outside;
      pattern.lastIndex = body.next;
      const found = pattern.exec(text);
      if (found === null) break;
      const [mark] = found;
      if (mark.startsWith(call.close)) return { to: found.index, length: found.index + call.close.length };
      if (mark !== argument.open && mark !== argument.close)
        return { to: found.index, length: found.index, isRecovered: true };
      body.inside = mark === argument.open;
      body.from = body.next = pattern.lastIndex;
    }
    // The end of the text may be the beginning of a mark.
    body.next = Math.max(body.next, text.length - longestMark);
    if (!isEnd) return undefined;
    const rest = text.slice(body.from).trimEnd();
    const isClosed = body.inside && mayBeUnclosed && rest.endsWith(call.close);
    if (isClosed) return { to: body.from + rest.length - call.close.length, length: text.length, isRecovered: true };
    return body.inside || !call.close.startsWith(rest)
      ? undefined
      : { to: text.length, length: text.length, isRecovered: true };
  }

  /** Calls in JSON of known tools, or the text of what is no call, up to the closing that belongs to the opening. */
  #other(text: string, context: ReadContext): ReadCalls | undefined {
    const found = bodyUpTo(text, this.ignored[0] ?? "", context);
    if (found === undefined) return undefined;
    const calls = callsOfJson(parseJson(found.body));
    if (areKnownCalls(calls, context.tools)) return { length: found.length, calls, isRecovered: true };
    return callsOrText(withoutTags(found.body), found.length, undefined);
  }

  read(text: string, context: ReadContext): ReadCalls | undefined {
    const { opening, tools, isEnd, isBehindCall } = context;
    const head = this.#head(text, opening);
    if (head === undefined && !isEnd) return undefined;
    const isKnown = typeof head === "object" && isKnownTool(head.name, tools);
    const lacksSection = opening !== this.open[0] && opening === this.#markup.call.open && !isBehindCall;
    if (lacksSection && !isKnown) return { length: 0, calls: [], isLiteral: true };
    if (typeof head !== "object" || !isName(head.name, tools)) return this.#other(text, context);
    const end = this.#end(text, head.from, context);
    if (end === undefined || (end.isRecovered === true && !isKnown))
      return isEnd ? this.#other(text, context) : undefined;
    const body = text.slice(head.from, end.to);
    const { entries, isRecovered: isMissed } = namedArguments(head.name, body, this.#patterns.pair, { tools });
    const written = body.trimStart();
    const isJson = entries.length === 0 && written.startsWith("{");
    const json = isJson ? argumentsOf(written.slice(0, jsonEnd(written, 0))) : undefined;
    const isRecovered = lacksSection || end.isRecovered === true || isMissed || json !== undefined;
    const call = { name: head.name, arguments: json ?? Object.fromEntries(entries) };
    return { length: end.length, calls: [call], ...(isRecovered && { isRecovered }) };
  }

  readCut(text: string, { opening, tools }: CutContext): CutCalls | undefined {
    const head = this.#head(text, opening);
    if (head === "none") return undefined;
    if (head === undefined) return this.#isBegunName(text, opening, tools) ? { calls: [] } : undefined;
    if (!isName(head.name, tools)) return undefined;
    const body = text.slice(head.from).replace(/<[^<>\s]*$/, "");
    const { name, entries } = namedArguments(head.name, body, this.#patterns.pair, { tools, isCut: true });
    return { calls: [], cut: { name, arguments: unclosedObject(entries) } };
  }

  /** Whether the text, which ends in the name of a call, may begin one. */
  #isBegunName(text: string, opening: string, tools: readonly ToolDefinition[]): boolean {
    const { open } = this.#markup.call;
    const start = text.trimStart();
    const begun = opening === open ? start : start.slice(open.length);
    return begun === "" || isName(begun.trim(), tools) || mayNameTool(begun, tools);
  }

  grammar(tools: readonly ToolDefinition[], rules: GrammarRules, most: number): string {
    const { section, call, gap } = this.#markup;
    const one = anyTool(
      tools,
      rules,
      (tool) =>
        `${literal(`${call.open}${tool.name}`)} ${call.behindName.written(false)} ${gap} ${this.#parameters(tool, rules)} ${literal(call.close)}`,
    );
    if (section === undefined) return several(one, gap, most);
    const [open, close] = [`${literal(section.open)} ${gap}`, `${gap} ${literal(section.close)}`];
    if (section.isOfOneCall === true) return several(`${open} ${one} ${close}`, '"\\n"', most);
    return `${open} ${several(one, gap, most)} ${close}`;
  }

  #parameters(tool: ToolDefinition, rules: GrammarRules): string {
    const { argument, padding, gap } = this.#markup;
    const { open, behindName, close } = argument;
    return argumentsInOrder(tool, rules, close, (name, value, isText) => {
      const before = `${literal(`${open}${name}`)} ${behindName.written(isText)} ${literal(padding)}`;
      return `${before} ${value} ${literal(`${padding}${close}`)} ${gap}`;
    });
  }
}

/** The syntax of calls in a markup of elements. */
export const elementCalls = (markup: ElementMarkup): CallSyntax => new ElementSyntax(markup);
