/** The same conversation in two pages: what is said in one is not lost by the other. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cutAfter,
  visiblePath,
  visibleTurns,
  showTurn,
  withTurn,
} from "../../../../../renderer/features/chat/conversations/branches.ts";
import { Chats } from "../../../../../renderer/features/chat/conversations/chats.ts";
import {
  plainSettings,
  type Conversation,
  type Turn,
} from "../../../../../renderer/features/chat/conversations/conversation.ts";
import { mergeConversations } from "../../../../../renderer/features/chat/conversations/merge-conversations.ts";
import { begin, last, memory, modelService, token } from "../../../../support/console/chat-scene.ts";

const words = (turns: readonly Turn[]) => turns.map(({ content }) => content);

describe("Two pages with the same conversation", () => {
  it("keep what was said in each, also while an answer runs", async () => {
    const { chat } = await modelService((_req, res) => void res.end(token("an answer") + last));
    const storage = memory();
    const one = begin(chat, storage);
    await one.say("first");
    const other = new Chats({ chat, storage, now: () => 2_000, createId: () => "other" });
    await expect.poll(async () => (await storage.load())[0]?.conversation.turns.length).toBe(2);
    await other.load();
    await one.say("second");
    one.chats.change(one.id, { title: "Renamed" });
    await other.ask(one.id, "tiny:1b", 2, [{ role: "user", content: "third" }]);
    const stored = async () => (await storage.load())[0]?.conversation;
    await expect.poll(async () => words((await stored())?.turns ?? [])).toHaveLength(6);
    const [shown] = other.store.getState().conversations;
    expect(words(visibleTurns(shown ?? { turns: [] }))).toEqual(["first", "an answer", "third", "an answer"]);
    expect(await stored()).toEqual(shown);
    expect(shown?.title).toBe("Renamed");
    await one.chats.load();
    expect(words(one.get()?.turns ?? [])).toEqual(["first", "an answer", "second", "an answer", "third", "an answer"]);
  });

  it("keep what one of them could not store, and store it as soon as that works", async () => {
    const { chat } = await modelService((_req, res) => void res.end(token("an answer") + last));
    const storage = memory();
    let isDown = true;
    const page = begin(chat, {
      ...storage,
      save: (...one) => (isDown ? Promise.reject(new Error("down")) : storage.save(...one)),
    });
    await page.say("first");
    await expect.poll(() => page.chats.store.getState().problem).toBe("down");
    isDown = false;
    await page.chats.load();
    expect(words(page.turns())).toEqual(["first", "an answer"]);
    await expect.poll(async () => (await storage.load())[0]?.conversation.turns).toEqual(page.get()?.turns);
  });

  it("delete what one of them could not delete as soon as that works, and not what another brings back", async () => {
    const { chat } = await modelService((_req, res) => void res.end(token("an answer") + last));
    const storage = memory();
    let isDown = true;
    const page = begin(chat, {
      ...storage,
      remove: (id) => (isDown ? Promise.reject(new Error("down")) : storage.remove(id)),
    });
    await page.say("first");
    await expect.poll(async () => (await storage.load())[0]?.conversation).toEqual(page.get());
    const [before] = await storage.load();
    page.chats.remove(page.id);
    await expect.poll(() => page.chats.store.getState().problem).toBe("down");
    isDown = false;
    await page.chats.load();
    expect(page.get()).toBeUndefined();
    await expect.poll(() => storage.load()).toEqual([]);
    for (let times = 0; times < 2; times++) {
      await storage.remove(page.id);
      await page.chats.load();
      expect(page.get()).toBeUndefined();
      if (before) await storage.save(before.conversation);
      await page.chats.load();
      expect(page.get()).toEqual(before?.conversation);
    }
  });

  it("never lose or move a turn, whatever is said and shown in them", () => {
    const step = fc.oneof(
      fc.record({ say: fc.nat(8) }),
      fc.record({ show: fc.nat(8) }),
      fc.record({ title: fc.constantFrom("a", "b") }),
    );
    let said = 0;
    const changed = (start: Conversation, steps: readonly { say?: number; show?: number; title?: string }[]) =>
      steps.reduce<Conversation>((chat, { say, show, ...rest }) => {
        if (say !== undefined) {
          const count = say % (visiblePath(chat).length + 1);
          return withTurn(cutAfter(chat, count), { role: "user", content: String((said += 1)) });
        }
        return show === undefined || chat.turns.length === 0
          ? { ...chat, ...rest }
          : showTurn(chat, show % chat.turns.length);
      }, start);
    /** Of each turn, what was said up to it. */
    const paths = ({ turns }: Conversation) => turns.map((_, index) => words(visibleTurns({ turns, last: index })));
    const steps = fc.array(step, { maxLength: 8 });
    fc.assert(
      fc.property(steps, steps, steps, (before, here, there) => {
        const base = changed({ id: "c", settings: plainSettings, turns: [], changedAt: 0 }, before);
        const [mine, stored] = [changed(base, here), changed(base, there)];
        const merged = mergeConversations(base, mine, stored);
        const own = paths(mine).slice(base.turns.length);
        expect(paths(merged)).toEqual([...paths(stored), ...own]);
        const shown = own.length > 0 || mine.last !== base.last ? mine : stored;
        expect(words(visibleTurns(merged))).toEqual(words(visibleTurns(shown)));
        expect(merged.title).toBe(mine.title === base.title ? stored.title : mine.title);
      }),
    );
  });
});
