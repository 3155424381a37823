/** The request for a conversation to the model service, and the same as a command. */
import type { ChatInput } from "../../../../server/contract/model/model-client.ts";
import type { ChatSettings, Turn } from "./conversation.ts";

/** The JSON in a field; undefined for an empty field or invalid JSON. */
export function typedJson(text: string): unknown {
  try {
    return text.trim() === "" ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** Whether a field is valid: empty, or JSON of the right form. */
export function isUsable(field: "tools" | "format", text: string): boolean {
  if (text.trim() === "") return true;
  const value = typedJson(text);
  if (field === "tools") return Array.isArray(value);
  return value === "json" || (typeof value === "object" && value !== null && !Array.isArray(value));
}

const messageOf = ({ role, content, thinking, calls, tool, callId }: Turn) => ({
  role,
  content,
  ...(thinking !== undefined && thinking !== "" && { thinking }),
  ...(calls && calls.length > 0
    ? {
        tool_calls: calls.map(({ id, name, arguments: args }) => ({
          ...(id !== undefined && { id }),
          function: { name, arguments: args },
        })),
      }
    : {}),
  ...(tool !== undefined && { tool_name: tool }),
  ...(callId !== undefined && { tool_call_id: callId }),
});

/** The body of POST /api/chat; unset members are omitted. */
export function chatRequestOf(model: string, settings: ChatSettings, turns: readonly Turn[]): ChatInput {
  const { system, options, keepAlive, think } = settings;
  const tools = isUsable("tools", settings.tools) ? typedJson(settings.tools) : undefined;
  const format = isUsable("format", settings.format) ? typedJson(settings.format) : undefined;
  return {
    model,
    messages: [...(system.trim() === "" ? [] : [{ role: "system", content: system }]), ...turns.map(messageOf)],
    ...(Object.keys(options).length > 0 && { options }),
    ...(keepAlive !== "" && { keep_alive: /^-?\d+$/.test(keepAlive) ? Number(keepAlive) : keepAlive }),
    ...(think !== undefined && { think }),
    ...(tools !== undefined && { tools: tools as NonNullable<ChatInput["tools"]> }),
    ...(format !== undefined && { format }),
  };
}

const shellQuoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The request as a curl command for a POSIX shell. */
export const curlOf = (address: string, request: ChatInput): string =>
  `curl ${address}/api/chat -d ${shellQuoted(JSON.stringify(request, null, 2))}`;
