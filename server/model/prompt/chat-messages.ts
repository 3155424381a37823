/** Messages of a request as a chat template takes them. */
import type { OllamaMessage } from "../../contract/ollama.ts";

export interface ChatMessage {
  readonly role: string;
  readonly content: string;
}

/** Why a message cannot be used: it needs a capability that the model lacks. */
export type MissingCapability = "vision" | "tools";

const textOf = (content: OllamaMessage["content"]): string =>
  typeof content === "string"
    ? content
    : (content ?? [])
        .filter(({ type }) => type === "text")
        .map(({ text }) => text ?? "")
        .join("");

/** The capability that the messages need beyond plain text, if any. */
export function neededCapability(messages: readonly OllamaMessage[]): MissingCapability | undefined {
  for (const { role, content, images, tool_calls: calls } of messages) {
    const hasPart = Array.isArray(content) && content.some(({ type }) => type !== "text");
    if (hasPart || (images?.length ?? 0) > 0) return "vision";
    if (role.toLowerCase() === "tool" || (calls?.length ?? 0) > 0) return "tools";
  }
  return undefined;
}

/**
 * Roles in lower case, "developer" as "system", content as text. Messages in a row with one role become one: many
 * templates insist on turns, and client libraries send a message per part.
 */
export function chatMessages(messages: readonly OllamaMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = [];
  for (const message of messages) {
    const lower = message.role.toLowerCase();
    const role = lower === "developer" ? "system" : lower;
    const content = textOf(message.content);
    const last = merged.at(-1);
    if (last?.role === role) merged[merged.length - 1] = { role, content: `${last.content}\n\n${content}` };
    else merged.push({ role, content });
  }
  return merged;
}

/** The messages without their `count` oldest ones; system messages and the last message always stay. */
export function withoutOldest(messages: readonly ChatMessage[], count: number): ChatMessage[] {
  let left = count;
  return messages.filter(({ role }, at) => role === "system" || at === messages.length - 1 || left-- <= 0);
}

/** How many messages withoutOldest can leave out. */
export const droppable = (messages: readonly ChatMessage[]) =>
  messages.filter(({ role }, at) => role !== "system" && at !== messages.length - 1).length;
