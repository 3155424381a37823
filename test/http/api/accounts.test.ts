import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";

let app: TestApp;
let alice: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp({ settings: { basic_auth: true } });
  alice = await app.loggedIn("alice");
  await app.post(`${app.url}/api/accounts`, { user: "alice", password: "correct horse" }, alice);
});
afterAll(() => app[Symbol.asyncDispose]());

const basic = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});
const me = (headers: Record<string, string>) => fetch(`${app.url}/api/accounts/me`, { headers });

describe("accounts", () => {
  it("never answer a password, in any form", async () => {
    const created = await app.post(
      `${app.url}/api/accounts`,
      { user: "bob", password: "battery staple" },
      await app.loggedIn("bob"),
    );
    const text = await created.text();
    expect(created.status).toBe(201);
    expect(text).toContain('"user":"bob"');
    expect(text).not.toMatch(/password|battery/);
    expect(await (await fetch(`${app.url}/api/accounts`, { headers: alice })).text()).not.toMatch(/password|correct/);
  });

  it("GET /api/accounts/me is kept to its caller by caches, refusals as well", async () => {
    for (const [status, headers] of [
      [200, basic("alice", "correct horse")],
      [401, {}],
      [403, basic("alice", "wrong")],
    ] as const) {
      const reply = await me(headers);
      expect([reply.status, reply.headers.get("cache-control")]).toEqual([status, "private, no-cache"]);
      expect(reply.headers.get("vary")?.split(", ")).toContain("Authorization");
    }
  });

  it("are seen by their owner only, and no two have the same user", async () => {
    const bob = await app.loggedIn("bob");
    const list = (await (await fetch(`${app.url}/api/accounts?user=alice`, { headers: bob })).json()) as {
      data: unknown[];
    };
    expect(list.data).toEqual([]);
    const mine = (await (await fetch(`${app.url}/api/accounts?user=alice`, { headers: alice })).json()) as {
      data: { id: number }[];
    };
    const address = `${app.url}/api/accounts/${String(mine.data[0]?.id)}`;
    expect((await fetch(address, { headers: alice })).status).toBe(200);
    expect((await fetch(address, { headers: bob })).status).toBe(403);
    const taken = await app.post(`${app.url}/api/accounts`, { user: "alice", password: "something else" }, bob);
    expect([taken.status, await taken.json()]).toEqual([
      400,
      expect.objectContaining({ code: "duplicate_value", details: [expect.objectContaining({ field: "user" })] }),
    ]);
  });
});

it("an account keeps its password when a patch does not name it, and gets a new one when it does", async () => {
  const carl = await app.loggedIn("carl");
  const created = await app.post(`${app.url}/api/accounts`, { user: "carl", password: "first password" }, carl);
  const address = new URL(created.headers.get("location") ?? "", app.url);
  const patch = async (body: object) => {
    const headers = { ...carl, "Content-Type": "application/merge-patch+json" };
    return (await fetch(address, { method: "PATCH", headers, body: JSON.stringify(body) })).status;
  };
  expect([await patch({}), await patch({ user: "charles" })]).toEqual([200, 200]);
  expect((await me(basic("charles", "first password"))).status).toBe(200);
  expect([await patch({ password: null }), await patch({ user: "two words" })]).toEqual([400, 400]);
  expect(await patch({ password: "second password" })).toBe(200);
  expect((await me(basic("charles", "second password"))).status).toBe(200);
  expect((await me(basic("charles", "first password"))).status).toBe(403);
});

describe("HTTP Basic", () => {
  it("GET /api/accounts/me answers the account, 401 with a realm without credentials, 403 for a wrong user or password", async () => {
    expect(await (await me(basic("alice", "correct horse"))).json()).toMatchObject({ user: "alice" });
    const without = await me({});
    expect([without.status, without.headers.get("www-authenticate")]).toEqual([401, 'Basic realm="Hearth"']);
    expect((await me(basic("alice", "wrong"))).status).toBe(403);
    expect((await me(basic("nobody", "correct horse"))).status).toBe(403);
    expect((await me({ Authorization: "Basic !!!" })).status).toBe(400);
  });

  it("POST /api/sessions gives the account's user a session instead of a code", async () => {
    const response = await app.post(`${app.url}/api/sessions`, {}, basic("alice", "correct horse"));
    expect(response.status).toBe(201);
    const { status } = (await response.json()) as { status: { access_token: string } };
    expect(
      (await fetch(`${app.url}/api/articles`, { headers: { Authorization: `Bearer ${status.access_token}` } })).status,
    ).toBe(200);
  });

  it("POST /api/sessions answers 403 for an account whose user is not there", async () => {
    await using fresh = await startTestApp({ settings: { basic_auth: true } });
    const ofConsole = { Authorization: `Bearer ${consoleToken}`, "Content-Type": "application/json" };
    const data = await fetch(`${app.url}/console/api/data?secrets=include`, { headers: ofConsole });
    const init = { method: "PUT", headers: ofConsole, body: await data.text() };
    expect((await fetch(`${fresh.url}/console/api/data`, init)).status).toBe(200);
    const refused = await fresh.post(`${fresh.url}/api/sessions`, {}, basic("alice", "correct horse"));
    expect([refused.status, await refused.json()]).toEqual([403, expect.objectContaining({ code: "unknown_user" })]);
    expect((await fresh.post(`${fresh.url}/api/sessions`, {}, basic("alice", "wrong"))).status).toBe(403);
  });

  it("counts as no token elsewhere, and everywhere while the setting is off", async () => {
    const elsewhere = await fetch(`${app.url}/api/articles`, { headers: basic("alice", "correct horse") });
    expect([elsewhere.status, elsewhere.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    await using off = await startTestApp();
    const refused = await off.post(`${off.url}/api/sessions`, {}, basic("alice", "correct horse"));
    expect([refused.status, await refused.json()]).toEqual([
      400,
      expect.objectContaining({ details: [expect.objectContaining({ field: "code" })] }),
    ]);
  });
});
