/** Calls of a name and arguments in JSON, each between texts that each family chooses. */
import type { ToolDefinition } from "../../chat-completion.ts";
import { literal, type GrammarRules } from "../../grammar/grammar-rules.ts";
import { anyTool, argumentsRule, several } from "./call-grammar.ts";
import {
  bodyUpTo,
  callsOrText,
  isKnownTool,
  isName,
  longestHead,
  mayNameTool,
  readUpToClosing,
  type CutContext,
  type CallSyntax,
  type CutCalls,
  type ReadCalls,
  type ReadContext,
} from "./call-syntax.ts";
import { argumentsOf, jsonEnd, jsonWithoutEnd } from "./json-in-text.ts";

export interface NamedMarkup {
  /** The texts around all calls of an answer. */
  readonly section?: { readonly open: string; readonly close: string };
  readonly open: string;
  readonly close: string;
  /** The head of a call up to its arguments, with the groups `name` and perhaps `id`. */
  readonly head: RegExp;
  /** Texts in a head that are no text where no call follows. */
  readonly separators: readonly string[];
  /** Texts around results, which models repeat. */
  readonly results?: readonly string[];
  /** Whether a call has to be one of a known tool, because its opening is common in other text. */
  readonly isKnown?: boolean;
  /** Whether the prompt ends with the opening of the first call. */
  readonly isOpenedByPrompt?: boolean;
  /** The grammar's forms: the body of a rule for the head, the text before the closing, and the rule between calls. */
  readonly written: { readonly head: (name: string) => string; readonly end: string };
  readonly between?: string;
}

interface Head {
  readonly call: { readonly name: string; readonly id?: string };
  readonly length: number;
}

function headOf(
  text: string,
  { head, isKnown = false }: NamedMarkup,
  tools: readonly ToolDefinition[],
): Head | undefined {
  const found = head.exec(text.slice(0, longestHead));
  const { name = "", id } = found?.groups ?? {};
  const isWanted = isKnown ? isKnownTool : isName;
  if (found === null || !isWanted(name.trim(), tools)) return undefined;
  return { call: { name: name.trim(), ...(id !== undefined && { id: id.trim() }) }, length: found[0].length };
}

class NamedSyntax implements CallSyntax {
  readonly open: readonly string[];
  readonly ignored: readonly string[];
  readonly #markup: NamedMarkup;

  constructor(markup: NamedMarkup) {
    this.#markup = markup;
    const { section, close, isKnown = false, results = [] } = markup;
    const closings = isKnown ? [] : [close];
    this.open = [markup.open, ...(section ? [section.open] : [])];
    this.ignored = [...(section ? [section.close] : []), ...closings, ...results];
  }

  /** The text of what is no call, up to the closing that belongs to the opening. */
  #text(text: string, context: ReadContext): ReadCalls | undefined {
    const { close, separators, isKnown } = this.#markup;
    if (isKnown === true) return { length: 0, calls: [], isLiteral: true };
    const found = close === "" ? undefined : bodyUpTo(text, close, context);
    if (found === undefined) return context.isEnd ? callsOrText(text, text.length, undefined) : undefined;
    const body = separators.reduce((rest, separator) => rest.replaceAll(separator, " "), found.body);
    return callsOrText(body, found.length, undefined);
  }

  read(text: string, context: ReadContext): ReadCalls | undefined {
    const { opening, isEnd, tools, scan } = context;
    const { section, close, head: pattern } = this.#markup;
    // The opening of the first call follows.
    if (opening === section?.open) return { length: 0, calls: [], goesOn: true };
    const head = headOf(text, this.#markup, tools);
    if (head === undefined) {
      const mayFollow = text.length < longestHead && !pattern.test(text) && !isEnd;
      return mayFollow && !this.#isText(text, tools) ? undefined : this.#text(text, context);
    }
    const from = head.length + (/^\s*/.exec(text.slice(head.length))?.[0].length ?? 0);
    if (text[from] !== "{") return this.#withoutArguments(head, text, context);
    const end = jsonEnd(text, from, scan.brackets);
    if (end === undefined)
      return this.#unclosed(head, text, context) ?? (isEnd ? this.#text(text, context) : undefined);
    const args = argumentsOf(text.slice(from, end));
    if (args === undefined)
      return this.#unclosed(head, text.slice(0, end), { ...context, isEnd: false }) ?? this.#text(text, context);
    const rest = text.slice(end);
    const tail = /^\s*(?:`{3}\s*)?/.exec(rest)?.[0] ?? "";
    const behind = rest.slice(tail.length);
    if (!isEnd && (close.startsWith(behind) || /^`{1,2}$/.test(behind)) && behind !== close) return undefined;
    const isClosed = close !== "" && behind.startsWith(close);
    const length = isClosed ? end + tail.length + close.length : end;
    return { length, calls: [{ ...head.call, arguments: args }] };
  }

  /** Whether no head can follow. */
  #isText(text: string, tools: readonly ToolDefinition[]): boolean {
    const { close, isKnown } = this.#markup;
    if (isKnown === true) return !mayNameTool(text, tools);
    return close !== "" && text.includes(close);
  }

  /** A head without an object behind it: a call without arguments where the closing follows. */
  #withoutArguments({ call, length }: Head, text: string, context: ReadContext): ReadCalls | undefined {
    const { close } = this.#markup;
    const rest = text.slice(length);
    const start = rest.trimStart();
    if (close !== "" && start.startsWith(close))
      return { length: length + rest.length - start.length + close.length, calls: [{ ...call, arguments: {} }] };
    if (!context.isEnd && (start === "" || close.startsWith(start))) return undefined;
    return this.#text(text, context);
  }

  /** A call of a known tool whose arguments lack closing brackets. */
  #unclosed({ call, length }: Head, text: string, context: ReadContext): ReadCalls | undefined {
    if (!isKnownTool(call.name, context.tools)) return undefined;
    const place = { text, from: length, close: this.#markup.close };
    const read = readUpToClosing(place, context, (before) => {
      const written = jsonWithoutEnd(before);
      return written === undefined ? undefined : argumentsOf(written);
    });
    return read && { length: read.length, calls: [{ ...call, arguments: read.found }], isRecovered: true };
  }

  readCut(text: string, { opening, tools }: CutContext): CutCalls | undefined {
    if (opening === this.#markup.section?.open) return undefined;
    const head = headOf(text, this.#markup, tools);
    if (head === undefined) return this.#isText(text, tools) ? undefined : { calls: [] };
    const from = text.indexOf("{", head.length);
    return { calls: [], cut: { ...head.call, arguments: from < 0 ? "" : text.slice(from) } };
  }

  grammar(tools: readonly ToolDefinition[], rules: GrammarRules, most: number): string {
    const { section, open, close, written, between = '""', isOpenedByPrompt = false } = this.#markup;
    const one = anyTool(
      tools,
      rules,
      (tool) => `${written.head(tool.name)} ${argumentsRule(tool, rules)} ${literal(`${written.end}${close}`)}`,
    );
    if (isOpenedByPrompt) return several(one, literal(open), most);
    const all = several(`${literal(open)} ${one}`, between, most);
    return section === undefined ? all : `${literal(section.open)} ${all} ${literal(section.close)}`;
  }
}

/** The syntax of calls of a name and arguments in JSON. */
export const namedJsonCalls = (markup: NamedMarkup): CallSyntax => new NamedSyntax(markup);
