/** The prompt of a scripted model: a line of JSON, where other models have the text of their chat template. */
import type { ChatMessage, ChatRequest } from "../chat-completion.ts";

/** A request as rules see it. */
export interface RuleRequest extends Pick<ChatRequest, "model" | "tools" | "toolChoice" | "format"> {
  readonly messages: readonly (Pick<ChatMessage, "role" | "content"> & { readonly images: number })[];
  readonly isThinking: boolean;
}

export const ruleRequestText = (asked: RuleRequest): string => `${JSON.stringify(asked)}\n`;

/** The request of a prompt, and the text that was put behind it: the beginning of the answer. */
export function readRuleRequest(prompt: string): { readonly asked: RuleRequest; readonly begun: string } {
  const end = prompt.indexOf("\n");
  return { asked: JSON.parse(prompt.slice(0, end)) as RuleRequest, begun: prompt.slice(end + 1) };
}

/** The text of the last message with one of these roles; "" without one. */
export const lastText = ({ messages }: RuleRequest, role: string): string =>
  messages.findLast((message) => message.role === role)?.content ?? "";
