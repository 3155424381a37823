/** A chat in the shape of Anthropic's API, whose count of tokens all engines have that have one. */
import type { ChatMessage, ChatRequest } from "../chat-completion.ts";
import { imageType } from "./image-type.ts";

const imageBlock = (data: string) => ({
  type: "image",
  source: { type: "base64", media_type: imageType(data), data },
});

const textBlocks = (text: string) => (text === "" ? [] : [{ type: "text", text }]);

/** Results of tools are blocks of the user there. */
function messageOf({ role, content, thinking = "", images = [], toolCalls = [], toolCallId }: ChatMessage) {
  const blocks = [...textBlocks(content), ...images.map(imageBlock)];
  if (role === "tool")
    return { role: "user", content: [{ type: "tool_result", tool_use_id: toolCallId ?? "", content: blocks }] };
  const thoughts = thinking === "" ? [] : [{ type: "thinking", thinking, signature: "" }];
  const calls = toolCalls.map(({ id, name, arguments: input }) => ({ type: "tool_use", id, name, input }));
  return { role, content: [...thoughts, ...blocks, ...calls] };
}

function thinkingOf({ think }: ChatRequest) {
  if (think === undefined) return {};
  if (typeof think === "string") return { output_config: { effort: think } };
  return { thinking: think ? { type: "enabled", budget_tokens: 1024 } : { type: "disabled" } };
}

export function countBody(request: ChatRequest) {
  const system = request.messages.filter(({ role }) => role === "system");
  return {
    model: request.model,
    ...(system.length > 0 && { system: system.flatMap(({ content }) => textBlocks(content)) }),
    messages: request.messages.filter(({ role }) => role !== "system").map(messageOf),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, parameters = { type: "object" } }) => ({
        name,
        description,
        input_schema: parameters,
      })),
    }),
    ...thinkingOf(request),
  };
}
