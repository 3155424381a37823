/** The chats of the console's page. The whole of /console/api needs the run's console token, or its cookie. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";

const contentSchema = z
  .record(z.string(), z.unknown())
  .describe("Content of the chat: turns, model, settings. The server stores it unchanged.");

const revision = z.number().int().describe("Revision number. Each change increases it.");
const chatSchema = z
  .object({ id: z.string().meta({ examples: ["mh2k7x1p"] }), revision, content: contentSchema })
  .meta({ title: "Chat" });

const base = { tag: "chats", access: "console" } as const;
const params = z.object({ id: z.string().min(1).max(64) });

/** Lists all stored chats, most recently stored first. */
export const listChats = endpoint({
  ...base,
  id: "listChats",
  method: "GET",
  path: "/console/api/chats",
  status: 200,
  data: z.object({ chats: z.array(chatSchema) }),
});

/**
 * Stores a chat, or replaces the chat with this id. If another page has stored the chat since the given revision, the
 * answer is 409. Without a revision, the chat is replaced. Hearth keeps the newest 200 chats, up to 16 MB in total.
 */
export const putChat = endpoint({
  ...base,
  id: "putChat",
  method: "PUT",
  path: "/console/api/chats/{id}",
  status: 200,
  params,
  body: z.object({ content: contentSchema, revision: revision.optional() }),
  maxBodyBytes: 8 * 1_048_576,
  data: z.object({ revision }),
  errors: [409],
});

/** Deletes a chat. Deleting a missing chat also succeeds. */
export const deleteChat = endpoint({
  ...base,
  id: "deleteChat",
  method: "DELETE",
  path: "/console/api/chats/{id}",
  status: 204,
  params,
});
