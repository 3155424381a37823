/** Exports a conversation to a file. */
import { visibleTurns } from "./branches.ts";
import type { Conversation, Turn } from "./conversation.ts";
import { titleOf } from "./title.ts";

const fenced = (text: string) => `\`\`\`json\n${text}\n\`\`\``;
const quoted = (text: string) => text.trim().replace(/^/gm, "> ");

function partsOf(turn: Turn): string[] {
  return [
    ...(turn.thinking ? [quoted(turn.thinking)] : []),
    ...(turn.content === "" ? [] : [turn.role === "tool" ? fenced(turn.content) : turn.content.trim()]),
    ...(turn.calls ?? []).map((call) => `\`${call.name}\`\n\n${fenced(JSON.stringify(call.arguments, null, 2))}`),
  ];
}

/** The shown branch. `you`: the name of the reader. */
export function asMarkdown(conversation: Conversation, you: string): string {
  const { settings } = conversation;
  const author = (turn: Turn) => (turn.role === "user" ? you : (turn.tool ?? turn.model ?? turn.role));
  return [
    `# ${titleOf(conversation)}`,
    ...(settings.system.trim() === "" ? [] : [quoted(settings.system)]),
    ...visibleTurns(conversation).flatMap((turn) => [`## ${author(turn)}`, ...partsOf(turn)]),
    "",
  ].join("\n\n");
}

/** A file name from the conversation's title. */
export const fileNameOf = (conversation: Conversation, ending: string): string =>
  `${
    titleOf(conversation)
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "") || "chat"
  }.${ending}`;
