import { deleteChat, listChats, putChat } from "../../contract/console/chat-endpoints.ts";
import { refuse } from "../../http/http-error.ts";
import { route, type Route } from "../../http/route.ts";
import type { ChatStore } from "./chat-store.ts";

/** The console's operations on its chats. */
export const chatsConsoleRoutes = (store: ChatStore): Route[] => [
  route(listChats, async () => ({ data: { chats: await store.list() } })),
  route(putChat, async ({ params: { id }, body }) => {
    const revision = await store.put(id, body.content, body.revision);
    if (revision === undefined) throw refuse("chat.changed");
    return { data: { revision } };
  }),
  route(deleteChat, async ({ params: { id } }) => store.remove(id)),
];
