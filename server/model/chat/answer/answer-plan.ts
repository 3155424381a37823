/**
 * Turns a rendered prompt into the engine's request: opens or closes thoughts, builds the grammar, and selects the
 * parser.
 */
import type { Grammar } from "../../../contract/model/runner.ts";
import type { SchemaRecord, ToolChoice, ToolDefinition } from "../../chat-completion.ts";
import { createGrammarRules, literal, type GrammarRules } from "../../grammar/grammar-rules.ts";
import { GrammarLimitError } from "../../grammar/grammar-size.ts";
import { formatRule } from "../../grammar/schema-grammar.ts";
import { OllamaError } from "../../ollama-error.ts";
import { createAnswerParser, harmonyContent, opensThoughts, plainParser, type AnswerFormat } from "./answer-format.ts";
import type { AnswerParser } from "./answer-part.ts";
import { mostCalls } from "./call-grammar.ts";

export interface AnswerOptions {
  readonly format: undefined | "json" | SchemaRecord;
  /** Whether members may come that the format does not name but allows. */
  readonly isOpen: boolean;
  /** The tools shown to the model; none for tool_choice none. */
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ToolChoice;
  readonly severalCalls: boolean;
  /** Whether to think; `refused` when the client turned it off, as opposed to a model that cannot. */
  readonly thinking: "on" | "off" | "refused";
  /** The beginning of the answer that the client wrote: the model continues it, and thinks no more. */
  readonly begun?: string | undefined;
  /** The thoughts before that beginning; without one, the model continues them. */
  readonly begunThoughts?: string | undefined;
}

/** The text for the engine, and the parser of its answer. */
export interface Prompt {
  readonly text: string;
  readonly suffix: string | undefined;
  readonly grammar: Grammar | undefined;
  /** Whether control tokens may be part of the answer's markup. */
  readonly hasMarkup: boolean;
  createParser(): AnswerParser;
}

/** A prompt whose answer is plain text, perhaps in a format. */
export function plainPrompt(
  text: string,
  { suffix, ...options }: Pick<AnswerOptions, "format" | "isOpen"> & { readonly suffix?: string | undefined },
): Prompt {
  const restriction = restrictionOf(undefined, options);
  const grammar = restriction && grammarOf(restriction);
  return { text, suffix, grammar, hasMarkup: false, createParser: plainParser };
}

/** The head of a further message in gpt-oss. */
const harmonyStart = "<|start|>assistant";

const isForced = (choice: ToolChoice | undefined) => choice === "required" || typeof choice === "object";

/** The allowed answers as grammar rules with their root; undefined for any answer. */
interface Restriction {
  readonly rules: GrammarRules;
  readonly root: string;
}

/** @throws OllamaError 400 naming the part of a schema that cannot be enforced */
function restrictionOf(format: AnswerFormat | undefined, options: Partial<AnswerOptions>): Restriction | undefined {
  if (options.format === undefined && !isForced(options.toolChoice)) return undefined;
  const rules = createGrammarRules();
  try {
    const root = rootOf(format, options, rules);
    return root === undefined ? undefined : { rules, root };
  } catch (error) {
    // Errors of schemas name themselves; the rest concerns all tools together.
    if (!(error instanceof GrammarLimitError)) throw error;
    throw new OllamaError(400, `invalid tools: their calls cannot be enforced: ${error.message}`, error);
  }
}

function grammarOf(
  { rules, root }: Restriction,
  { format, after }: { format?: AnswerFormat; after?: string | undefined } = {},
): Grammar {
  if (after === undefined) return { gbnf: rules.text(root) };
  const start = format?.isHarmony === true ? `"${harmonyStart}"` : '"\\n"{0,2}';
  return { gbnf: rules.text(`${start} (${root})`), after: [after] };
}

/** The allowed answers: the format, calls, or either; undefined where the model has no markup for calls. */
function rootOf(
  answer: AnswerFormat | undefined,
  { format, isOpen = false, tools = [], toolChoice = "auto", severalCalls = true, begun }: Partial<AnswerOptions>,
  rules: GrammarRules,
): string | undefined {
  const callable = typeof toolChoice === "object" ? tools.filter(({ name }) => name === toolChoice.name) : tools;
  const calls = callable.length > 0 ? answer?.calls?.grammar(callable, rules, severalCalls ? mostCalls : 1) : undefined;
  if (isForced(toolChoice) || format === undefined) return calls;
  const lead = answer?.isHarmony === true ? harmonyContent : (answer?.lead ?? "");
  const head = lead === "" || begun !== undefined ? "" : `${literal(lead)} `;
  const answerRule = `${head}${formatRule(format, rules, isOpen)}`;
  return calls === undefined ? answerRule : `${answerRule} | ${calls}`;
}

/** Unwanted thoughts are closed at once, as in the families' own templates. */
function withoutThoughts(text: string, format: AnswerFormat, hasThinkSwitch: boolean): string {
  const { thoughts } = format;
  if (thoughts === undefined || format.isHarmony) return text;
  if (opensThoughts(format, text)) return `${text.trimEnd()}\n\n${thoughts.close}\n\n`;
  const isClosed = text.trimEnd().endsWith(thoughts.close);
  const isKnown = thoughts.open === "<think>" && !hasThinkSwitch && !isClosed;
  return isKnown ? `${text}${thoughts.open}\n\n${thoughts.close}\n\n` : text;
}

/**
 * A grammar starts after the thoughts, so it must be known whether there are any: they are opened where the template
 * leaves that to the model.
 */
function withThoughts(text: string, format: AnswerFormat): string {
  const { thoughts } = format;
  if (thoughts === undefined || opensThoughts(format, text)) return text;
  return text.trimEnd().endsWith(thoughts.close) ? text : `${text}${thoughts.open}${format.isHarmony ? "" : "\n"}`;
}

interface TemplateAnswers {
  readonly format: AnswerFormat;
  readonly hasThinkSwitch: boolean;
}
type Begun = Pick<AnswerOptions, "begun" | "begunThoughts" | "thinking">;

/** The prompt up to the text that the client wrote, and that text: of the answer, or of its thoughts. */
function beginAnswer(
  rendered: string,
  { format, hasThinkSwitch }: TemplateAnswers,
  { begun = "", begunThoughts = "", thinking }: Begun,
  hasGrammar: boolean,
): { head: string; begun: string } {
  const opened = withThoughts(rendered, format);
  const contentHead = format.isHarmony && begun !== "" ? harmonyContent : "";
  if (begunThoughts !== "" && opensThoughts(format, opened)) {
    if (begun === "" && thinking === "on") return { head: opened, begun: begunThoughts };
    const close = format.isHarmony ? `<|end|>${harmonyStart}` : `\n${format.thoughts?.close ?? ""}\n\n`;
    return { head: opened + begunThoughts + close + contentHead, begun };
  }
  if (contentHead === "" && (begun !== "" || thinking === "refused"))
    return { head: withoutThoughts(rendered, format, hasThinkSwitch), begun };
  return { head: thinking === "on" && hasGrammar && begun === "" ? opened : rendered + contentHead, begun };
}

/** @throws OllamaError 400 naming the part of a schema that cannot be enforced */
export function planAnswer(rendered: string, template: TemplateAnswers, request: AnswerOptions): Prompt {
  const { format } = template;
  const restriction = restrictionOf(format, request);
  const { head, begun } = beginAnswer(rendered, template, request, restriction !== undefined);
  const isInside = opensThoughts(format, head);
  return {
    text: head + begun,
    suffix: undefined,
    grammar: restriction && grammarOf(restriction, { format, after: isInside ? format.thoughts?.close : undefined }),
    hasMarkup: format.thoughts !== undefined || (request.tools.length > 0 && format.calls !== undefined),
    createParser: () =>
      createAnswerParser(format, { prompt: head, begun, tools: request.tools, isJson: request.format !== undefined }),
  };
}
