/** The syntax of a family's tool calls: a port with an implementation for each family. */
import type { ToolDefinition } from "../../chat-completion.ts";
import type { GrammarRules } from "../../grammar/grammar-rules.ts";
import type { CutCallPart, ParsedCall } from "./answer-part.ts";
import { bracketScan, type BracketScan } from "./bracket-end.ts";

/** The content behind an opening: calls, or text that only resembled some, and its length in characters. */
export interface ReadCalls {
  readonly length: number;
  readonly calls: readonly ParsedCall[];
  /** Text that the model wrote instead of calls, without markup. */
  readonly text?: string;
  /** Whether a bare call may follow that text. */
  readonly goesOn?: boolean;
  /** Whether another call may follow in the same block. */
  readonly staysInside?: boolean;
  /** Whether the opening is text: nothing behind it resembles a call. */
  readonly isLiteral?: boolean;
  /** Whether the model missed its own markup, and the calls are clear all the same. */
  readonly isRecovered?: boolean;
}

/** The content behind an opening in a truncated answer: complete calls, and the truncated one. */
export interface CutCalls {
  readonly calls: readonly ParsedCall[];
  /** Undefined while its name is incomplete. */
  readonly cut?: CutCallPart | undefined;
}

/** How far the text behind an opening has been read, while it grows: models write long calls in many pieces. */
export interface CallScan {
  readonly brackets: BracketScan;
  readonly body: {
    /** The last closing that belongs to a value, and whether the text up to there ends inside one. */
    from: number;
    inside: boolean;
    /** Where the next closing may begin. */
    next: number;
  };
  /** Of a call that lacks its closing brackets. */
  readonly unclosed: {
    /** Where its closing may begin. */
    next: number;
    /** Whether the text up to its closing was read. */
    isRead: boolean;
  };
}

export const callScan = (): CallScan => ({
  brackets: bracketScan(),
  body: { from: 0, inside: false, next: 0 },
  unclosed: { next: 0, isRead: false },
});

export interface CutContext {
  readonly opening: string;
  readonly tools: readonly ToolDefinition[];
}

export interface ReadContext extends CutContext {
  readonly isEnd: boolean;
  /** Whether another call stands directly before the opening. */
  readonly isBehindCall: boolean;
  /** The scan of the text so far. */
  readonly scan: CallScan;
}

export interface CallSyntax {
  /** Texts that begin calls anywhere. */
  readonly open: readonly string[];
  /** Texts around calls without a meaning of their own. */
  readonly ignored: readonly string[];
  /** Whether the beginning of an answer may begin a call without an opening. Undefined in families that always write one. */
  readonly mayBeBare?: (text: string, tools: readonly ToolDefinition[]) => boolean;
  /**
   * Parses the text behind an opening (`opening` is "" for a bare call). Undefined while more text is needed, which
   * never happens once the answer has ended.
   */
  read(text: string, context: ReadContext): ReadCalls | undefined;
  /** Parses the text behind an opening when the answer was truncated before `read` had a result; undefined for text. */
  readCut(text: string, context: CutContext): CutCalls | undefined;
  /** The rule for one to `most` calls of these tools, the opening included. */
  grammar(tools: readonly ToolDefinition[], rules: GrammarRules, most: number): string;
  /** Describes the tools to the model, in a family whose templates show calls, but no tools. */
  readonly teach?: (tools: readonly ToolDefinition[]) => string;
}

/**
 * The text up to `close` as a body; without `close` only when the answer has ended. `isInside` is called for each piece
 * before a closing, with its previous result. It returns whether the piece ends inside a text to which that closing belongs.
 */
export function bodyUpTo(
  text: string,
  close: string,
  { isEnd, scan: { body } }: Pick<ReadContext, "isEnd" | "scan">,
  isInside: (piece: string, wasInside: boolean) => boolean = () => false,
): { body: string; length: number; isClosed: boolean } | undefined {
  for (let at = text.indexOf(close, body.next); at >= 0; at = text.indexOf(close, body.next)) {
    const isValue = isInside(text.slice(body.from, at), body.inside);
    if (!isValue) return { body: text.slice(0, at), length: at + close.length, isClosed: true };
    body.from = at;
    body.inside = isValue;
    body.next = at + 1;
  }
  body.next = Math.max(body.next, text.length - close.length + 1);
  return isEnd ? { body: text, length: text.length, isClosed: false } : undefined;
}

/** Heads of calls are short: a longer text in the place of one is none. */
export const longestHead = 512;

export const isKnownTool = (name: string, tools: readonly ToolDefinition[]) => tools.some((tool) => tool.name === name);

/** Whether there are calls, all of known tools. */
export const areKnownCalls = (
  calls: readonly ParsedCall[] | undefined,
  tools: readonly ToolDefinition[],
): calls is readonly ParsedCall[] => calls?.every(({ name }) => isKnownTool(name, tools)) === true;

/** Whether the text may be, or begin with, the name of a tool once more of it is there. */
export const mayNameTool = (text: string, tools: readonly ToolDefinition[]) =>
  tools.some(({ name }) => name.startsWith(text) || text.startsWith(name));

/** Whether the text between two marks is a name: with white space in it only where a tool has that name. */
export const isName = (text: string, tools: readonly ToolDefinition[]) =>
  text !== "" && (!/\s/.test(text) || isKnownTool(text, tools));

/**
 * What `read` finds in the text from `from` to the first closing, or to the end of the answer. The text is read once,
 * however many pieces it comes in.
 */
export function readUpToClosing<Found>(
  { text, from = 0, close }: { text: string; from?: number; close: string },
  { isEnd, scan: { unclosed } }: Pick<ReadContext, "isEnd" | "scan">,
  read: (before: string) => Found | undefined,
): { found: Found; length: number } | undefined {
  if (unclosed.isRead) return undefined;
  const at = close === "" ? -1 : text.indexOf(close, Math.max(unclosed.next, from));
  unclosed.next = Math.max(unclosed.next, text.length - close.length + 1);
  if (at < 0 && !isEnd) return undefined;
  unclosed.isRead = true;
  const found = read(text.slice(from, at < 0 ? undefined : at));
  return found === undefined ? undefined : { found, length: at < 0 ? text.length : at + close.length };
}

/** JSON text of an object that may have more members. */
export const unclosedObject = (entries: readonly (readonly [string, unknown])[]) =>
  JSON.stringify(Object.fromEntries(entries)).slice(0, -1);

/** The calls in a body, or its text if there are none. */
export function callsOrText(body: string, length: number, calls: readonly ParsedCall[] | undefined): ReadCalls {
  return calls === undefined ? { length, calls: [], text: body.trim() } : { length, calls };
}
