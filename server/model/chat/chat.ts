/** Turns a chat into prompts: history, template, tools and thoughts. */
import { withoutNulls } from "../../json-schema/json-schema.ts";
import { planAnswer, type AnswerOptions } from "./answer/answer-plan.ts";
import type { ChatMessage, ChatRequest, ToolDefinition } from "../chat-completion.ts";
import { commonStart } from "./common-start.ts";
import type { PromptSource } from "./completion.ts";
import type { LoadedModel } from "../engine/engine.ts";
import type { Capability, InstalledModel } from "../models/library/installed-model.ts";
import { fullName } from "../models/library/model-name.ts";
import { OllamaError } from "../ollama-error.ts";
import { chatMessages, withModelMessages } from "./prompt/chat-messages.ts";
import type { ChatTemplate } from "./prompt/chat-template.ts";
import { droppableUnits, withoutUnits } from "./prompt/shorten-history.ts";

export const lacks = (model: InstalledModel, capability: Capability) =>
  new OllamaError(400, `${fullName(model.name)} does not support ${capability}`);

/** The messages that a model has of its own. */
export const modelHistory = ({ messages = [] }: InstalledModel): ChatMessage[] =>
  messages.map(({ role, content }) => ({ role, content }));

/** @throws OllamaError 400 for thoughts of a model that has none */
export function checkThinking({ think, model }: Pick<ChatRequest, "think" | "model">, canThink: boolean): void {
  if (think !== undefined && think !== false && !canThink)
    throw new OllamaError(400, `${JSON.stringify(model)} does not support thinking`);
}

function checkChat(request: ChatRequest, model: InstalledModel, template: ChatTemplate): void {
  const { tools, toolChoice } = request;
  if (tools.length > 0 && !template.hasTools) throw lacks(model, "tools");
  const nameless = tools.findIndex(({ name }) => name === "");
  if (nameless >= 0) throw new OllamaError(400, `tools[${String(nameless)}].function.name is required`);
  const named = typeof toolChoice === "object" ? toolChoice.name : undefined;
  if (named !== undefined && !tools.some(({ name }) => name === named))
    throw new OllamaError(400, `tool_choice names ${JSON.stringify(named)}, which is not one of the tools`);
  if (toolChoice === "required" && tools.length === 0)
    throw new OllamaError(400, "tool_choice asks for a call, but there are no tools");
}

/** Both grammar and template are without what the client does not say. */
const withSaidParameters = ({ parameters, ...tool }: ToolDefinition): ToolDefinition => ({
  ...tool,
  ...(parameters !== undefined && { parameters: withoutNulls(parameters) }),
});

/** Whether to think, and the effort in the words of the template. */
export function thinkingOf({ think }: Pick<ChatRequest, "think">, template: ChatTemplate) {
  const isHarmony = template.format.isHarmony;
  const level = typeof think === "string" ? think : undefined;
  // gpt-oss always thinks, and knows three levels.
  const effort = isHarmony && think === false ? "low" : isHarmony && level === "max" ? "high" : level;
  const thinking: AnswerOptions["thinking"] = think === false ? "refused" : template.hasThinking ? "on" : "off";
  return { effort, thinking };
}

/** The answer that the client has begun: a last message which is the assistant's own. */
function begunAnswer(messages: readonly ChatMessage[], canThink: boolean): ChatMessage | undefined {
  const last = messages.at(-1);
  if (last?.role !== "assistant" || (last.toolCalls ?? []).length > 0) return undefined;
  const isBegun = last.content !== "" || (canThink && (last.thinking ?? "") !== "");
  return isBegun && messages.some(({ role }) => role === "user") ? last : undefined;
}

/** @throws OllamaError for abilities that the model lacks */
export function chatPrompts(
  request: ChatRequest,
  template: ChatTemplate,
  model: InstalledModel,
  isOpen: boolean,
): PromptSource {
  checkThinking(request, template.hasThinking);
  checkChat(request, model, template);
  const tools = request.toolChoice === "none" ? [] : request.tools.map(withSaidParameters);
  const { effort, thinking } = thinkingOf(request, template);
  const messages = chatMessages(
    withModelMessages(request.messages, { system: model.system, history: modelHistory(model) }),
  );
  const begun = begunAnswer(messages, template.hasThinking);
  const asked = begun === undefined ? messages : messages.slice(0, -1);
  const units = droppableUnits(asked);
  const { format, toolChoice, severalCalls, truncate } = request;
  const answer: AnswerOptions = {
    ...{ format, isOpen, tools, toolChoice, severalCalls, thinking },
    begun: begun?.content || undefined,
    begunThoughts: begun?.thinking,
  };
  // Checked before a load: a schema that cannot be enforced is refused.
  planAnswer("", template, answer);
  const render = (some: readonly ChatMessage[], { bosToken, eosToken }: LoadedModel) =>
    template.render({
      messages: some,
      tools,
      isThinking: begun === undefined ? thinking === "on" : (begun.thinking ?? "") !== "",
      effort,
      bosToken,
      eosToken,
    });
  const system = messages.filter(({ role }) => role === "system");
  return {
    prompt: async (loaded, dropped) =>
      planAnswer(await render(withoutUnits(asked, units, dropped).messages, loaded), template, answer),
    droppable: truncate ? units.length : 0,
    messagesIn: (count) => withoutUnits(asked, units, count).dropped,
    async head(loaded) {
      if (system.length === 0 && tools.length === 0) return "";
      const ask = (content: string) => render([...system, { role: "user", content }], loaded);
      try {
        const [one, other] = await Promise.all([ask("A"), ask("B")]);
        return commonStart(one, other);
      } catch {
        return "";
      }
    },
    hidesThoughts: thinking !== "on",
  };
}
