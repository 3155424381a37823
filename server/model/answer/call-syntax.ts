/** How a family of models writes calls of tools: a port with an implementation for each family. */
import type { ToolDefinition } from "../chat-completion.ts";
import type { GrammarRules } from "../grammar/grammar-rules.ts";
import type { CutCall, ParsedCall } from "./answer-part.ts";

/** What stands behind the opening: calls, or text that only looked like some, and how many characters it takes. */
export interface ReadCalls {
  readonly length: number;
  readonly calls: readonly ParsedCall[];
  /** What the model wrote in place of calls, without markup. */
  readonly text?: string;
  /** Whether a bare call may follow that text. */
  readonly goesOn?: boolean;
}

/** What stands behind the opening in an answer that was cut off: whole calls, and the one that was not. */
export interface CutCalls {
  readonly calls: readonly ParsedCall[];
  /** Undefined while not even its name is whole. */
  readonly cut?: CutCall | undefined;
}

export interface CallSyntax {
  /** Texts that begin calls wherever they appear. */
  readonly open: readonly string[];
  /** Texts around calls that mean nothing by themselves. */
  readonly ignored: readonly string[];
  /** Whether calls may also begin the answer without any opening. */
  readonly bare?: boolean;
  /**
   * Reads what follows an opening (`opening` is "" for a bare call); undefined while more text is needed, which it never
   * is when the answer has ended.
   */
  read(
    text: string,
    context: { opening: string; isEnd: boolean; tools: readonly ToolDefinition[] },
  ): ReadCalls | undefined;
  /** Reads what follows an opening when the answer was cut off before `read` had an answer; undefined for text. */
  readCut(text: string, context: { opening: string; tools: readonly ToolDefinition[] }): CutCalls | undefined;
  /** The rule for one or more calls of these tools, the opening included. */
  grammar(tools: readonly ToolDefinition[], rules: GrammarRules): string;
  /** What tells a model of its tools, in a family whose templates show calls, but no tools. */
  readonly teach?: (tools: readonly ToolDefinition[]) => string;
}

/**
 * The text up to `close` as a body; without it only when the answer has ended. `isInside` tells of the next piece of a body
 * whether it ends in a text to which a closing belongs, as the piece before it did or not.
 */
export function bodyUpTo(
  text: string,
  close: string,
  isEnd: boolean,
  isInside: (piece: string, wasInside: boolean) => boolean = () => false,
): { body: string; length: number; isClosed: boolean } | undefined {
  let from = 0;
  let inside = false;
  for (let at = text.indexOf(close); at >= 0; at = text.indexOf(close, at + 1)) {
    inside = isInside(text.slice(from, at), inside);
    if (!inside) return { body: text.slice(0, at), length: at + close.length, isClosed: true };
    from = at;
  }
  return isEnd ? { body: text, length: text.length, isClosed: false } : undefined;
}

/** JSON text of an object that may have more members. */
export const unclosedObject = (entries: readonly (readonly [string, unknown])[]) =>
  JSON.stringify(Object.fromEntries(entries)).slice(0, -1);

/** The calls that a body holds, or its text where it holds none. */
export function callsOrText(body: string, length: number, calls: readonly ParsedCall[] | undefined): ReadCalls {
  return calls === undefined ? { length, calls: [], text: body.trim() } : { length, calls };
}
