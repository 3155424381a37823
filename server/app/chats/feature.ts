import type { EventKernel, Feature } from "../../kernel/feature.ts";
import { createChatStore, type ChatTables } from "./chat-store.ts";
import { chatsConsoleRoutes } from "./chats-console-routes.ts";

/** The chats of the console's page. */
export const chatsFeature: Feature<EventKernel<ChatTables>, unknown, undefined> = {
  name: "chats",
  consoleTags: { chats: "Chats of the console's Chat page, stored in the data directory." },
  open: ({ database: { db }, clock: { now } }) => ({
    consoleRoutes: chatsConsoleRoutes(createChatStore(db, now)),
    port: undefined,
  }),
};
