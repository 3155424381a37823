/** Turns a request for one prompt into the prompt of the model. */
import { plainPrompt, planAnswer, type AnswerOptions } from "./answer/answer-plan.ts";
import type { PromptRequest } from "../chat-completion.ts";
import { checkThinking, modelHistory, lacks, thinkingOf } from "./chat.ts";
import type { PromptSource } from "./completion.ts";
import type { InstalledModel } from "../models/library/installed-model.ts";
import { OllamaError } from "../ollama-error.ts";
import { chatMessages, withModelMessages } from "./prompt/chat-messages.ts";
import type { ChatTemplate } from "./prompt/chat-template.ts";

function checkGenerate(request: PromptRequest, template: ChatTemplate): void {
  const isRaw = request.raw;
  if (isRaw && (request.template || request.system || request.context.length > 0))
    throw new OllamaError(400, "raw mode does not support template, system, or context");
  if (!isRaw) checkThinking(request, template.hasThinking);
}

/** The text unchanged, in raw mode or with a suffix; a template with a place for the suffix writes it into the prompt. */
function plainMaker(
  { prompt, suffix, format, raw }: PromptRequest,
  { renderInfill }: ChatTemplate,
  model: InstalledModel,
  isOpen: boolean,
): PromptSource["prompt"] {
  if (suffix !== undefined && suffix !== "" && prompt !== "" && !raw && renderInfill !== undefined)
    return async () => plainPrompt(await renderInfill(prompt, suffix), { format, isOpen });
  const plain = plainPrompt(prompt, { format, isOpen, suffix });
  return async (loaded) => {
    if (suffix !== undefined && !loaded.canInfill) throw lacks(model, "insert");
    return plain;
  };
}

/** The prompt as a chat of one turn after the model's own messages; a `context` contains those already. */
function templateMaker(
  request: PromptRequest,
  template: ChatTemplate,
  model: InstalledModel,
  isOpen: boolean,
): PromptSource["prompt"] {
  const isContinued = request.context.length > 0;
  const { effort, thinking } = thinkingOf(request, template);
  const messages = chatMessages(
    withModelMessages([{ role: "user", content: request.prompt, images: request.images }], {
      system: request.system || (isContinued ? undefined : model.system),
      history: isContinued ? [] : modelHistory(model),
    }),
  );
  const noCalls = { tools: [], toolChoice: "none", severalCalls: true } as const;
  const answer: AnswerOptions = { format: request.format, isOpen, ...noCalls, thinking };
  planAnswer("", template, answer);
  return async ({ bosToken, eosToken }) => {
    const input = { messages, tools: [], isThinking: thinking === "on", effort, bosToken, eosToken };
    return planAnswer(await template.render(input), template, answer);
  };
}

/** @throws OllamaError for abilities that the model lacks */
export function generatePrompts(
  request: PromptRequest,
  template: ChatTemplate,
  model: InstalledModel,
  isOpen: boolean,
): PromptSource {
  checkGenerate(request, template);
  const isPlain = request.raw || request.suffix !== undefined;
  return {
    prompt: isPlain ? plainMaker(request, template, model, isOpen) : templateMaker(request, template, model, isOpen),
    droppable: 0,
    messagesIn: () => 0,
    head: async () => "",
    hidesThoughts: !isPlain && thinkingOf(request, template).thinking !== "on",
  };
}
