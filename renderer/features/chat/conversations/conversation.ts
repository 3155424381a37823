/** The shape of a stored conversation. */
import { z } from "zod";

/** The figures in the last line of an answer. Times in milliseconds. */
const metricsSchema = z.object({ tokens: z.number(), tokensPerSecond: z.number(), firstTokenMs: z.number() });

const callSchema = z.object({
  id: z.string().optional(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
});
export type ConversationCall = z.infer<typeof callSchema>;

/**
 * `ended`: why the answer is incomplete. `leftOut`: omitted parts of the prompt that did not fit: old messages, and
 * tokens from the middle of the rest. `suggestions`: questions that the model offers in the place of an answer. `tool` and `callId`: the call that a tool's turn answers. `after`: the index of the
 * turn that it follows, -1 for none; absent: the turn before it in the list.
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
  suggestions: z.array(z.string()).optional(),
  leftOut: z.object({ messages: z.number(), tokens: z.number() }).optional(),
  after: z.number().int().optional(),
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

/**
 * `title` absent: the first question is the title. `turns`: those of all branches, in the order in which they were said.
 * `last`: the index of the last turn of the shown branch; absent: that of the last turn. `changedAt`: milliseconds since 1970.
 */
const conversationSchema = z.object({
  id: z.string(),
  title: z.string().optional(),
  model: z.string().optional(),
  settings: settingsSchema,
  turns: z.array(turnSchema),
  last: z.number().int().optional(),
  changedAt: z.number(),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** Reads a stored conversation; undefined if it is invalid. */
export const readConversation = (stored: unknown): Conversation | undefined =>
  conversationSchema.safeParse(stored).data;
