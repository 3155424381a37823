/** Conversations, and the text that the chat template makes of them. */

export type Json = string | number | boolean | readonly Json[] | { readonly [key: string]: Json };
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Json;
}
export interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, Json>>;
}
export interface Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  readonly calls?: readonly Call[];
}
export interface Conversation {
  readonly system?: string | undefined;
  readonly tools?: readonly Tool[] | undefined;
  readonly messages: readonly Message[];
}

/** A piece of the text of a conversation; `learn`: the assistant says it. */
export interface Segment {
  readonly text: string;
  readonly learn: boolean;
}

/** JSON as Jinja's tojson writes it: a blank after each comma and colon. */
export function spacedJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${spacedJson(item)}`);
  return `{${members.join(", ")}}`;
}

export const callText = ({ name, arguments: given }: Call) =>
  `<tool_call>${spacedJson({ name, arguments: given })}</tool_call>`;

function head({ system, tools = [] }: Conversation): string {
  const listed = tools.length > 0 ? ["Tools:", ...tools.map((tool) => spacedJson({ ...tool }))].join("\n") : undefined;
  const parts = [system, listed].filter((part) => part !== undefined && part !== "");
  return parts.length > 0 ? `<|im_start|>system\n${parts.join("\n\n")}<|im_end|>\n` : "";
}

/** The text of gguf/chat-template.jinja, cut where learning begins and ends. */
export function segmentsOf(conversation: Conversation): Segment[] {
  const segments: Segment[] = [];
  let pending = head(conversation);
  for (const { role, content, calls = [] } of conversation.messages) {
    if (role === "assistant") {
      segments.push({ text: `${pending}<|im_start|>assistant\n`, learn: false });
      segments.push({ text: `${content}${calls.map(callText).join("")}<|im_end|>`, learn: true });
      pending = "\n";
    } else pending += `<|im_start|>${role}\n${content}<|im_end|>\n`;
  }
  return segments;
}

/** What comes before the answer that the model is to give. */
export function promptOf(conversation: Conversation): string {
  const segments = segmentsOf({
    ...conversation,
    messages: [...conversation.messages, { role: "assistant", content: "" }],
  });
  return segments
    .slice(0, -1)
    .map(({ text }) => text)
    .join("");
}
