/** Where chats are stored: the data directory, by way of the console's API. */
import { deleteChat, listChats, putChat } from "../../../server/contract/console/chat-endpoints.ts";
import type { Call } from "../../api/call.ts";
import { readConversation, type Conversation } from "./conversation.ts";
import { dropOldConversations, oldConversations, type BrowserStorage } from "./old-conversations.ts";

export interface ChatStorage {
  /** All stored conversations. @throws ConsoleError, as the others do */
  load(): Promise<readonly Conversation[]>;
  save(conversation: Conversation): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Conversations that an earlier version stored in the browser are moved over once. */
export function createChatStorage(call: Call, browser: BrowserStorage): ChatStorage {
  const save = async ({ id, ...content }: Conversation) => {
    await call(putChat, { params: { id }, body: { content } });
  };

  return {
    async load() {
      const { chats } = await call(listChats);
      const stored = chats.flatMap(({ id, content }) => readConversation({ ...content, id }) ?? []);
      const moved = oldConversations(browser)
        .map((old) => ({ ...old, id: `${old.id}-${old.changedAt.toString(36)}` }))
        .filter(({ id }) => !stored.some((one) => one.id === id));
      // The oldest first, because the server deletes those that were stored first.
      for (const conversation of moved.toReversed()) await save(conversation);
      dropOldConversations(browser);
      return [...stored, ...moved];
    },
    save,
    async remove(id) {
      await call(deleteChat, { params: { id } });
    },
  };
}
