/** Conversations over a scripted model service, as a page drives them. */
import type { RequestListener } from "node:http";
import { onTestFinished } from "vitest";
import { createAccess } from "../../../renderer/api/http/access.ts";
import { createSend } from "../../../renderer/api/http/call.ts";
import { modelTransport } from "../../../renderer/api/http/model-transport.ts";
import { visibleTurns } from "../../../renderer/features/chat/conversations/branches.ts";
import { Chats } from "../../../renderer/features/chat/conversations/chats.ts";
import type { ChatStorage, StoredChat } from "../../../renderer/features/chat/conversations/chat-storage.ts";
import { createModelClient } from "../../../server/contract/model/model-client.ts";
import { listen } from "../process/listen.ts";

/** A model service at the console's own address for the time of a test, and a fetch that reaches it. */
export async function modelService(answer: RequestListener) {
  const service = await listen(answer);
  onTestFinished(() => service.close(0));
  const send = createSend((path, init) => fetch(new URL(path, service.url), init), createAccess());
  return createModelClient(modelTransport(send, () => Promise.reject(new Error("no conversation sends a file"))));
}
/** Where conversations are stored, for the time of a test. */
export const memory = (): ChatStorage => {
  const stored = new Map<string, StoredChat>();
  let revisions = 0;
  return {
    load: async () => [...stored.values()],
    save: async (conversation, revision) => {
      const { id } = conversation;
      const newer = stored.get(id);
      if (newer && revision !== undefined && newer.revision !== revision) return { newer };
      const saved = { conversation, revision: (revisions += 1) };
      stored.set(id, saved);
      return saved;
    },
    remove: async (id) => void stored.delete(id),
  };
};
export const line = (value: object) => `${JSON.stringify(value)}\n`;
export const common = { model: "tiny:1b", created_at: "2026-11-01T00:00:00Z" };
/** Lines of an answer: a token, and the last one with its figures. */
export const token = (content: string) => line({ ...common, message: { role: "assistant", content }, done: false });
export const last = line({
  ...common,
  message: { role: "assistant", content: "" },
  done: true,
  done_reason: "stop",
  load_duration: 100e6,
  prompt_eval_duration: 50e6,
  eval_count: 20,
  eval_duration: 2e9,
});

type Chat = ReturnType<typeof createModelClient>["chat"];
/** One conversation over a model service, as a page drives it. */
export function begin(chat: Chat, storage = memory()) {
  let made = 0;
  const chats = new Chats({ chat, storage, now: () => 1_000 + made, createId: () => `c${String((made += 1))}` });
  const id = chats.create({});
  const get = () => chats.store.getState().conversations.find((one) => one.id === id);
  return {
    chats,
    id,
    get,
    turns: () => visibleTurns(get() ?? { turns: [] }),
    error: () => chats.store.getState().errors.get(id),
    wait: () => chats.store.getState().streaming.get(id),
    isStreaming: () => chats.store.getState().streaming.has(id),
    say: (content: string) =>
      chats.ask(id, "tiny:1b", visibleTurns(get() ?? { turns: [] }).length, [{ role: "user", content }]),
  };
}
