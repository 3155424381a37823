import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventPage } from "../../../server/contract/console/traffic/event-endpoints.ts";
import type { FileEventPage } from "../../../server/contract/app/file-events.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { onPostgres } from "../../support/store/stored-tables.ts";

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

  it.each([
    ["a short id", "x"],
    ["the longest id", "x".repeat(200)],
  ])("distinguishes %s from another one", async (_what, id) => {
    const df = `/ids/${String(id.length)}`;
    for (const one of [id, `y${id.slice(1)}`])
      await notify({ df, ev: "create" }, "/api/inotify/", { "X-Event-Id": one });
    expect((await page({ path: df })).total).toBe(2);
  });

  it("answers 400 for an X-Event-Id that is too long to be kept, and counts an empty one as none", async () => {
    const refused = await notify({ df: "/a", ev: "create" }, "/api/inotify/", { "X-Event-Id": "x".repeat(201) });
    expect([refused.status, ((await refused.json()) as { Message: string }).Message]).toEqual([
      400,
      expect.stringContaining("X-Event-Id"),
    ]);
    for (let i = 0; i < 2; i++) await notify({ df: "/no-id", ev: "create" }, "/api/inotify/", { "X-Event-Id": "" });
    expect((await page({ path: "/no-id" })).total).toBe(2);
  });

  it.each([
    ["every kind of character", "/ \u0001\t\r\n é 图 🙂 \u202e%2F%zz&df=x;ev=+\"'<>\\ \ufeff"],
    ["the longest path of any system", `/${"图".repeat(32_766)}`],
    ["a path of another system", "C:\\Users\\Alice\\a b.txt"],
  ])("keeps a df with %s as it is", async (_what, df) => {
    expect((await notify({ df, ev: "modify" })).status).toBe(202);
    const { events } = await page({ limit: "1" });
    expect(events[0]).toMatchObject({ df, ev: "modify" });
  });

  it.skipIf(onPostgres())("keeps a df with a NUL character, which PostgreSQL alone cannot store", async () => {
    expect((await notify({ df: "/a\0b", ev: "modify" })).status).toBe(202);
    expect((await page({ limit: "1" })).events[0]).toMatchObject({ df: "/a\0b" });
  });

  it("answers 400 for a df that is longer than any path, or no UTF-8", async () => {
    expect((await notify({ df: "x".repeat(32_768), ev: "modify" })).status).toBe(400);
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const raw = await fetch(`${app.url}/api/inotify/`, { method: "POST", headers, body: "df=%ff%fe&ev=modify" });
    expect(raw.status).toBe(400);
  });

  it("stores a burst from many senders whole, each once, in the order in which each of them sent", async () => {
    const senders = Array.from({ length: 20 }, (_, sender) => sender);
    await Promise.all(
      senders.map(async (sender) => {
        for (let i = 0; i < 25; i++) {
          const headers = { "X-Event-Id": `burst-${String(sender)}-${String(i)}` };
          for (let twice = 0; twice < 2; twice++)
            await notify({ df: `/burst/${String(sender)}/${String(i)}`, ev: "create" }, "/api/inotify/", headers);
        }
      }),
    );
    const { events, total } = await page({ path: "/burst", limit: "500" });
    expect(total).toBe(500);
    for (const sender of senders)
      expect(events.filter(({ df }) => df.startsWith(`/burst/${String(sender)}/`)).map(({ df }) => df)).toEqual(
        Array.from({ length: 25 }, (_, i) => `/burst/${String(sender)}/${String(24 - i)}`),
      );
  });
});

/** GET /console/api/file-events */
async function page(query: Record<string, string> = {}): Promise<FileEventPage> {
  const response = await fetch(`${app.url}/console/api/file-events?${String(new URLSearchParams(query))}`, {
    headers: { Authorization: `Bearer ${consoleToken}` },
  });
  return (await response.json()) as FileEventPage;
}

describe("GET /console/api/file-events", () => {
  const lines = ({ events }: FileEventPage) => events.map(({ df, ev }) => `${ev} ${df}`);
  beforeAll(async () => {
    for (const [ev, df] of [
      ["create", "/find/Report 100%.txt"],
      ["modify", "/find/Report 100%.txt"],
      ["create", "/find/report_1/a"],
      ["create", "/finder"],
      ["move", "/find"],
      ["delete", "/find/Report 100%.txt"],
      ["create", "D:\\find\\b"],
    ])
      await notify({ df: df ?? "", ev: ev ?? "" });
  });

  it("answers the newest first, by pages, with the number of all", async () => {
    const first = await page({ limit: "2", path: "/find" });
    expect(lines(first)).toEqual(["delete /find/Report 100%.txt", "move /find"]);
    const next = await page({ limit: "2", path: "/find", before: String(first.events.at(-1)?.id) });
    expect(lines(next)).toEqual(["create /find/report_1/a", "modify /find/Report 100%.txt"]);
    expect([first.total, next.total]).toEqual([5, 5]);
    expect(first.events[0]?.received_at).toBe(new Date(app.clock.now()).toISOString());
  });

  it("sorts by a member, page by page, and answers how many file events there are without the filter", async () => {
    const paths = async (query: Record<string, string>) =>
      (await page({ path: "/find", ...query })).events.map(({ df }) => df);
    expect(await paths({ sort: "df", limit: "2" })).toEqual(["/find", "/find/Report 100%.txt"]);
    expect(await paths({ sort: "df", limit: "2", offset: "4" })).toEqual(["/find/report_1/a"]);
    expect(await paths({ sort: "-received_at", limit: "1" })).toEqual(["/find/Report 100%.txt"]);
    expect((await page({ path: "/find" })).stored).toBeGreaterThan(5);
  });

  it("finds text anywhere in the path, with either case of letters, and takes no character for a wildcard", async () => {
    expect(lines(await page({ q: "report" })).length).toBe(4);
    expect(lines(await page({ q: "100%.t" })).length).toBe(3);
    expect(lines(await page({ q: "REPORT_" }))).toEqual(["create /find/report_1/a"]);
    expect((await page({ q: "nowhere to be found" })).events).toEqual([]);
  });

  it("shows the timeline of one file, and a folder with everything below it", async () => {
    const timeline = await page({ path: "/find/Report 100%.txt" });
    expect(timeline.events.map(({ ev }) => ev)).toEqual(["delete", "modify", "create"]);
    expect((await page({ path: "/find/" })).total).toBe(4);
    expect(lines(await page({ path: "D:\\find" }))).toEqual(["create D:\\find\\b"]);
    expect((await page({ path: "/" })).total).toBeGreaterThan(5);
  });

  it("counts by kind, also the kinds that ev leaves out", async () => {
    const { total, counts, events } = await page({ path: "/find", ev: "create" });
    expect(counts).toEqual({ create: 2, modify: 1, move: 1, delete: 1, attrib: 0 });
    expect([total, events.length]).toEqual([2, 2]);
  });

  it("shows the two notifications of a move as one event, found by both paths and counted once", async () => {
    const { stored } = await page();
    const send = (df: string, event: string, move: string) =>
      notify({ df, ev: "move" }, "/api/inotify/", { "X-Event-Id": event, "X-Move-Id": move });
    await send("/moves/old/a.txt", "move-1", "move-1");
    expect((await page({ path: "/moves" })).events).toEqual([]);
    for (let twice = 0; twice < 2; twice++) await send("/moves/new/b.txt", "move-2", "move-1");
    const moved = { df: "/moves/new/b.txt", ev: "move", moved_from: "/moves/old/a.txt" };
    for (const query of [
      { path: "/moves/old" },
      { path: "/moves/new/b.txt" },
      { q: "OLD/A.t" },
      { path: "/moves", ev: "move" },
    ]) {
      const { events, total, counts } = await page(query);
      expect([events, total, counts.move]).toEqual([[expect.objectContaining(moved)], 1, 1]);
    }
    expect((await page()).stored).toBe(stored + 1);
    expect(await storedEvents()).toContainEqual(expect.objectContaining(moved));
  });

  it("shows a move whose old path is not stored as one of the new path alone", async () => {
    await notify({ df: "/moves/late", ev: "move" }, "/api/inotify/", { "X-Event-Id": "late-2", "X-Move-Id": "late-1" });
    const [event] = (await page({ path: "/moves/late" })).events;
    expect(event).toMatchObject({ df: "/moves/late", ev: "move" });
    expect(event).not.toHaveProperty("moved_from");
  });

  it.each(["ev=explode", "before=0", "limit=0", "limit=501", "limit=x", "sort=id"])(
    "answers 400 for %s",
    async (query) => {
      const headers = { Authorization: `Bearer ${consoleToken}` };
      expect((await fetch(`${app.url}/console/api/file-events?${query}`, { headers })).status).toBe(400);
    },
  );

  it("keeps the newest 100,000", async () => {
    await using own = await startTestApp();
    const rows = (from: number) =>
      Array.from({ length: 5_000 }, (_, i) => ({
        event_id: null,
        df: `/f${String(from + i)}`,
        ev: "create" as const,
        received_at: 1,
      }));
    for (let from = 0; from < 105_000; from += 5_000)
      await own.db.insertInto("file_events").values(rows(from)).execute();
    await fetch(`${own.url}/api/inotify/`, { method: "POST", body: new URLSearchParams({ df: "/new", ev: "delete" }) });
    const reply = await fetch(`${own.url}/console/api/file-events?limit=1`, {
      headers: { Authorization: `Bearer ${consoleToken}` },
    });
    const { total, events } = (await reply.json()) as FileEventPage;
    expect([total, events[0]?.df]).toEqual([100_000, "/new"]);
  });
});
