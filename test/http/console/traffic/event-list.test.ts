import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventCounts, EventPage } from "../../../../server/contract/console/traffic/event-endpoints.ts";
import { consoleToken, startTestApp, type TestApp } from "../../../support/app/test-app.ts";

let app: TestApp;
const headers = { Authorization: `Bearer ${consoleToken}` };
const get = async <T>(path: string): Promise<T> =>
  (await (await fetch(`${app.url}/console/api${path}`, { headers })).json()) as T;
const list = (query: Record<string, string>) =>
  get<EventPage>(`/events?${new URLSearchParams({ limit: "2", ...query }).toString()}`);
const subjects = ({ events }: EventPage) => events.map(({ subject }) => subject);

beforeAll(async () => {
  app = await startTestApp();
  for (const df of ["/a/100%.txt", "/a/100x.txt", "/b/图.txt", "/b/c_d"])
    await fetch(`${app.url}/api/inotify/`, { method: "POST", body: new URLSearchParams({ df, ev: "create" }) });
  await fetch(`${app.url}/console/api/events`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ source: "/model", type: "model.loaded", subject: "tiny", data: { model: "tiny" } }),
  });
});
afterAll(() => app[Symbol.asyncDispose]());

describe("GET /console/api/events", () => {
  it("answers what fits each given filter, with the number of all that fit", async () => {
    expect(subjects(await list({ source: "/model" }))).toEqual(["tiny"]);
    expect(subjects(await list({ subject: "/b/c_d", type: "file.changed" }))).toEqual(["/b/c_d"]);
    expect(await list({ subject: "/b/c_d", source: "/model" })).toEqual({ events: [], total: 0, stored: 5 });
    expect((await list({ source: "/app/file-events" })).total).toBe(4);
  });

  it("searches type, source, subject and data for a text as it is, in any script", async () => {
    expect(subjects(await list({ q: "100%" }))).toEqual(["/a/100%.txt"]);
    expect(subjects(await list({ q: "c_d" }))).toEqual(["/b/c_d"]);
    expect(subjects(await list({ q: "图" }))).toEqual(["/b/图.txt"]);
    expect(subjects(await list({ q: "MODEL.loaded" }))).toEqual(["tiny"]);
    expect(await list({ q: '"ev":"create"' })).toMatchObject({ total: 4 });
  });

  it("sorts by a member, page by page, and answers how many events there are without the filter", async () => {
    const sorted = await list({ sort: "-type", limit: "1" });
    expect([subjects(sorted), sorted.stored]).toEqual([["tiny"], 5]);
    expect(subjects(await list({ sort: "-type", limit: "2", offset: "1" }))).toEqual(["/b/c_d", "/b/图.txt"]);
    expect(subjects(await list({ sort: "source", limit: "1" }))).toEqual(["/b/c_d"]);
  });

  it("goes on with `before` within what fits", async () => {
    const first = await list({ q: "/a/" });
    const before = first.events[0]?.id ?? "";
    expect(subjects(await list({ q: "/a/", before }))).toEqual(["/a/100%.txt"]);
  });
});

describe("The search of GET /console/api/events", () => {
  let named: TestApp;
  const found = async (query: Record<string, string>) => {
    const search = new URLSearchParams({ limit: "100", ...query }).toString();
    const { events } = (await (
      await fetch(`${named.url}/console/api/events?${search}`, { headers })
    ).json()) as EventPage;
    return events.map(({ type, data }) => [type, (data as { name?: string }).name]).reverse();
  };
  beforeAll(async () => {
    named = await startTestApp();
    await named.login("bob");
    const alice = await named.loggedIn("alice");
    await named.post(`${named.url}/api/orders`, { description: "Green tea", amount: 100 }, alice);
    await named.post(`${named.url}/api/articles`, { title: "Harbour news" }, alice);
    await fetch(`${named.url}/api/articles/1`, { method: "DELETE", headers: alice });
  });
  afterAll(() => named[Symbol.asyncDispose]());

  it("finds the events of a user by nickname, and by the simulator's name before there is one", async () => {
    expect(await found({ q: "bob" })).toEqual([["session.created", "bob"]]);
    expect(await found({ q: "alice", type: "user.updated" })).toEqual([
      ["user.updated", "alice"],
      ["user.updated", "alice"],
    ]);
  });

  it("finds the events of an order by its description, and those of an item by its title, also once it is deleted", async () => {
    expect(await found({ q: "green TEA" })).toEqual([["order.placed", "Green tea"]]);
    expect(await found({ q: "Harbour" })).toEqual([
      ["resource.created", "Harbour news"],
      ["resource.deleted", "Harbour news"],
    ]);
  });

  it("finds the events of the types whose texts the reader sees", async () => {
    const types = await found({ q: "Item deleted", q_types: "resource.deleted,order.closed" });
    expect(types).toEqual([["resource.deleted", "Harbour news"]]);
  });
});

describe("GET /console/api/events/counts", () => {
  it("answers how many events each source and each type has, the most first", async () => {
    const { sources, types } = await get<EventCounts>("/events/counts");
    expect(sources).toEqual([
      { source: "/app/file-events", count: 4 },
      { source: "/model", count: 1 },
    ]);
    expect(types).toEqual([
      { type: "file.changed", count: 4 },
      { type: "model.loaded", count: 1 },
    ]);
  });
});

describe("GET /console/api/events/histogram", () => {
  interface Bars {
    bars: { at: number; count: number; failed: number }[];
  }
  const filled = async (query: string) =>
    (await get<Bars>(`/events/histogram${query}`)).bars.filter(({ count }) => count > 0);

  it("counts what fits over time, and what tells of a failure apart", async () => {
    const before = await filled("");
    expect(before.reduce((all, { count }) => all + count, 0)).toBe(5);
    const moved = new Date(app.clock.now() + 60_000).toISOString();
    app.clock.offsetMs += 120_000;
    const form = new FormData();
    form.set("[]", new File(["MZ"], "notes.exe"));
    await fetch(`${app.url}/api/uploads`, { method: "POST", headers: await app.loggedIn("alice"), body: form });
    expect(await filled("?type=upload.rejected")).toMatchObject([{ count: 1, failed: 1 }]);
    expect((await filled(`?until=${moved}`)).reduce((all, { count }) => all + count, 0)).toBe(5);
    expect((await list({ until: moved, limit: "500" })).total).toBe(5);
    expect((await list({ since: moved, type: "file.changed" })).total).toBe(0);
  });
});
