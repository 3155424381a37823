/**
 * Finds the abilities of a template and the form of messages it needs, by rendering test messages: its text alone does
 * not tell.
 */
import { isGoTemplate } from "../../../foreign/go-template/is-go-template.ts";
import { isRefusal, type TemplateRenderer } from "../../../foreign/template-renderer.ts";
import type { ChatMessage } from "../../chat-completion.ts";
import { markupOfParser } from "../../models/library/named-families.ts";
import type { AnswerFormat } from "../answer/answer-format.ts";
import { formatOf, formatOfMarkup, probeTools } from "../answer/families/choose-family.ts";
import {
  allSystemForms,
  asSent,
  oneCallEach,
  textApart,
  withSystem,
  type Form,
  type ShownCalls,
  type ShownForms,
  type SystemForm,
} from "./message-forms.ts";
import { effortVariables, plainStyle, templateVariables, type TemplateStyle } from "./template-messages.ts";

export interface TemplateTraits {
  readonly format: AnswerFormat;
  /** It shows tools to the model, and the syntax of the model's calls is known. */
  readonly hasTools: boolean;
  readonly hasThinking: boolean;
  /** Whether a variable turns thinking off. */
  readonly hasThinkSwitch: boolean;
  /** The efforts that it does not refuse. */
  readonly efforts: readonly Effort[];
  readonly style: TemplateStyle;
  readonly forms: ShownForms;
}

/** Names of efforts in templates, by their size. */
const allEfforts = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof allEfforts)[number];

/** The accepted effort that is nearest to the requested one, of two neighbours the higher. */
export function nearestEffort(accepted: readonly Effort[], requested: Effort): Effort | undefined {
  const distance = (effort: Effort) => Math.abs(allEfforts.indexOf(effort) - allEfforts.indexOf(requested));
  return accepted.toReversed().sort((a, b) => distance(a) - distance(b))[0];
}

const probe = "hearth_probe";
const secondProbe = "hearth_second";
const callProbe = "hearth_call";
const resultProbe = "hearth_result";
const tool = { name: probe, description: "x", parameters: { type: "object", properties: {} } };
const otherTool = { ...tool, name: "f" };
const question: ChatMessage = { role: "user", content: "x" };
const system = (content: string): ChatMessage => ({ role: "system", content });
const twoSystems = [system(probe), question, { role: "assistant", content: "x" }, system(secondProbe), question];

/** A question, calls with these ids, and their results. */
function turnsOf(...ids: readonly string[]): ChatMessage[] {
  const toolCalls = ids.map((id, at) => ({
    id,
    name: callProbe,
    arguments: { [at === 0 ? probe : secondProbe]: 1 },
  }));
  const results = ids.map((id) => ({ role: "tool", content: resultProbe, toolName: callProbe, toolCallId: id }));
  return [question, { role: "assistant", content: "", toolCalls }, ...results];
}
const oneCall = turnsOf("abcdefghi");
const twoCalls = turnsOf("abcdefghi", "bcdefghij");
const textAndCall = oneCall.map((message) =>
  message.role === "assistant" ? { ...message, content: secondProbe } : message,
);

const styles: readonly Pick<TemplateStyle, "argumentsAs" | "emptyContent">[] = [
  { argumentsAs: "object", emptyContent: "" },
  { argumentsAs: "object", emptyContent: null },
  { argumentsAs: "text", emptyContent: "" },
  { argumentsAs: "text", emptyContent: null },
];

/** The first option that passes `test`. */
async function findFirst<T>(all: readonly T[], test: (one: T) => Promise<boolean>): Promise<T | undefined> {
  for (const one of all) if (await test(one)) return one;
  return undefined;
}

type Tools = readonly (typeof tool)[];
/** Whether the rendered messages contain all of the words. */
type Shows = (messages: readonly ChatMessage[], tools: Tools, words: readonly string[]) => Promise<boolean>;

/** The form in which the second system message does not get lost, and what it shows of calls. */
async function shownForms(shows: Shows): Promise<ShownForms> {
  const callsWith = async (tools: Tools): Promise<ShownCalls> => {
    const calls = await shows(oneCall, tools, [callProbe, probe]);
    const results = calls && (await shows(oneCall, tools, [resultProbe]));
    /** Whether nothing gets lost only in that form. */
    const needs = async (form: Form, messages: readonly ChatMessage[], words: readonly string[]) =>
      calls && !(await shows(messages, tools, words)) && (await shows(form(messages), tools, words));
    return {
      calls,
      results,
      oneEach: await needs(oneCallEach, twoCalls, [probe, secondProbe]),
      textApart: await needs(textApart, textAndCall, [probe, secondProbe]),
    };
  };
  const showsSystems = (form: SystemForm) => shows(withSystem(form, twoSystems), [], [probe, secondProbe]);
  return {
    system: (await findFirst(allSystemForms, showsSystems)) ?? "kept",
    withTools: await callsWith([otherTool]),
    withoutTools: await callsWith([]),
  };
}

/** @throws TemplateError for a template that takes too long or makes too much */
export async function traitsOf(
  text: string,
  renderer: Pick<TemplateRenderer, "render">,
  parser = "",
): Promise<TemplateTraits> {
  const isGo = isGoTemplate(text);
  /** The rendered text; undefined when the template refuses. */
  const tried = (variables: Record<string, unknown>): Promise<string | undefined> =>
    renderer
      .render(text, { add_generation_prompt: true, bos_token: "", eos_token: "", ...variables })
      .catch((error: unknown) => {
        if (isRefusal(error)) return undefined;
        throw error;
      });
  const showsIn =
    (style: TemplateStyle): Shows =>
    async (messages, tools, words) => {
      const rendered = await tried(templateVariables(messages, tools, style));
      return words.every((word) => rendered?.includes(word) === true);
    };
  const showsTools = (style: TemplateStyle) => showsIn(style)([question], [tool], [probe]);
  const places = ["variable", ...(isGo ? [] : (["functions", "system"] as const))] as const;
  const place = await findFirst(places, (toolsIn) => showsTools({ ...plainStyle, toolsIn }));
  const placed = { ...plainStyle, toolsIn: place ?? "variable" };
  const callStyle = (tools: Tools) =>
    findFirst(styles, (one) => showsIn({ ...placed, ...one })(oneCall, tools, [callProbe, probe]));
  const untaught = { ...placed, ...((await callStyle([])) ?? (await callStyle([otherTool]))) };
  const markup = markupOfParser(parser);
  const format =
    markup === undefined
      ? await formatOf(text, async (messages, isAsked, hasTools) => {
          const variables = templateVariables(messages, hasTools ? probeTools : [], untaught);
          return (await tried({ ...variables, add_generation_prompt: isAsked })) ?? "";
        })
      : formatOfMarkup(markup);
  const taught = { ...untaught, teach: format.calls?.teach, toolsIn: "text" } as const;
  const canTeach = !isGo && place === undefined && taught.teach !== undefined && (await showsTools(taught));
  const found = canTeach ? taught : untaught;
  // Templates of Go get the messages as Ollama gives them, whatever they show of them.
  const forms = isGo ? asSent : await shownForms(showsIn(found));
  const callTools = forms.withoutTools.calls ? [] : [otherTool];
  const acceptsId = (id: string) => showsIn(found)(turnsOf(id), callTools, [probe]);
  const hasCalls = forms.withTools.calls || forms.withoutTools.calls;
  const hasShortIds = hasCalls && !((await acceptsId("c")) && (await acceptsId("call_hearth")));
  const asked = templateVariables([question], [], plainStyle);
  const thinking = (isOn: boolean) => tried({ ...asked, enable_thinking: isOn, thinking: isOn });
  const accepts = async (effort: Effort) =>
    (await tried({ ...asked, enable_thinking: true, thinking: true, ...effortVariables(effort) })) !== undefined;
  const accepted = await Promise.all(text.includes("_effort") ? allEfforts.map(accepts) : []);
  return {
    format,
    hasTools: format.calls !== undefined && (place !== undefined || canTeach),
    hasThinking: format.thoughts !== undefined,
    hasThinkSwitch: (await thinking(true)) !== (await thinking(false)),
    efforts: allEfforts.filter((_effort, at) => accepted[at] !== false),
    style: { ...found, hasShortIds },
    forms,
  };
}
