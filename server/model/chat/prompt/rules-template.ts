/** The chat template of a scripted model: its prompt is the request itself, for its rules. */
import type { ChatRequest, PromptRequest } from "../../chat-completion.ts";
import { ruleRequestText } from "../../scripted/rule-request.ts";
import type { AnswerFormat } from "../answer/answer-format.ts";
import { hermes } from "../answer/families/hermes.ts";
import type { ChatTemplate } from "./chat-template.ts";
import { asSent } from "./message-forms.ts";
import { plainStyle } from "./template-messages.ts";

/** The markup of the Hermes family, in which scripted models write. */
const format: AnswerFormat = {
  isHarmony: false,
  thoughts: { open: "<think>", close: "</think>" },
  calls: hermes.calls,
  leftovers: [],
  lead: "",
};

export function rulesTemplate(request: ChatRequest | PromptRequest): ChatTemplate {
  const { model, format: demanded } = request;
  const toolChoice = "messages" in request ? request.toolChoice : "none";
  return {
    format,
    hasTools: true,
    hasThinking: true,
    hasThinkSwitch: true,
    efforts: [],
    renderInfill: undefined,
    style: plainStyle,
    forms: asSent,
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
