import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConsoleSession, ConsoleUser, UserPage } from "../../../server/contract/console/console-users.ts";
import { callConsole } from "../../support/app/control-calls.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const consoleCall = (method: string, path: string, body?: unknown) => callConsole(app, method, path, body);
const list = async (query = "") => (await (await consoleCall("GET", `/users?${query}`)).json()) as UserPage;
const userNamed = async (person: string): Promise<ConsoleUser> => {
  const [user] = (await list(`q=${person}`)).users;
  if (!user) throw new Error(`nobody is called ${person}`);
  return user;
};
const sessionOf = async (person: string): Promise<ConsoleSession> => {
  const session = (await userNamed(person)).newest_session;
  if (!session) throw new Error(`${person} has no session`);
  return session;
};
/** What the client's next call is answered. */
async function nextCall(headers: Record<string, string>) {
  const { status, headers: got } = await fetch(`${app.url}/api/articles`, { headers });
  return [status, got.get("www-authenticate")];
}

describe("the console's users", () => {
  it("are listed with their sessions and with the answer to the next call of each", async () => {
    const nora = await app.loggedIn("nora");
    await app.login("olaf");
    const [olaf, known] = (await list()).users;
    expect([olaf?.person, olaf?.newest_session?.next_step, olaf?.has_userinfo]).toEqual(["olaf", "getUserInfo", false]);
    expect(known).toMatchObject({ person: "nora", nick_name: "nora", has_userinfo: true, has_phone: true });
    expect(known?.newest_session).not.toHaveProperty("next_step");
    expect(await nextCall(nora)).toEqual([200, null]);
    const { now, total } = await list();
    expect(total).toBe(2);
    expect(Date.parse(known?.newest_session?.expires_at ?? "") - Date.parse(now)).toBe(7_200_000);
  });

  it("are found by uid, nickname and the simulated person's name, and come page by page", async () => {
    const nora = await userNamed("nora");
    expect((await list(`q=${nora.uid}`)).users.map(({ person }) => person)).toEqual(["nora"]);
    expect((await list("q=OLA")).users.map(({ person }) => person)).toEqual(["olaf"]);
    for (const q of ["nobody", "%25", "nora%25", "%00"]) expect((await list(`q=${q}`)).users, q).toEqual([]);
    const { matched, total } = await list("q=OLA&limit=1");
    expect([matched, total]).toEqual([1, 2]);
    const first = await list("limit=1");
    expect([first.users.length, first.has_more]).toEqual([1, true]);
    const rest = await list(`before=${String(first.users[0]?.id)}`);
    expect([rest.users.map(({ person }) => person), rest.has_more]).toEqual([["nora"], false]);
  });

  it("are asked for the phone number once the unionid is known, though user info is not", async () => {
    await fetch(`${app.provider.url}/sim/users/tess`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ follows_account: true }),
    });
    await app.login("tess");
    const step = { next_step: "getPhoneNumber" };
    expect(await userNamed("tess")).toMatchObject({ has_userinfo: false, has_unionid: true, newest_session: step });
  });

  it("carry no secret of theirs: neither token nor openid, union id, session key or phone number", async () => {
    const { Authorization = "" } = await app.loggedIn("nora");
    const { id } = await userNamed("nora");
    const row = await app.db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const text = await (await consoleCall("GET", `/users/${String(id)}`)).text();
    expect(text).toContain('"person":"nora"');
    const secrets = [row.openid, row.unionid, row.session_key, row.phone_number, Authorization.slice("Bearer ".length)];
    expect(secrets.filter((secret) => secret === null || secret === "" || text.includes(secret))).toEqual([]);
  });
});

describe("a session that the console", () => {
  it("lets expire is answered 401 Bearer, and works again when it is given time", async () => {
    const headers = await app.loggedIn("paul");
    const { id } = await sessionOf("paul");
    const expired = await consoleCall("PATCH", `/sessions/${String(id)}`, { expires_in: 0 });
    expect([expired.status, await expired.json()]).toEqual([200, expect.objectContaining({ id, next_step: "Bearer" })]);
    expect(await nextCall(headers)).toEqual([401, "Bearer"]);
    expect(await userNamed("paul")).toMatchObject({ session_count: 0, newest_session: { id, next_step: "Bearer" } });

    await consoleCall("PATCH", `/sessions/${String(id)}`, { expires_in: 60 });
    expect(await nextCall(headers)).toEqual([200, null]);
    app.clock.offsetMs += 60_000;
    expect(await nextCall(headers)).toEqual([401, "Bearer"]);
  });

  it("gives time to goes on, though it was over since the clock was put back", async () => {
    app.clock.offsetMs += 36_000_000;
    const headers = await app.loggedIn("zoe");
    app.clock.offsetMs -= 36_000_000;
    expect(await nextCall(headers)).toEqual([401, "Bearer"]);
    const { session_count, newest_session } = await userNamed("zoe");
    expect([session_count, newest_session?.next_step]).toEqual([0, "Bearer"]);
    await consoleCall("PATCH", `/sessions/${String(newest_session?.id)}`, { expires_in: 60 });
    expect(await nextCall(headers)).toEqual([200, null]);
    app.clock.offsetMs += 60_000;
    expect(await nextCall(headers)).toEqual([401, "Bearer"]);
  });

  it("revokes is answered 401 Bearer for good; the user's other sessions go on", async () => {
    const [first, second] = [await app.loggedIn("quin"), await app.loggedIn("quin")];
    const { id } = await sessionOf("quin");
    expect((await consoleCall("DELETE", `/sessions/${String(id)}`)).status).toBe(204);
    expect([await nextCall(first), await nextCall(second)]).toEqual([
      [200, null],
      [401, "Bearer"],
    ]);
    expect((await consoleCall("PATCH", `/sessions/${String(id)}`, { expires_in: 60 })).status).toBe(404);
  });
});

describe("a user whose data the console deletes", () => {
  it("is asked for the phone number by the next call, and is a user without phone until then", async () => {
    const headers = await app.loggedIn("rosa");
    const { id } = await userNamed("rosa");
    expect((await consoleCall("DELETE", `/users/${String(id)}/phonenumber`)).status).toBe(204);
    expect(await userNamed("rosa")).toMatchObject({
      has_phone: false,
      newest_session: { next_step: "getPhoneNumber" },
    });
    expect(await nextCall(headers)).toEqual([401, "getPhoneNumber"]);
    await app.post(`${app.url}/api/phonenumbers`, await app.sim("rosa", "phone-number"), headers);
    expect(await nextCall(headers)).toEqual([200, null]);
  });

  it("is asked for user info by the next call, and the union id is gone", async () => {
    const headers = await app.loggedIn("saul");
    const { id } = await userNamed("saul");
    expect((await consoleCall("DELETE", `/users/${String(id)}/userinfo`)).status).toBe(204);
    expect(await userNamed("saul")).toMatchObject({ has_userinfo: false, has_unionid: false, has_phone: true });
    expect(await nextCall(headers)).toEqual([401, "getUserInfo"]);
  });
});

describe("what the console does to sessions and users", () => {
  it("is reported by events", async () => {
    const { events } = (await (await consoleCall("GET", "/events?limit=100")).json()) as {
      events: { type: string; data: unknown }[];
    };
    expect(events.map(({ type, data }) => [type, data])).toEqual(
      expect.arrayContaining([
        ["session.changed", expect.objectContaining({ expires_in: 0 })],
        ["session.ended", expect.anything()],
        ["user.updated", expect.objectContaining({ field: "userinfo" })],
      ]),
    );
  });

  it("is answered 404 for an unknown user, and 400 with the field for an invalid time", async () => {
    const answers = await Promise.all([
      consoleCall("GET", "/users/999"),
      consoleCall("DELETE", "/users/999/phonenumber"),
      consoleCall("DELETE", "/sessions/999"),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    const refused = await consoleCall("PATCH", "/sessions/1", { expires_in: -1 });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("expires_in")]);
  });
});
