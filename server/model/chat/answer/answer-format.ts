/** The markup of a model's answers: its thoughts, its calls, and texts around the content. */
import type { ToolDefinition } from "../../chat-completion.ts";
import type { AnswerParser } from "./answer-part.ts";
import type { CallSyntax } from "./call-syntax.ts";
import { createHarmonyParser } from "./harmony-parser.ts";
import { createTaggedParser } from "./tagged-parser.ts";
import { thoughtTags, type ThoughtTags } from "./thought-tags.ts";

export interface AnswerFormat {
  /** gpt-oss, whose whole answer is markup. */
  readonly isHarmony: boolean;
  /** Undefined for a model that writes no thoughts. */
  readonly thoughts: ThoughtTags | undefined;
  /** Undefined for a model whose calls no family reads. */
  readonly calls: CallSyntax | undefined;
  /** Texts around the content that are no part of it. */
  readonly leftovers: readonly string[];
  /** A text in front of the content that is no part of it, or "". */
  readonly lead: string;
}

/** A parser for models without markup: all is content. */
export const plainParser = (): AnswerParser => ({
  push: (text) => (text === "" ? [] : [{ type: "content", text }]),
  end: () => [],
});

/** Texts that models write around their content, in templates that have the first one of a row. */
const leftoverTexts = [
  ["<|START_RESPONSE|>", "<|END_RESPONSE|>"],
  ["<|END_OF_TURN_TOKEN|>"],
  ["<|START_TEXT|>", "<|END_TEXT|>"],
  ["[BEGIN FINAL RESPONSE]", "[END FINAL RESPONSE]"],
  ["<channel|>", "<|channel>thought\n<channel|>", "<|channel>"],
  ["<|start|>assistant to=user<|message|>", "<|eom|>", "<|eot|>"],
  ["<|open|>response<|sep|>", "<|close|>response<|sep|>", "<|close|>message<|sep|>"],
] as const;
/** The recipients of the content in Functionary 3.2 and Muse Glimmer, behind the mark of recipients. */
const contentRecipients = [
  { mark: ">>>", lead: "all\n" },
  { mark: "<|start|>assistant", lead: " to=user<|message|>" },
] as const;
/** The same of words that other models write as text: only where a template writes them around an answer. */
const leftoverWords = ["<answer>", "</answer>", "<response>", "</response>"];
/** The head of an answer's text in gpt-oss. */
export const harmonyContent = "<|channel|>final<|message|>";
/** The head of a thought in gpt-oss, and its end. */
const harmonyThoughts: ThoughtTags = { open: "<|channel|>analysis<|message|>", close: "<|end|>" };

/** The markup that a template shows, and the calls of its family. `answered`: a rendered conversation with an answer. */
export function answerFormat(template: string, answered: string, calls: CallSyntax | undefined): AnswerFormat {
  const isHarmony = [template, answered].some((text) => text.includes("<|channel|>") && text.includes("<|message|>"));
  if (isHarmony) return { isHarmony, thoughts: harmonyThoughts, calls, leftovers: [], lead: "" };
  return {
    isHarmony,
    // Some templates mention only the end of the thoughts, to remove them from earlier answers.
    thoughts: thoughtTags.find(
      ({ close, shownBy = close }) => template.includes(shownBy) || answered.includes(shownBy),
    ),
    calls,
    leftovers: [
      ...leftoverTexts.filter(([text]) => template.includes(text) || answered.includes(text)).flat(),
      ...leftoverWords.filter((text) => answered.includes(text)),
    ],
    lead: contentRecipients.find(({ mark, lead }) => answered.includes(mark + lead))?.lead ?? "",
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
  const { thoughts, leftovers, lead } = format;
  if (thoughts === undefined && calls === undefined && leftovers.length === 0 && lead === "") return plainParser();
  return createTaggedParser({
    // White space in front of them is no part of an answer.
    thoughts: thoughts && { ...thoughts, open: thoughts.open.trimStart() },
    startsInside: opensThoughts(format, prompt),
    begun,
    calls,
    tools,
    leftovers,
    lead: lead.trimStart(),
    isJson,
  });
}
