/** Browsers that are logged in to the console: once per data directory, listed, and removed. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LoggedInBrowser } from "../../../server/contract/console/console-logins.ts";
import { KnownBrowsers } from "../../../server/app/console/known-browsers.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const dayMs = 24 * 60 * 60_000;

let app: TestApp;
beforeAll(async () => void (app = await startTestApp()));
afterAll(() => app[Symbol.asyncDispose]());

async function logIn(to = app, headers: Record<string, string> = {}) {
  const reply = await fetch(`${to.consoleUrl}/console/?token=${consoleToken}`, {
    headers: { "User-Agent": firefox, ...headers },
    redirect: "manual",
  });
  return { Cookie: reply.headers.get("set-cookie")?.split(";")[0] ?? "" };
}
const get = (path: string, headers: Record<string, string>, to = app) =>
  fetch(`${to.consoleUrl}/console/api${path}`, { headers });
const statusOf = async (headers: Record<string, string>, to = app) => (await get("/overview", headers, to)).status;
const list = async (headers: Record<string, string>, to = app) =>
  ((await (await get("/browsers", headers, to)).json()) as { browsers: LoggedInBrowser[] }).browsers;
const remove = (id: string, headers: Record<string, string>) =>
  fetch(`${app.consoleUrl}/console/api/browsers/${id}`, { method: "DELETE", headers });
const currentOf = async (headers: Record<string, string>) =>
  (await list(headers)).find(({ current }) => current)?.id ?? "";

describe("a browser", () => {
  it("stays logged in when Hearth is started again on the data directory, on another port too", async () => {
    using folder = temporaryFolder();
    let cookie = { Cookie: "" };
    for (const isFirst of [true, false]) {
      await using run = await startTestApp({ folder: folder.path, settings: { database_url: undefined } });
      if (isFirst) cookie = await logIn(run);
      expect(await statusOf(cookie, run)).toBe(200);
    }
    expect(await statusOf(cookie)).toBe(401);
  });

  it("is stored by the hash of its cookie alone", async () => {
    const { Cookie } = await logIn();
    const value = Cookie.split("=")[1] ?? "";
    expect(value).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(await app.db.selectFrom("console_browsers").selectAll().execute())).not.toContain(value);
  });

  it("is listed by system and program, with the times of its login and its last request", async () => {
    const [cookie, other] = [await logIn(), await logIn()];
    const browsers = await list(cookie);
    expect(browsers.filter(({ current }) => current)).toEqual([
      {
        id: expect.any(String),
        name: "Linux, Firefox",
        since: expect.stringMatching(/Z$/),
        seen_at: expect.stringMatching(/Z$/),
        current: true,
      },
    ]);
    expect(browsers.length).toBeGreaterThan(1);
    const ids = [await currentOf(cookie), await currentOf(other)];
    expect(new Set(ids).size).toBe(2);
    const byToken = await list({ Authorization: `Bearer ${consoleToken}` });
    expect(byToken.map(({ current }) => current)).not.toContain(true);
    expect(byToken.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  });

  it("that logs in again keeps its entry and gets a new cookie; the old one is worth nothing", async () => {
    const before = await logIn();
    const id = await currentOf(before);
    const after = await logIn(app, before);
    expect(after.Cookie).not.toBe(before.Cookie);
    expect(await currentOf(after)).toBe(id);
    expect(await statusOf(before)).toBe(401);
  });

  it("is told whether it is logged in, without a refusal", async () => {
    const known = async (headers: Record<string, string>) => (await get("/logins", headers)).json();
    expect(await known({})).toEqual({ known: false });
    expect(await known(await logIn())).toEqual({ known: true });
  });

  it("that is removed is refused, and its streams end; those of another one go on", async () => {
    const [gone, kept] = [await logIn(), await logIn()];
    const streams = await Promise.all([gone, kept].map((cookie) => get("/events/stream", cookie)));
    const [ofGone, ofKept] = streams.map((stream) => (stream.body as ReadableStream<Uint8Array>).getReader());
    const untilEnd = async (reader: typeof ofGone) => {
      while (!(await reader?.read())?.done);
    };
    const end = untilEnd(ofGone).catch(() => undefined);
    let isOver = false;
    void untilEnd(ofKept).then(
      () => (isOver = true),
      () => (isOver = true),
    );
    const id = await currentOf(gone);
    expect((await remove(id, kept)).status).toBe(204);
    await end;
    expect([await statusOf(gone), await statusOf(kept), isOver]).toEqual([401, 200, false]);
    const again = await remove(id, kept);
    expect([again.status, await again.json()]).toEqual([404, expect.objectContaining({ code: "not_found" })]);
  });

  it("can remove itself, and gets the answer to that", async () => {
    const cookie = await logIn();
    expect((await remove(await currentOf(cookie), cookie)).status).toBe(204);
    expect(await statusOf(cookie)).toBe(401);
  });
});

describe("logins", () => {
  const open = (now: () => number) =>
    KnownBrowsers.open({
      database: { db: app.db },
      now,
      onError: (error) => {
        throw error;
      },
    });

  it("end after 90 days, at the next one also in the database", async () => {
    let now = Date.now();
    const browsers = await open(() => now);
    const cookie = await browsers.logIn({ name: "old", maker: undefined });
    now += 90 * dayMs - 1;
    expect(browsers.find([cookie])).toMatchObject({ name: "old" });
    now += 1;
    expect(browsers.find([cookie])).toBeUndefined();
    await browsers.logIn({ name: "new", maker: undefined });
    expect((await browsers.list()).map(({ name }) => name)).toEqual(["new"]);
  });

  it("are 100 at most: the browser seen longest ago gives way", async () => {
    let now = Date.now() + 200 * dayMs;
    const browsers = await open(() => now++);
    for (let n = 0; n < 102; n++) await browsers.logIn({ name: `b${String(n)}`, maker: undefined });
    const names = (await browsers.list()).map(({ name }) => name);
    expect([names.length, names[0], names.at(-1)]).toEqual([100, "b101", "b2"]);
  });
});
