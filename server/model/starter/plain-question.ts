/** Which chats are guided: questions to the starter model that nothing else shapes. */
import type { ChatRequest } from "../chat-completion.ts";
import type { InstalledModel } from "../models/library/installed-model.ts";

const isStarter = ({ header: { metadata } }: InstalledModel) =>
  metadata.get("general.name") === "Hearth Starter" && metadata.get("general.author") === "Hearth";

/** The last question of a chat with the starter model; undefined for other models, and with tools, a format or instructions. */
export function plainQuestion({ messages, tools, format }: ChatRequest, model: InstalledModel): string | undefined {
  const last = messages.at(-1);
  const isShaped =
    tools.length > 0 || format !== undefined || Boolean(model.system) || messages.some(({ role }) => role === "system");
  return isShaped || last?.role !== "user" || !isStarter(model) ? undefined : last.content;
}
