import { visibleTurns } from "./branches.ts";
import type { Conversation } from "./conversation.ts";

const titleLength = 60;

/** The title of a conversation: its name, else the first question of the shown branch; empty before that. */
export function titleOf(conversation: Pick<Conversation, "title" | "turns" | "last">): string {
  const first = conversation.title ?? visibleTurns(conversation).find(({ role }) => role === "user")?.content ?? "";
  const line = first.trim().replace(/\s+/g, " ");
  return line.length > titleLength ? `${line.slice(0, titleLength - 1)}…` : line;
}
