import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { controlCalls, json } from "../../../support/app/control-calls.ts";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";

let app: TestApp;
const { control, count, upload, blobs, ...calls } = controlCalls(() => app);
const reset = (...parts: string[]) => json<{ removed: Record<string, number> }>(calls.reset(...parts));

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

describe("POST /console/api/resets", () => {
  let alice: Record<string, string>;
  beforeEach(async () => {
    await control("POST", "/resets", {});
    alice = await app.loggedIn("alice");
    await app.post(`${app.url}/api/articles`, { title: "one" }, alice);
    await upload(alice);
    await fetch(`${app.url}/api/inotify/`, { method: "POST", body: new URLSearchParams({ df: "/a", ev: "create" }) });
  });

  it("puts everything back to how it was at the first start", async () => {
    await control("PUT", "/bans/192.0.2.7");
    await control("POST", "/faults", { path: "/nowhere", status: 500 });
    await control("PUT", "/clock", { offset_ms: 5 });
    const { removed } = await json<{ removed: Record<string, number> }>(control("POST", "/resets", {}));
    expect(removed).toMatchObject({
      users: 1,
      records: 1,
      uploads: 1,
      file_events: 1,
      provider: 1,
      bans: 1,
      faults: 1,
      clock: 5,
    });
    expect(removed["requests"]).toBeGreaterThan(4);
    expect(removed["events"]).toBeGreaterThan(3);
    expect(await Promise.all((["users", "sessions", "records", "uploads", "file_events"] as const).map(count))).toEqual(
      [0, 0, 0, 0, 0],
    );
    expect(await blobs()).toEqual([]);
    expect(await json(control("GET", "/requests"))).toMatchObject({ total: 0 });
    expect(await json(fetch(`${app.provider.url}/sim/users`))).toEqual([]);
    expect(await json(control("GET", "/bans"))).toEqual({ bans: [] });
    expect(await json(control("GET", "/faults"))).toEqual({ faults: [] });
    expect(await json(control("GET", "/clock"))).toMatchObject({ offset_ms: 0 });
    expect((await fetch(`${app.url}/api/articles`, { headers: alice })).status).toBe(401);
  });

  it("gives an id away again with another ETag, so that nobody takes the new item for the old one", async () => {
    const tags: (string | null)[] = [];
    for (const [offset_ms, title] of ["old", "new"].entries()) {
      await control("POST", "/resets", {});
      await control("PUT", "/clock", { offset_ms });
      alice = await app.loggedIn("alice");
      const created = await app.post(`${app.url}/api/articles`, { title }, alice);
      expect(created.headers.get("location")).toBe("/api/articles/1");
      tags.push(created.headers.get("etag"));
    }
    const [old = ""] = tags;
    const known = await fetch(`${app.url}/api/articles/1`, { headers: { ...alice, "If-None-Match": old ?? "" } });
    expect(await json(known)).toMatchObject({ data: { title: "new" } });
  });

  it("gives no user the id of another one whose items are still there", async () => {
    const made = await app.post(`${app.url}/api/articles`, { title: "hers", private: true }, alice);
    await reset("users", "orders", "uploads");
    const bob = await app.loggedIn("bob");
    const hers = await fetch(app.url + (made.headers.get("location") ?? ""), { headers: bob });
    expect([hers.status, await json<object>(hers)]).toMatchObject([403, { code: "private" }]);
    await reset("users", "records", "orders", "uploads");
    const created = await app.post(`${app.url}/api/articles`, { title: "his" }, await app.loggedIn("bob"));
    expect(await json(created)).toMatchObject({ status: { uid: "u1" } });
  });

  it("lets ids begin at 1 again", async () => {
    await control("POST", "/resets", {});
    alice = await app.loggedIn("zoe");
    const created = await json<{ status: { uid: string }; data: { id: number } }>(
      app.post(`${app.url}/api/articles`, { title: "first" }, alice),
    );
    expect([created.status.uid, created.data.id, await upload(alice)]).toEqual(["u1", 1, 1]);
  });

  it("resets a part and leaves the others", async () => {
    expect(await reset("records")).toEqual({ removed: { records: 1 } });
    const list = await fetch(`${app.url}/api/articles`, { headers: alice });
    expect([list.status, ((await list.json()) as { data: unknown[] }).data]).toEqual([200, []]);
    expect([await count("uploads"), await count("users"), (await blobs()).length]).toEqual([1, 1, 1]);
    expect(await reset("sessions")).toEqual({ removed: { sessions: 1 } });
    expect([await count("users"), await count("sessions")]).toEqual([1, 0]);
    expect(await reset("uploads")).toEqual({ removed: { uploads: 1 } });
    expect(await blobs()).toEqual([]);
    expect((await reset("events")).removed["events"]).toBeGreaterThan(0);
  });

  it("leaves a content that another upload still names", async () => {
    await upload(alice, "y.png");
    expect(await reset("uploads")).toEqual({ removed: { uploads: 2 } });
    expect(await blobs()).toEqual([]);
  });

  it("reports itself by an event, and event ids continue", async () => {
    const newest = async () =>
      (await json<{ events: { id: string; type: string; data: unknown }[] }>(control("GET", "/events?limit=1")))
        .events[0];
    const before = await newest();
    await reset("events", "records");
    await expect.poll(newest).toMatchObject({ type: "state.reset", data: { parts: ["records", "events"] } });
    expect(Number((await newest())?.id)).toBeGreaterThan(Number(before?.id));
  });

  it.each([
    [{ parts: [] }, "parts"],
    [{ parts: ["everything"] }, "parts"],
    [{ part: ["users"] }, "part"],
  ])("answers 400 to %j and resets nothing", async (body, field) => {
    const response = await control("POST", "/resets", body);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(field)]);
    expect(await count("records")).toBe(1);
  });
});
