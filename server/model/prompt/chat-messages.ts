/** Normalizes messages for chat templates. */
import type { ChatMessage } from "../chat-completion.ts";

/** Roles in lower case; "developer" is another word for "system". */
function roleOf(role: string): string {
  const lower = role.toLowerCase();
  return lower === "developer" ? "system" : lower;
}

const callsOf = ({ toolCalls = [] }: ChatMessage) => toolCalls;

/** Adjacent messages of one role can be joined, unless calls or a tool's result would lose their place. */
const canJoin = (first: ChatMessage, second: ChatMessage) =>
  first.role === second.role && first.role !== "tool" && callsOf(first).length === 0;

function joined(first: ChatMessage, second: ChatMessage): ChatMessage {
  const thinking = [first.thinking, second.thinking].filter(Boolean).join("\n\n");
  const images = [...(first.images ?? []), ...(second.images ?? [])];
  return {
    role: first.role,
    content: [first.content, second.content].filter((text) => text !== "").join("\n\n"),
    ...(thinking !== "" && { thinking }),
    ...(images.length > 0 && { images }),
    ...(callsOf(second).length > 0 && { toolCalls: callsOf(second) }),
  };
}

/**
 * Adds id and name of the answered call to each tool result: by id, by name, or in order. Templates need both, and
 * clients send one or none.
 */
function withCallsNamed(messages: readonly ChatMessage[]): ChatMessage[] {
  let open: { id: string; name: string }[] = [];
  return messages.map((message) => {
    if (message.role !== "tool") {
      if (callsOf(message).length > 0) open = callsOf(message).map(({ id, name }) => ({ id, name }));
      return message;
    }
    const { toolCallId, toolName } = message;
    const call =
      open.find(({ id }) => id === toolCallId) ??
      (toolCallId === undefined ? (open.find(({ name }) => name === toolName) ?? open[0]) : undefined);
    open = open.filter((other) => other !== call);
    return { ...message, toolName: toolName ?? call?.name, toolCallId: toolCallId ?? call?.id };
  });
}

/**
 * Joins adjacent messages of one role: many templates require alternating turns, and client libraries send one message
 * per part.
 */
export function chatMessages(messages: readonly ChatMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = [];
  for (const message of messages.map((one) => ({ ...one, role: roleOf(one.role) }))) {
    const last = merged.at(-1);
    if (last !== undefined && canJoin(last, message)) merged[merged.length - 1] = joined(last, message);
    else merged.push(message);
  }
  return withCallsNamed(merged);
}

/** Puts the model's own messages first, its system message only if the request does not start with one. */
export function withModelMessages(
  messages: readonly ChatMessage[],
  { system, history }: { system: string | undefined; history: readonly ChatMessage[] },
): ChatMessage[] {
  const all = [...history, ...messages];
  const isFirstSystem = messages[0] !== undefined && roleOf(messages[0].role) === "system";
  return system === undefined || system === "" || isFirstSystem ? all : [{ role: "system", content: system }, ...all];
}
