/** What stays of conversations: the versions of questions and answers, and what is stored of them. */
import { describe, expect, it } from "vitest";
import {
  visiblePath,
  showTurn,
  turnKeys,
  versionsOf,
  withTurn,
} from "../../../../../renderer/features/chat/conversations/branches.ts";
import { begin, last, memory, modelService, token } from "../../../../support/console/chat-scene.ts";

it("Each version of a turn has a key of its own, and an answer the one that its place had", () => {
  const said = { turns: [{ role: "user" as const, content: "one" }] };
  const first = withTurn(said, { role: "assistant", content: "call" });
  expect(turnKeys(said)).toEqual([0, 1]);
  expect(turnKeys(first)).toEqual([0, 1, 2]);
  const again = { ...first, last: 0 };
  const second = withTurn(again, { role: "assistant", content: "another call" });
  expect([turnKeys(again), turnKeys(second)]).toEqual([
    [0, 2],
    [0, 2, 3],
  ]);
  expect(turnKeys(showTurn(second, 1))).toEqual([0, 1, 3]);
});

describe("A conversation", () => {
  it("branches where a question is changed or answered anew, and each branch goes on by itself", async () => {
    const asked: string[][] = [];
    const { chat } = await modelService((req, res) => {
      let body = "";
      req.setEncoding("utf8").on("data", (part: string) => (body += part));
      req.on("end", () => {
        const { messages } = JSON.parse(body) as { messages: { content: string }[] };
        asked.push(messages.map(({ content }) => content));
        res.end(token(`answer ${String(asked.length)}`) + last);
      });
    });
    const talk = begin(chat);
    const shown = () => talk.turns().map(({ content }) => content);
    const versions = (position: number) => {
      const { turns = [] } = talk.get() ?? {};
      const index = visiblePath(talk.get() ?? { turns })[position] ?? -1;
      return versionsOf(turns, index).map((one) => [one, turns[one]?.content] as const);
    };
    await talk.say("first");
    await talk.say("second");
    await talk.chats.ask(talk.id, "tiny:1b", 2, [{ role: "user", content: "changed" }]);
    expect(shown()).toEqual(["first", "answer 1", "changed", "answer 3"]);
    expect(asked.at(-1)).toEqual(["first", "answer 1", "changed"]);
    await talk.chats.ask(talk.id, "tiny:1b", 1, []);
    expect([shown(), asked.at(-1)]).toEqual([["first", "answer 4"], ["first"]]);
    expect(versions(1)).toEqual([
      [1, "answer 1"],
      [6, "answer 4"],
    ]);
    // Back to the first answer: what was said last there is shown, and from there to the question before the change.
    talk.chats.show(talk.id, 1);
    expect(shown()).toEqual(["first", "answer 1", "changed", "answer 3"]);
    talk.chats.show(talk.id, versions(2)[0]?.[0] ?? -1);
    expect(shown()).toEqual(["first", "answer 1", "second", "answer 2"]);
    await talk.say("third");
    expect(asked.at(-1)).toEqual(["first", "answer 1", "second", "answer 2", "third"]);
    await talk.chats.ask(talk.id, "tiny:1b", 0, [{ role: "user", content: "another beginning" }]);
    expect(asked.at(-1)).toEqual(["another beginning"]);
    expect(versions(0).map(([, content]) => content)).toEqual(["first", "another beginning"]);
  });

  it("is gone with its running answer when it is deleted, and comes back when that is undone", async () => {
    const { chat } = await modelService((_req, res) => void res.write(token("Once upon")));
    const storage = memory();
    const talk = begin(chat, storage);
    const said = talk.say("A story");
    await expect.poll(() => talk.turns().length).toBe(2);
    const [conversation] = talk.chats.store.getState().conversations;
    talk.chats.remove(talk.id);
    await said;
    expect([talk.turns(), talk.isStreaming()]).toEqual([[], false]);
    await expect.poll(() => storage.load()).toEqual([]);
    if (conversation) talk.chats.restore(conversation);
    expect(talk.turns()[0]).toEqual({ role: "user", content: "A story" });
  });

  it("is loaded again, also as another page has changed it, without the answer that runs here being lost", async () => {
    const { chat } = await modelService((_req, res) => void res.write(token("Once upon")));
    const storage = memory();
    const talk = begin(chat, storage);
    const said = talk.say("A story");
    await expect.poll(() => talk.turns().length).toBe(2);
    const other = begin(chat, storage);
    await other.chats.load();
    other.chats.change(talk.id, { title: "From elsewhere" });
    const quiet = other.chats.create({ model: "quiet" });
    other.chats.change(quiet, { title: "New elsewhere" });
    await expect.poll(async () => (await storage.load()).length).toBe(2);
    await talk.chats.load();
    const found = talk.chats.store.getState().conversations.map(({ title }) => title);
    expect(found.toSorted()).toEqual(["New elsewhere", undefined]);
    expect(talk.turns().map(({ content }) => content)).toEqual(["A story", "Once upon"]);
    talk.chats.stop(talk.id);
    await said;
  });

  it.each(["while they are loaded", "just before they are loaded"])(
    "stays gone when it is deleted %s",
    async (when) => {
      const { chat } = await modelService((_req, res) => void res.end(token("Hello") + last));
      const storage = memory();
      const loaded = Promise.withResolvers<void>();
      const removed = Promise.withResolvers<void>();
      const talk = begin(chat, {
        ...storage,
        load: async () => {
          const found = await storage.load();
          await loaded.promise;
          return found;
        },
        remove: async (id) => {
          await removed.promise;
          return storage.remove(id);
        },
      });
      await talk.say("Hi");
      await expect.poll(async () => (await storage.load())[0]?.conversation).toEqual(talk.get());
      if (when.startsWith("just")) talk.chats.remove(talk.id);
      const load = talk.chats.load();
      if (when.startsWith("while")) talk.chats.remove(talk.id);
      removed.resolve();
      await expect.poll(() => storage.load()).toEqual([]);
      loaded.resolve();
      await load;
      expect(talk.chats.store.getState().conversations).toEqual([]);
    },
  );

  it("says why it could not be stored, until it is", async () => {
    const { chat } = await modelService((_req, res) => void res.end(token("Hello") + last));
    let full = true;
    const storage = memory();
    const talk = begin(chat, {
      ...storage,
      save: (...one) => (full ? Promise.reject(new Error("the disk is full")) : storage.save(...one)),
    });
    await talk.say("Hi");
    await expect.poll(() => talk.chats.store.getState().problem).toBe("the disk is full");
    full = false;
    await talk.say("Again");
    await expect.poll(() => talk.chats.store.getState().problem).toBeUndefined();
    expect((await storage.load())[0]?.conversation.turns).toHaveLength(4);
  });
});
