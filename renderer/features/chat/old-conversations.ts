/** The conversations that earlier versions stored in the browser, under the address of the page. */
import { z } from "zod";
import { plainSettings, readConversation, turnSchema, type Conversation } from "./conversation.ts";

export type BrowserStorage = Pick<Storage, "getItem" | "removeItem">;

const listKey = "hearth.chats";
/** The key of the single conversation before there were several. */
const singleKey = "hearth.chat";
const singleSchema = z.object({ model: z.string().optional(), turns: z.array(turnSchema) });

/** The valid ones, the newest first. */
export function oldConversations(browser: BrowserStorage): readonly Conversation[] {
  const list = z.array(z.unknown()).safeParse(parse(browser.getItem(listKey)));
  if (list.success) return list.data.flatMap((one) => readConversation(one) ?? []);
  const single = singleSchema.safeParse(parse(browser.getItem(singleKey)));
  if (!single.success || single.data.turns.length === 0) return [];
  return [{ ...single.data, id: "first", settings: plainSettings, changedAt: Date.now() }];
}

export function dropOldConversations(browser: BrowserStorage): void {
  for (const key of [listKey, singleKey]) browser.removeItem(key);
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}
