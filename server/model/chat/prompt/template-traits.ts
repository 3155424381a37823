/**
 * Finds the abilities of a template and the form of messages it needs, by rendering test messages: its text alone does
 * not tell.
 */
import { isRefusal, type TemplateRenderer } from "../../../foreign/template-renderer.ts";
import type { ChatMessage } from "../../chat-completion.ts";
import { answerFormatOf, type AnswerFormat } from "../answer/answer-format.ts";
import { allSystemForms, oneCallEach, withSystem, type ShownForms } from "./message-forms.ts";
import { templateVariables, type TemplateStyle } from "./template-messages.ts";

export interface TemplateTraits {
  readonly format: AnswerFormat;
  /** It shows tools to the model, and the syntax of the model's calls is known. */
  readonly hasTools: boolean;
  readonly hasThinking: boolean;
  /** Whether a variable turns thinking off. */
  readonly hasThinkSwitch: boolean;
  readonly style: TemplateStyle;
  readonly forms: ShownForms;
}

const probe = "hearth_probe";
const secondProbe = "hearth_second";
const tool = { name: probe, description: "x", parameters: { type: "object", properties: {} } };
const question: ChatMessage = { role: "user", content: "x" };
const calling: ChatMessage = {
  role: "assistant",
  content: "",
  toolCalls: [{ id: "abcdefghi", name: "f", arguments: { [probe]: 1 } }],
};
const callingTwice: ChatMessage = {
  ...calling,
  toolCalls: [...(calling.toolCalls ?? []), { id: "bcdefghij", name: "f", arguments: { [secondProbe]: 1 } }],
};
const system = (content: string): ChatMessage => ({ role: "system", content });
const twoSystems = [system(probe), question, { role: "assistant", content: "x" }, system(secondProbe), question];
const result: ChatMessage = { role: "tool", content: "x", toolName: "f", toolCallId: "abcdefghi" };

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

/** The forms in which neither the second system message nor the second call gets lost. */
async function shownForms(
  render: (messages: readonly ChatMessage[]) => Promise<string>,
): Promise<Omit<ShownForms, "hasCalls">> {
  const showsBoth = async (messages: readonly ChatMessage[]) => {
    const text = await render(messages);
    return text.includes(probe) && text.includes(secondProbe);
  };
  const twoCalls = [question, callingTwice, result, { ...result, toolCallId: "bcdefghij" }];
  return {
    system: (await findFirst(allSystemForms, (form) => showsBoth(withSystem(form, twoSystems)))) ?? "kept",
    hasOneCallEach: !(await showsBoth(twoCalls)) && (await showsBoth(oneCallEach(twoCalls))),
  };
}

/** @throws TemplateError for a template that takes too long or makes too much */
export async function traitsOf(text: string, renderer: Pick<TemplateRenderer, "render">): Promise<TemplateTraits> {
  const format = answerFormatOf(text);
  const plain: TemplateStyle = {
    argumentsAs: "object",
    emptyContent: "",
    toolsIn: "variable",
    teach: format.calls?.teach,
    hasShortIds: /length\s*!=\s*9/.test(text),
  };
  /** The rendered text; empty when the template refuses. */
  const tried = (variables: Record<string, unknown>) =>
    renderer
      .render(text, { add_generation_prompt: true, bos_token: "", eos_token: "", ...variables })
      .catch((error: unknown) => {
        if (isRefusal(error)) return "";
        throw error;
      });
  const shows = async (messages: readonly ChatMessage[], tools: (typeof tool)[], style: TemplateStyle) =>
    (await tried(templateVariables(messages, tools, style))).includes(probe);
  const found = await findFirst(styles, (one) => shows([question, calling, result], [], { ...plain, ...one }));
  const style = { ...plain, ...found };
  const places = ["variable", "system", ...(plain.teach === undefined ? [] : (["text"] as const))] as const;
  const toolsIn = await findFirst(places, (place) => shows([question], [tool], { ...plain, toolsIn: place }));
  const thinking = (isOn: boolean) =>
    tried({ ...templateVariables([question], [], plain), enable_thinking: isOn, thinking: isOn });
  const hasTools = format.calls !== undefined && toolsIn !== undefined;
  const forms = await shownForms((messages) => tried(templateVariables(messages, [], style)));
  return {
    format,
    hasTools,
    hasThinking: format.thoughts !== undefined,
    hasThinkSwitch: (await thinking(true)) !== (await thinking(false)),
    style: { ...style, toolsIn: toolsIn ?? "variable" },
    forms: { ...forms, hasCalls: hasTools || found !== undefined },
  };
}
