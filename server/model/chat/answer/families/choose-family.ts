/** Chooses the family of a template by a round trip: calls that the template has rendered are parsed. */
import { isDeepStrictEqual } from "node:util";
import type { ChatMessage, ToolDefinition } from "../../../chat-completion.ts";
import { commonStart } from "../../common-start.ts";
import type { CallSyntax } from "../call-syntax.ts";
import { answerFormat, createAnswerParser, type AnswerFormat } from "../answer-format.ts";
import { families } from "./families.ts";
import { learnedCalls } from "./learned-calls.ts";

const boolean = { type: "boolean", description: "x" };
const properties = {
  text: { type: "string", description: "x" },
  count: { type: "integer", description: "x" },
  list: { type: "array", description: "x", items: { type: "string" } },
  object: { type: "object", description: "x", properties: { isSet: boolean }, additionalProperties: boolean },
};
/** The tools that the rendered calls name. Some templates need all of these members. */
export const probeTools: readonly ToolDefinition[] = [
  { name: "hearth_probe", description: "x", parameters: { type: "object", properties, required: ["text"] } },
  { name: "hearth_second", description: "x", parameters: { type: "object", properties: {} } },
];
const calls = [
  { name: "hearth_probe", arguments: { text: "a b", count: 2, list: ["a", "b"], object: { isSet: true } } },
  { name: "hearth_second", arguments: {} },
] as const;
const question: ChatMessage = { role: "user", content: "x" };

/** Renders messages, perhaps with the tools of the probe: up to where an answer begins, or with the answer as the last message. */
export type RenderProbe = (messages: readonly ChatMessage[], isAsked: boolean, hasTools: boolean) => Promise<string>;

/** The rendered answer, and the prompt before it. */
interface Rendered {
  readonly prompt: string;
  readonly answer: string;
}

/** The longest beginning of a tag that the prompt and another tag behind it may share. */
const longestShared = 16;

/** Separates an answer from the prompt, whose last tag may be another one than the first of the answer. */
function separated(asked: string, answered: string): Rendered {
  const at = commonStart(asked, answered).length;
  const shared = /[<[\]][^<[\]>\s]*$/.exec(answered.slice(Math.max(0, at - longestShared), at));
  const from = at === asked.length ? at : at - (shared?.[0].length ?? 0);
  return { prompt: answered.slice(0, from), answer: answered.slice(from) };
}

/** Whether the parser of this format returns the first `count` calls. */
function returnsCalls(format: AnswerFormat, { prompt, answer }: Rendered, count: number): boolean {
  const parser = createAnswerParser(format, { prompt, tools: probeTools });
  const read = [...parser.push(answer), ...parser.end("stop")].filter((part) => part.type === "tool_call");
  const found = read.map(({ call }) => ({ name: call.name, arguments: call.arguments }));
  return isDeepStrictEqual(found, calls.slice(0, count));
}

/** An answer of the first `count` calls. */
const callingAnswer = (count: number): ChatMessage => ({
  role: "assistant",
  content: "",
  toolCalls: calls.slice(0, count).map((call, at) => ({ ...call, id: `functions.${call.name}:${String(at)}` })),
});

/** The syntax of calls between tags of the template's own. */
function learnedSyntax({ answer }: Rendered, replied: string): CallSyntax | undefined {
  let tail = 0;
  while (tail < answer.length && answer.at(-1 - tail) === replied.at(-1 - tail)) tail++;
  return learnedCalls(answer.slice(0, answer.length - tail), calls[0].name);
}

/**
 * The format of a template's answers. Its calls are those of the family that returns rendered ones: two, or one where the
 * template accepts no more. Where no family does, their tags are learned. A template that shows tools but writes no calls
 * names its markup in what it tells the model.
 */
export async function formatOf(template: string, render: RenderProbe): Promise<AnswerFormat> {
  const answered = await render([question, { role: "assistant", content: "y" }], false, false);
  const formatOfCalls = (syntax: CallSyntax | undefined) => answerFormat(template, answered, syntax);
  const asked = await render([question], true, true);
  // Some templates show the tools in the last message: with an answer behind it, the prompt is another one.
  const replied = await render([question, { role: "assistant", content: "y" }], false, true);
  const read = (rendered: Rendered, count: number, syntaxes: readonly (CallSyntax | undefined)[]) =>
    syntaxes.map(formatOfCalls).find((format) => returnsCalls(format, rendered, count));
  let writesCalls = false;
  let learned: AnswerFormat | undefined;
  for (const count of [calls.length, 1]) {
    const text = await render([question, callingAnswer(count)], false, true);
    writesCalls ||= text.includes(calls[0].arguments.text);
    for (const before of [asked, replied]) {
      const rendered = separated(before, text);
      const written = families.filter((family) => family.written.test(rendered.answer));
      const format = read(
        rendered,
        count,
        written.map((family) => family.calls),
      );
      if (format !== undefined) return format;
      learned ??= read(rendered, count, [learnedSyntax(rendered, replied)]);
    }
  }
  if (learned !== undefined) return learned;
  const plain = await render([question], true, false);
  const taught = families.find((one) => one.taught?.test(asked) === true && !one.taught.test(plain));
  return formatOfCalls(writesCalls ? undefined : taught?.calls);
}

/** The format of a family that is known by its markup. */
export function formatOfMarkup(markup: string): AnswerFormat {
  const named = families.find(({ written, taught }) => written.test(markup) || taught?.test(markup) === true);
  return answerFormat(markup, markup, named?.calls);
}
