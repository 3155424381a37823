/** What a scripted model has in place of a chat template: its prompt is the request itself, for its rules. */
import type { ChatRequest, PromptRequest } from "../../chat-completion.ts";
import { ruleRequestText } from "../../scripted/rule-request.ts";
import { answerFormatOf } from "../answer/answer-format.ts";
import type { ChatTemplate } from "./chat-template.ts";

/** The markup of the Hermes family, in which scripted models write. */
const format = answerFormatOf("<think></think><tool_call></tool_call>");

export function rulesTemplate(request: ChatRequest | PromptRequest): ChatTemplate {
  const { model, format: demanded } = request;
  const toolChoice = "messages" in request ? request.toolChoice : "none";
  return {
    format,
    hasTools: true,
    hasThinking: true,
    hasThinkSwitch: true,
    style: { argumentsAs: "object", emptyContent: "", toolsIn: "variable", teach: undefined, hasShortIds: false },
    forms: { system: "kept", hasOneCallEach: false, hasCalls: true },
    render: async ({ messages, tools, isThinking }) =>
      ruleRequestText({
        model,
        messages: messages.map(({ role, content, images = [] }) => ({ role, content, images: images.length })),
        tools,
        toolChoice,
        format: demanded,
        isThinking,
      }),
  };
}
