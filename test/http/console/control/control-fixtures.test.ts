import { cp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Fixture } from "../../../../server/contract/console/control/control.ts";
import type { ProviderState } from "../../../../server/contract/provider/provider-state.ts";
import { callConsole, controlCalls, json, smallPng } from "../../../support/app/control-calls.ts";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";

let app: TestApp;
const { control, reset, count, upload, blobs } = controlCalls(() => app);

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

describe("fixtures", () => {
  let alice: Record<string, string>;
  let article: number;
  let file: number;
  beforeEach(async () => {
    await control("POST", "/resets", {});
    alice = await app.loggedIn("alice");
    ({ id: article } = (
      await json<{ data: { id: number } }>(app.post(`${app.url}/api/articles`, { title: "图" }, alice))
    ).data);
    file = await upload(alice);
  });
  const titles = async () =>
    (await json<{ data: { title: string }[] }>(fetch(`${app.url}/api/articles`, { headers: alice }))).data.map(
      ({ title }) => title,
    );

  it("bring back users, sessions, records and uploads with their contents", async () => {
    const saved = await control("PUT", "/fixtures/one-article", {});
    expect([saved.status, await json<Fixture>(saved)]).toMatchObject([
      200,
      {
        name: "one-article",
        parts: ["users", "sessions", "records", "uploads", "orders", "provider"],
        rows: { users: 1, sessions: 1, records: 1, uploads: 1, orders: 0, provider: 1 },
      },
    ]);
    await app.post(`${app.url}/api/articles`, { title: "another" }, alice);
    await control("POST", "/resets", {});
    expect(await blobs()).toEqual([]);
    await app.loggedIn("mallory");
    expect((await control("POST", "/fixtures/one-article/loads")).status).toBe(200);

    expect(await titles()).toEqual(["图"]);
    const content = await fetch(`${app.url}/api/uploads/${String(file)}/content`, { headers: alice });
    expect(Buffer.from(await content.arrayBuffer()).equals(smallPng)).toBe(true);
    expect(await count("users")).toBe(1);
    const next = await json<{ data: { id: number } }>(app.post(`${app.url}/api/articles`, { title: "next" }, alice));
    expect(next.data.id).toBe(article + 1);
    const again = await app.login("alice");
    expect([again.uid, again.has_phone]).toEqual(["u1", true]);
  });

  it("keep a token alive for as long as it had left, however long ago it was saved", async () => {
    await control("PUT", "/fixtures/old", {});
    await control("PUT", "/clock", { advance_ms: 30 * 24 * 3_600_000 });
    expect((await fetch(`${app.url}/api/articles`, { headers: alice })).status).toBe(401);
    await control("POST", "/fixtures/old/loads");
    const { status } = await json<{ status: { expires_in: number } }>(
      fetch(`${app.url}/api/articles`, { headers: alice }),
    );
    expect(status.expires_in).toBeGreaterThan(7000);
    await control("DELETE", "/clock");
  });

  it("bring back the people of the simulator, what they allow, and its settings", async () => {
    const sim = (method: string, path: string, body?: object) =>
      json<Record<string, unknown>>(
        fetch(`${app.provider.url}/sim${path}`, {
          method,
          ...(body && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
        }),
      );
    await sim("PATCH", "/users/alice", { phone_number: "13900000000", follows_account: true });
    await sim("PATCH", "/users/alice/settings", { location: false });
    await sim("PATCH", "/settings", { session_key_ttl_seconds: 77 });
    const before = await Promise.all(["/users", "/users/alice/settings", "/settings"].map((path) => sim("GET", path)));
    await control("PUT", "/fixtures/people", {});
    await reset("provider");
    await app.sim("mallory", "login");
    expect((await control("POST", "/fixtures/people/loads")).status).toBe(200);
    const after = await Promise.all(["/users", "/users/alice/settings", "/settings"].map((path) => sim("GET", path)));
    expect(after).toEqual(before);
    // What the simulator encrypts for alice is still under the key that the application server has of her.
    const change = await app.post(`${app.url}/api/userinfos`, await app.sim("alice", "user-info"), alice);
    expect(change.status).toBe(201);
  });

  it("leave the simulator as it was when the rest cannot be loaded, and the rest when the simulator refuses", async () => {
    const people = async () => json(fetch(`${app.provider.url}/sim/users`));
    const folder = join(app.folder, "fixtures");
    await control("PUT", "/fixtures/half", {});
    await app.sim("bob", "login");
    const before = await people();
    const data = await readFile(join(folder, "half", "data.json"), "utf8");
    await writeFile(join(folder, "half", "data.json"), data.replace('"data":', '"contents":'));
    expect((await control("POST", "/fixtures/half/loads")).status).toBe(409);
    expect(await people()).toEqual(before);

    const path = join(folder, "other", "provider.json");
    const edit = async (change: (state: ProviderState) => void) => {
      await control("PUT", "/fixtures/other", { parts: ["records", "provider"] });
      await app.post(`${app.url}/api/articles`, { title: "after" }, alice);
      const state = JSON.parse(await readFile(path, "utf8")) as ProviderState;
      change(state);
      await writeFile(path, JSON.stringify(state));
      const titlesBefore = await titles();
      const response = await control("POST", "/fixtures/other/loads");
      expect([response.status, await people(), await titles()]).toEqual([409, before, titlesBefore]);
      return ((await response.json()) as { Message: string }).Message;
    };
    const users = (state: ProviderState) => state.parts["identity"]?.["sim_users"]?.rows ?? [];
    expect(await edit((state) => Object.assign(users(state)[0] ?? {}, { phone_number: "x" }))).toContain(
      "identity.sim_users.0.phone_number: use 5 to 20 digits",
    );
    expect(await edit((state) => void users(state).push(...users(state)))).toMatch(/unique/i);
    expect(await edit((state) => Object.assign(state.parts, { nothing: {} }))).toContain("nothing: ");
    expect(await edit((state) => Object.assign(state, { format: "other" }))).toContain("format");
    await writeFile(path, "{");
    expect((await control("POST", "/fixtures/other/loads")).status).toBe(409);
  });

  it("are listed, replaced and removed, and can be copied to another server", async () => {
    expect((await control("PUT", "/fixtures/a", { parts: ["records"] })).status).toBe(200);
    await app.post(`${app.url}/api/articles`, { title: "two" }, alice);
    await control("PUT", "/fixtures/a", {});
    const list = await json<{ folder: string; fixtures: Fixture[] }>(control("GET", "/fixtures"));
    expect(list.fixtures).toContainEqual(
      expect.objectContaining({
        name: "a",
        rows: { users: 1, sessions: 1, records: 2, uploads: 1, orders: 0, provider: 1 },
      }),
    );
    expect(await json(control("GET", "/fixtures/a"))).toMatchObject({ name: "a" });
    expect((await readdir(list.folder)).filter((name) => name.startsWith("."))).toEqual([]);

    await using other = await startTestApp();
    await cp(join(list.folder, "a"), join(other.folder, "fixtures", "copy"), { recursive: true });
    expect((await callConsole(other, "POST", "/fixtures/copy/loads")).status).toBe(200);
    const copied = await fetch(`${other.url}/api/articles`, { headers: alice });
    expect(((await copied.json()) as { data: unknown[] }).data).toHaveLength(2);
    const content = await fetch(`${other.url}/api/uploads/${String(file)}/content`, { headers: alice });
    expect(content.status).toBe(200);

    expect((await control("DELETE", "/fixtures/a")).status).toBe(204);
    for (const response of [
      await control("DELETE", "/fixtures/a"),
      await control("GET", "/fixtures/a"),
      await control("POST", "/fixtures/a/loads"),
    ])
      expect(response.status).toBe(404);
  });

  it("may be of some parts only, and leave the others as they are", async () => {
    await control("PUT", "/fixtures/records", { parts: ["records"] });
    await app.post(`${app.url}/api/articles`, { title: "two" }, alice);
    const second = await upload(alice, "second.png");
    await control("POST", "/fixtures/records/loads");
    expect(await titles()).toEqual(["图"]);
    const content = await fetch(`${app.url}/api/uploads/${String(second)}`, { headers: alice });
    expect(content.status).toBe(200);
  });

  it("of some parts give no new user the id of another one whose items are still there", async () => {
    await control("PUT", "/fixtures/people", { parts: ["users", "sessions"] });
    const made = await app.post(`${app.url}/api/articles`, { title: "his", private: true }, await app.loggedIn("bob"));
    await control("POST", "/fixtures/people/loads");
    const carol = await app.loggedIn("carol");
    const his = await fetch(app.url + (made.headers.get("location") ?? ""), { headers: carol });
    expect([his.status, await json<object>(his)]).toMatchObject([403, { code: "private" }]);
  });

  it("that are damaged or of another version are answered 409, and change nothing", async () => {
    const folder = join(app.folder, "fixtures");
    const load = async (name: string) => {
      const response = await control("POST", `/fixtures/${name}/loads`);
      expect([response.status, await titles(), await count("uploads")]).toEqual([409, ["图"], 1]);
      return ((await response.json()) as { Message: string }).Message;
    };
    const change = async (name: string, edit: (data: string) => string) => {
      await control("PUT", `/fixtures/${name}`, {});
      const path = join(folder, name, "data.json");
      await writeFile(path, edit(await readFile(path, "utf8")));
      return load(name);
    };
    expect(await change("torn", (data) => data.slice(0, -20))).toMatch(/torn cannot be loaded.*data\.json/);
    expect(await change("newer", (data) => data.replace('"data":', '"contents":'))).toMatch(/no column contents/);
    expect(await change("older", (data) => data.replaceAll('"owner_id":1,', ""))).toMatch(/another version/);
    expect(await change("alien", (data) => data.replace('"table":"records"', '"table":"events"'))).toMatch(
      /no table events/,
    );
    expect(await change("lost", (data) => data.replace(/"sha256":"\w{64}"/, `"sha256":"${"0".repeat(64)}"`))).toMatch(
      /content 0+ is missing/,
    );
    await control("PUT", "/fixtures/swapped", {});
    const [blob = ""] = await readdir(join(folder, "swapped", "blobs"));
    await writeFile(join(folder, "swapped", "blobs", blob), "other bytes");
    await reset("uploads");
    const response = await control("POST", "/fixtures/swapped/loads");
    expect([response.status, await count("uploads"), await blobs()]).toEqual([409, 0, []]);
  });

  it("are saved and loaded although a content is not there any more", async () => {
    const [{ name: sha256 } = { name: "" }] = await blobs();
    await rm(join(app.folder, "uploads", sha256.slice(0, 2), sha256));
    expect((await control("PUT", "/fixtures/without-content", {})).status).toBe(200);
    await reset("uploads");
    expect((await control("POST", "/fixtures/without-content/loads")).status).toBe(200);
    const content = await fetch(`${app.url}/api/uploads/${String(file)}/content`, { headers: alice });
    expect([content.status, await content.json()]).toMatchObject([404, { code: "content_lost" }]);
  });

  it("answer no secret, and only their owner may read them", async () => {
    const response = await control("PUT", "/fixtures/secret", {});
    const { openid, session_key } = await app.db.selectFrom("users").selectAll().executeTakeFirstOrThrow();
    const text = (await response.text()) + (await (await control("GET", "/fixtures")).text());
    expect(text).not.toContain(openid);
    expect(text).not.toContain(session_key);
    if (process.platform !== "win32")
      expect((await stat(join(app.folder, "fixtures", "secret", "data.json"))).mode & 0o077).toBe(0);
  });

  it.each([
    ["..", {}],
    [".hidden", {}],
    ["a%2Fb", {}],
    ["x".repeat(65), {}],
    ["ok", { parts: ["events"] }],
    ["ok", { parts: ["sessions"] }],
    ["ok", { parts: ["users", "records"] }],
    ["ok", { part: [] }],
  ])("called %s with %j are refused", async (name, body) => {
    const response = await control("PUT", `/fixtures/${name}`, body);
    expect([400, 404, 405]).toContain(response.status);
    expect((await control("GET", "/fixtures/ok")).status).toBe(404);
  });

  it("report a load by an event", async () => {
    await control("PUT", "/fixtures/told", {});
    await control("POST", "/fixtures/told/loads");
    await expect
      .poll(async () => json(control("GET", "/events?limit=1")))
      .toMatchObject({ events: [{ type: "fixture.loaded", subject: "told", data: { name: "told" } }] });
  });
});
