/** Stores conversations, and restores them after a reload. */
import { z } from "zod";

/** The figures in the last line of an answer. Times in milliseconds. */
const metricsSchema = z.object({ tokens: z.number(), tokensPerSecond: z.number(), firstTokenMs: z.number() });

const callSchema = z.object({
  id: z.string().optional(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
});
export type ToolCall = z.infer<typeof callSchema>;

/**
 * `ended`: why the answer is incomplete. `leftOut`: omitted parts of the prompt that did not fit: old messages, and
 * tokens from the middle of the rest. `tool` and `callId`: the call that a tool's turn answers.
 */
const turnSchema = z.object({
  role: z.enum(["user", "assistant", "tool"]),
  content: z.string(),
  thinking: z.string().optional(),
  calls: z.array(callSchema).optional(),
  tool: z.string().optional(),
  callId: z.string().optional(),
  model: z.string().optional(),
  metrics: metricsSchema.optional(),
  ended: z.enum(["stopped", "length"]).optional(),
  leftOut: z.object({ messages: z.number(), tokens: z.number() }).optional(),
});
export type Turn = z.infer<typeof turnSchema>;

/** Settings of each request. `tools` and `format` are JSON as typed; without `think` the model decides. */
const settingsSchema = z.object({
  system: z.string().default(""),
  options: z.record(z.string(), z.number()).default({}),
  keepAlive: z.string().default(""),
  think: z.boolean().optional(),
  tools: z.string().default(""),
  format: z.string().default(""),
});
export type ChatSettings = z.infer<typeof settingsSchema>;
export const plainSettings: ChatSettings = settingsSchema.parse({});

/** `title` absent: the first question is the title. `changedAt`: milliseconds since 1970. */
const conversationSchema = z.object({
  id: z.string(),
  title: z.string().optional(),
  model: z.string().optional(),
  settings: settingsSchema,
  turns: z.array(turnSchema),
  changedAt: z.number(),
});
export type Conversation = z.infer<typeof conversationSchema>;

export interface ChatStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const storageKey = "hearth.chats";
/** The key of the single conversation of earlier versions. */
const oldKey = "hearth.chat";
const oldSchema = z.object({ model: z.string().optional(), turns: z.array(turnSchema) });

/** A browser stores some five million characters per site. */
const mostConversations = 200;
const mostCharacters = 2_000_000;

/** The newest ones that fit; always at least the first one. */
export function withinBounds(conversations: readonly Conversation[]): readonly Conversation[] {
  let characters = 0;
  return conversations.slice(0, mostConversations).filter((conversation, index) => {
    characters += JSON.stringify(conversation).length;
    return index === 0 || characters <= mostCharacters;
  });
}

export function keepConversations(storage: ChatStorage, conversations: readonly Conversation[]): void {
  try {
    storage.setItem(storageKey, JSON.stringify(withinBounds(conversations)));
    storage.removeItem(oldKey);
  } catch {
    // The browser's storage is full or forbidden: the conversations then last as long as the page.
  }
}

/** The valid stored conversations, the newest first. */
export function restoreConversations(storage: ChatStorage): readonly Conversation[] {
  const kept = z.array(z.unknown()).safeParse(parse(storage.getItem(storageKey)));
  if (kept.success)
    return kept.data.flatMap((one) => {
      const { data } = conversationSchema.safeParse(one);
      return data ? [data] : [];
    });
  const old = oldSchema.safeParse(parse(storage.getItem(oldKey)));
  if (!old.success || old.data.turns.length === 0) return [];
  return [{ ...old.data, id: "first", settings: plainSettings, changedAt: Date.now() }];
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

const titleLength = 60;

/** The title of a conversation; empty before the first question. */
export function titleOf({ title, turns }: Pick<Conversation, "title" | "turns">): string {
  const first = title ?? turns.find(({ role }) => role === "user")?.content ?? "";
  const line = first.trim().replace(/\s+/g, " ");
  return line.length > titleLength ? `${line.slice(0, titleLength - 1)}…` : line;
}
