/** The chats of the console's page, in the data directory: what one page stores, another one finds. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createChatStorage, type ChatStorage } from "../../../renderer/features/chat/conversations/chat-storage.ts";
import { plainSettings, type Conversation } from "../../../renderer/features/chat/conversations/conversation.ts";
import { pageCall } from "../../support/app/page-call.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const headers = { authorization: `Bearer ${consoleToken}` };
const page = () => createChatStorage(pageCall(app));
const chat = (id: string, changedAt: number, content = id): Conversation => ({
  id,
  settings: plainSettings,
  turns: [{ role: "user", content }],
  changedAt,
});
const put = (id: string, content: unknown) =>
  fetch(`${app.url}/console/api/chats/${id}`, {
    method: "PUT",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ content }),
  });
const conversations = async ({ load }: Pick<ChatStorage, "load">) =>
  (await load()).map(({ conversation }) => conversation);
const ids = async () => (await conversations(page())).map(({ id }) => id);
const clear = async () => {
  for (const id of await ids()) await page().remove(id);
};

describe("the chats of the console", () => {
  it("are found by every page, as they were stored last, and one that was deleted is found by none", async () => {
    const first = page();
    await first.save(chat("one", 1));
    await first.save(chat("two", 2));
    await first.save(chat("one", 3, "changed"));
    expect(await conversations(page())).toEqual([chat("one", 3, "changed"), chat("two", 2)]);
    await first.remove("two");
    expect(await ids()).toEqual(["one"]);
    await expect(first.remove("two")).resolves.toBeUndefined();
    await clear();
  });

  it("are not stored over what another page has stored since, which is answered instead", async () => {
    const saved = await page().save(chat("one", 1));
    const revision = "revision" in saved ? saved.revision : Number.NaN;
    await page().save(chat("one", 2, "of another page"), revision);
    expect(await page().save(chat("one", 3, "of this page"), revision)).toMatchObject({
      newer: { conversation: chat("one", 2, "of another page") },
    });
    expect(await conversations(page())).toEqual([chat("one", 2, "of another page")]);
    await clear();
    expect(await page().save(chat("one", 4), revision)).toMatchObject({ conversation: { id: "one" } });
    await clear();
  });

  it("are no more than 200: the one that was stored first goes, and none is longer than 8 MiB", async () => {
    for (let count = 0; count < 201; count++) expect((await put(`c${count}`, { count })).status).toBe(200);
    const kept = (await (await fetch(`${app.url}/console/api/chats`, { headers })).json()) as {
      chats: { id: string; content: object }[];
    };
    expect(kept.chats).toHaveLength(200);
    expect(kept.chats.map(({ id }) => id)).not.toContain("c0");
    expect((await put("long", { text: "x".repeat(8 * 1_048_576) })).status).toBe(400);
    for (const { id } of kept.chats) await page().remove(id);
  });

  it("are part of no export and no reset", async () => {
    await page().save(chat("private", 1, "a secret question"));
    const exported = await fetch(`${app.url}/console/api/data`, { headers });
    expect([exported.status, (await exported.text()).includes("a secret question")]).toEqual([200, false]);
    const reset = await fetch(`${app.url}/console/api/resets`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: "{}",
    });
    expect(reset.ok).toBe(true);
    expect(await ids()).toEqual(["private"]);
    await clear();
  });

  it("answer 401 without the console's token", async () => {
    expect((await fetch(`${app.url}/console/api/chats`)).status).toBe(401);
  });
});
