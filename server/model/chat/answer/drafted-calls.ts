import type { ToolDefinition } from "../../chat-completion.ts";
import type { AnswerEnd, AnswerParser, AnswerPart } from "./answer-part.ts";
import { isKnownTool } from "./call-syntax.ts";

/** Thoughts with more texts that look like calls are about calls. */
export const mostDrafts = 8;

/**
 * Reads what looks like a call in thoughts. It is one where calls of known tools end the answer: the model has forgotten to
 * close its thoughts. Otherwise the model only thinks of a call.
 */
export class DraftedCalls {
  readonly #parser: AnswerParser;
  readonly #tools: readonly ToolDefinition[];
  readonly #calls: AnswerPart[] = [];
  #length = 0;

  constructor(parser: AnswerParser, tools: readonly ToolDefinition[]) {
    this.#parser = parser;
    this.#tools = tools;
  }

  /** The calls at the end of the answer; "thoughts" for other text, undefined while both are possible. */
  read(text: string, end: AnswerEnd | undefined): readonly AnswerPart[] | "thoughts" | undefined {
    const parts = this.#parser.push(text.slice(this.#length));
    this.#length = text.length;
    if (end !== undefined) parts.push(...this.#parser.end(end));
    for (const part of parts) {
      const isCall = part.type === "tool_call" && isKnownTool(part.call.name, this.#tools);
      if (!isCall) return "thoughts";
      this.#calls.push({ ...part, isRecovered: true });
    }
    if (end === undefined) return undefined;
    return this.#calls.length > 0 ? this.#calls : "thoughts";
  }
}
