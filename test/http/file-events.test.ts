import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventPage } from "../../server/contract/console.ts";
import { consoleToken, startTestApp, type TestApp } from "../support/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const notify = (fields: Record<string, string>, path = "/api/inotify/", headers: Record<string, string> = {}) =>
  fetch(`${app.url}${path}`, { method: "POST", body: new URLSearchParams(fields), headers });
async function storedEvents() {
  const page = await fetch(`${app.url}/console/api/events?type=file.changed`, {
    headers: { Authorization: `Bearer ${consoleToken}` },
  });
  return ((await page.json()) as EventPage).events.map(({ data }) => data as { df: string; ev: string });
}

describe("POST /api/inotify/", () => {
  it.each(["modify", "attrib", "move", "create", "delete"])(
    "answers 202 with an empty body for %s and publishes it, without a login",
    async (ev) => {
      const df = `/srv/图/${ev} & more.txt`;
      const response = await notify({ df, ev });
      expect([response.status, await response.text()]).toEqual([202, ""]);
      await expect.poll(storedEvents).toContainEqual(expect.objectContaining({ df, ev }));
    },
  );

  it("answers the same without the slash at the end", async () => {
    expect((await notify({ df: "/a", ev: "create" }, "/api/inotify")).status).toBe(202);
  });

  it.each([
    [{ df: "/a", ev: "explode" }, "ev", /modify.*attrib.*move.*create.*delete/],
    [{ df: "", ev: "create" }, "df", /./],
    [{ ev: "create" }, "df", /./],
  ])("answers 400 for %j naming the field", async (fields, field, message) => {
    const response = await notify(fields);
    const body = (await response.json()) as { Message: string; details: { field: string }[] };
    expect([response.status, body.details[0]?.field]).toEqual([400, field]);
    expect(body.Message).toMatch(message);
  });

  it("answers 415 for a JSON body", async () => {
    expect((await app.post(`${app.url}/api/inotify/`, { df: "/a", ev: "create" })).status).toBe(415);
  });

  it("stores a notification that is delivered twice once", async () => {
    const headers = { "X-Event-Id": "watcher-1" };
    for (let i = 0; i < 2; i++)
      expect((await notify({ df: "/once", ev: "create" }, "/api/inotify/", headers)).status).toBe(202);
    await notify({ df: "/marker", ev: "create" });
    await expect.poll(storedEvents).toContainEqual(expect.objectContaining({ df: "/marker" }));
    expect((await storedEvents()).filter(({ df }) => df === "/once")).toHaveLength(1);
  });
});
