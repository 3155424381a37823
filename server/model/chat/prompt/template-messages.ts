/** Messages and tools in the form of chat templates, with the names of the OpenAI API. */
import { createHash } from "node:crypto";
import type { ChatMessage, ToolDefinition } from "../../chat-completion.ts";

/** The differences between templates; see template-traits.ts for how they are found. */
export interface TemplateStyle {
  /** Arguments of earlier calls as an object or as its JSON. */
  readonly argumentsAs: "object" | "text";
  /** The content of a message that only has calls. */
  readonly emptyContent: "" | null;
  /** Tools as a variable, as the JSON of their functions in another, in a member of the system message, or as text in it. */
  readonly toolsIn: "variable" | "functions" | "system" | "text";
  /** Writes that text. */
  readonly teach?: ((tools: readonly ToolDefinition[]) => string) | undefined;
  /** Ids of calls must have exactly nine letters and digits. */
  readonly hasShortIds: boolean;
}

export const plainStyle: TemplateStyle = {
  argumentsAs: "object",
  emptyContent: "",
  toolsIn: "variable",
  hasShortIds: false,
};

/** The effort of thinking, in the variables of all families. */
export const effortVariables = (effort: string) => ({ reasoning_effort: effort, thinking_effort: effort });

/** Nine letters and digits for any id, always the same ones. */
const shortId = (id: string) =>
  /^[a-zA-Z0-9]{9}$/.test(id) ? id : createHash("sha256").update(id).digest("hex").slice(0, 9);

export const templateTools = (tools: readonly ToolDefinition[]) =>
  tools.map(({ name, description = "", parameters }) => ({
    type: "function",
    function: { name, description, parameters: parameters ?? { type: "object", properties: {} } },
  }));

type TemplateMessage = Record<string, unknown>;

function templateMessage(message: ChatMessage, style: TemplateStyle): TemplateMessage {
  const { role, content, thinking, toolCalls = [], toolName, toolCallId } = message;
  const idOf = (id: string) => (style.hasShortIds ? shortId(id) : id);
  const calls = toolCalls.map((call) => ({
    id: idOf(call.id),
    type: "function",
    function: {
      name: call.name,
      arguments: style.argumentsAs === "object" ? call.arguments : JSON.stringify(call.arguments),
    },
  }));
  return {
    role,
    content: calls.length > 0 && content === "" ? style.emptyContent : content,
    ...(thinking && { thinking, reasoning_content: thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(toolName !== undefined && { name: toolName, tool_name: toolName }),
    ...(toolCallId !== undefined && { tool_call_id: idOf(toolCallId) }),
  };
}

/** Adds the tools to a system message and joins all of these, because some templates show only one. */
function taught(messages: readonly ChatMessage[], tools: readonly ToolDefinition[], { teach }: TemplateStyle) {
  const isSystem = ({ role }: ChatMessage) => role === "system";
  const texts = [...messages.filter(isSystem).map(({ content }) => content), teach?.(tools) ?? ""];
  const system = { role: "system", content: texts.filter((text) => text !== "").join("\n\n") };
  return [system, ...messages.filter((message) => !isSystem(message))];
}

/** The variables of FireFunction's templates, which need both of them. A day, unlike a time, leaves the prompt's beginning as it is. */
const functionVariables = (tools: readonly ToolDefinition[]) => ({
  functions:
    tools.length === 0
      ? ""
      : JSON.stringify(
          templateTools(tools).map((tool) => tool.function),
          undefined,
          4,
        ),
  datetime: new Date().toDateString(),
});

/** The variables `messages` and `tools` of a template. */
export function templateVariables(
  messages: readonly ChatMessage[],
  tools: readonly ToolDefinition[],
  style: TemplateStyle,
): Record<string, unknown> {
  const hasToolsInText = style.toolsIn === "text" && tools.length > 0;
  const written = (hasToolsInText ? taught(messages, tools, style) : messages).map((message) =>
    templateMessage(message, style),
  );
  if (style.toolsIn === "functions") return { messages: written, ...functionVariables(tools) };
  if (tools.length === 0 || hasToolsInText) return { messages: written };
  if (style.toolsIn === "variable") return { messages: written, tools: templateTools(tools) };
  const first = written[0]?.["role"] === "system" ? written.shift() : { role: "system", content: "" };
  return { messages: [{ ...first, tools: JSON.stringify(templateTools(tools)) }, ...written] };
}
