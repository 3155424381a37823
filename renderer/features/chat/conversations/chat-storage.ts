/** Where chats are stored: the data directory, by way of the console's API. */
import { deleteChat, listChats, putChat } from "../../../../server/contract/console/chat-endpoints.ts";
import type { Call } from "../../../api/http/call.ts";
import { ConsoleError } from "../../../api/http/console-error.ts";
import { readConversation, type Conversation } from "./conversation.ts";

/** A conversation as it is stored; `revision` rises with each change. */
export interface StoredChat {
  readonly conversation: Conversation;
  readonly revision: number;
}

export interface ChatStorage {
  /** All stored conversations. @throws ConsoleError, as the others do */
  load(): Promise<readonly StoredChat[]>;
  /**
   * Stores a conversation in place of a revision of it, and returns the new one. `newer`: nothing was stored, because
   * another page has stored that since; undefined: it is gone again.
   */
  save(conversation: Conversation, revision?: number): Promise<StoredChat | { newer: StoredChat | undefined }>;
  remove(id: string): Promise<void>;
}

export function createChatStorage(call: Call): ChatStorage {
  const list = async (): Promise<StoredChat[]> => {
    const { chats } = await call(listChats);
    return chats.flatMap(({ id, content, revision }) => {
      const conversation = readConversation({ ...content, id });
      return conversation ? [{ conversation, revision }] : [];
    });
  };
  const put = async (conversation: Conversation, revision?: number): Promise<StoredChat> => {
    const { id, ...content } = conversation;
    return { conversation, ...(await call(putChat, { params: { id }, body: { content, revision } })) };
  };

  return {
    load: list,
    async save(conversation, revision) {
      try {
        return await put(conversation, revision);
      } catch (error) {
        if (!(error instanceof ConsoleError) || error.status !== 409) throw error;
        return { newer: (await list()).find((one) => one.conversation.id === conversation.id) };
      }
    },
    async remove(id) {
      await call(deleteChat, { params: { id } });
    },
  };
}
