/**
 * The syntax of a model's answers, derived from its chat template: the template shows the markup of earlier answers,
 * which the model was trained to write. Model names are less reliable, because people choose them.
 */
import type { ToolDefinition } from "../../chat-completion.ts";
import type { AnswerParser } from "./answer-part.ts";
import type { CallSyntax } from "./call-syntax.ts";
import { deepSeekFencedCalls, deepSeekNamedCalls } from "./deepseek-calls.ts";
import { createHarmonyParser, harmonyCalls } from "./harmony-parser.ts";
import { hermesCalls, llamaCalls, mistralListCalls, mistralNamedCalls, phiCalls } from "./json-calls.ts";
import { functionGemmaCalls, gemma4Calls, glmCalls, xmlCalls } from "./marked-calls.ts";
import { llama4Calls, pythonicCalls } from "./pythonic-calls.ts";
import { createTaggedParser, type ThoughtTags } from "./tagged-parser.ts";

export interface AnswerFormat {
  /** gpt-oss, whose whole answer is markup. */
  readonly isHarmony: boolean;
  /** Undefined for a model that writes no thoughts. */
  readonly thoughts: ThoughtTags | undefined;
  /** Undefined for a model that was not trained to call tools. */
  readonly calls: CallSyntax | undefined;
}

/** A parser for models without markup: all is content. */
export const plainParser = (): AnswerParser => ({
  push: (text) => (text === "" ? [] : [{ type: "content", text }]),
  end: () => [],
});

const thoughtTags: readonly ThoughtTags[] = [
  { open: "<think>", close: "</think>" },
  { open: "[THINK]", close: "[/THINK]" },
  { open: "<|channel>thought", close: "<channel|>" },
  { open: "<thinking>", close: "</thinking>" },
  { open: "<seed:think>", close: "</seed:think>" },
  { open: "<|START_THINKING|>", close: "<|END_THINKING|>" },
];
/** The head of an answer's text in gpt-oss. */
export const harmonyContent = "<|channel|>final<|message|>";
/** The head of a thought in gpt-oss, and its end. */
const harmonyThoughts: ThoughtTags = { open: "<|channel|>analysis<|message|>", close: "<|end|>" };

/** Whether the text contains the patterns in this order. */
function holdsInOrder(text: string, ...patterns: readonly RegExp[]): boolean {
  let rest = text;
  for (const pattern of patterns) {
    const found = pattern.exec(rest);
    if (!found) return false;
    rest = rest.slice(found.index + found[0].length);
  }
  return true;
}

/** Patterns of templates, in this order, and the markup they indicate. The first match counts. */
const callMarkups: readonly (readonly [texts: readonly RegExp[], calls: CallSyntax])[] = [
  [[/<\|tool_call>/], gemma4Calls],
  [[/<start_function_call>/], functionGemmaCalls],
  [[/tool▁call▁begin/, /```json|['"]function['"]?\s*\+|type/, /```/], deepSeekFencedCalls],
  [[/tool▁call▁begin/], deepSeekNamedCalls],
  [[/\[TOOL_CALLS\]/, /\[ARGS\]/], mistralNamedCalls],
  [[/\[TOOL_CALLS\]/], mistralListCalls],
  [[/<\|tool_call\|>|<\|tool\|>|functools/], phiCalls],
  [[/<arg_key>/], glmCalls],
  [[/<function=/], xmlCalls],
  [[/<tool_call>/], hermesCalls],
  [[/<\|python_start\|>/, /["']parameters["']/], llama4Calls],
  [[/["']parameters["']/, /<\|python_start\|>/], llama4Calls],
  [[/<\|python_start\|>/], pythonicCalls],
  [[/\[func\w*\(\w+=/], pythonicCalls],
  [[/<\|python_tag\|>|\bipython\b/], llamaCalls],
  [[/["']parameters["']\s*:\s*dictionary/], llamaCalls],
];

export function answerFormatOf(template: string): AnswerFormat {
  if (template.includes("<|channel|>") && template.includes("<|message|>"))
    return { isHarmony: true, thoughts: harmonyThoughts, calls: harmonyCalls };
  return {
    isHarmony: false,
    // Some templates mention only the end of the thoughts, to remove them from earlier answers.
    thoughts: thoughtTags.find(({ close }) => template.includes(close)),
    calls: callMarkups.find(([texts]) => holdsInOrder(template, ...texts))?.[1],
  };
}

/** Whether the prompt ends with an open tag, so that the answer starts inside the thoughts. */
export const opensThoughts = ({ thoughts }: AnswerFormat, prompt: string) =>
  thoughts !== undefined && prompt.trimEnd().endsWith(thoughts.open);

export interface ParserOptions {
  /** The rendered prompt, up to where the answer begins: its end decides in what the answer starts. */
  readonly prompt: string;
  /** The beginning of the answer that the client wrote. */
  readonly begun?: string;
  /** The tools that may be called. Without any, the markup of calls is plain text. */
  readonly tools: readonly ToolDefinition[];
  /** Whether the content is JSON, in whose strings markup is text. */
  readonly isJson?: boolean;
}

export function createAnswerParser(
  format: AnswerFormat,
  { prompt, begun = "", tools, isJson = false }: ParserOptions,
): AnswerParser {
  if (format.isHarmony) {
    const head = prompt.endsWith("<|message|>") ? prompt.slice(prompt.lastIndexOf("<|channel|>")) : undefined;
    return createHarmonyParser({ head, begun, tools, isJson });
  }
  const calls = tools.length > 0 ? format.calls : undefined;
  if (format.thoughts === undefined && calls === undefined) return plainParser();
  return createTaggedParser({
    thoughts: format.thoughts,
    startsInside: opensThoughts(format, prompt),
    begun,
    calls,
    tools,
    isJson,
  });
}
