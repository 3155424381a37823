/** Requests in the shape of Ollama's API. */
import type { ChatMessage, ChatRequest, ModelRequest, PromptRequest, ToolChoice } from "../chat-completion.ts";

/** As Go writes a duration; a negative number is for ever. */
const keepAliveOf = (ms: number | undefined) =>
  ms === undefined ? undefined : ms === Infinity ? -1 : `${String(ms)}ms`;

export const modelFields = ({ model, options, keepAliveMs }: ModelRequest) => ({
  model,
  options,
  keep_alive: keepAliveOf(keepAliveMs),
});

const completionFields = (request: ChatRequest | PromptRequest) => ({
  ...modelFields(request),
  stream: true,
  format: request.format,
  think: request.think,
  truncate: request.truncate,
  shift: request.shift,
  ...(request.logprobs !== undefined && { logprobs: true, top_logprobs: request.logprobs }),
  ...(request.progress && { progress: true }),
});

const messageOf = ({ role, content, thinking, images, toolCalls, toolName, toolCallId }: ChatMessage) => ({
  role,
  content,
  thinking,
  images,
  tool_calls: toolCalls?.map(({ id, name, arguments: args }, index) => ({
    id,
    function: { index, name, arguments: args },
  })),
  tool_name: toolName,
  tool_call_id: toolCallId,
});

/** Ollama ignores it; a Hearth does not. */
const toolChoiceOf = (choice: ToolChoice) =>
  choice === "auto" ? undefined : typeof choice === "object" ? { type: "function", function: choice } : choice;

export const ollamaChatBody = (request: ChatRequest) => ({
  ...completionFields(request),
  messages: request.messages.map(messageOf),
  ...(request.tools.length > 0 && {
    tools: request.tools.map((tool) => ({ type: "function", function: tool })),
    tool_choice: toolChoiceOf(request.toolChoice),
  }),
});

export const promptBody = (request: PromptRequest) => ({
  ...completionFields(request),
  prompt: request.prompt,
  suffix: request.suffix,
  system: request.system,
  template: request.template,
  raw: request.raw,
  ...(request.context.length > 0 && { context: request.context }),
  ...(request.images.length > 0 && { images: request.images }),
});
