import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { bearer, bodyOf, packageOf, send, stepOf, type Wire } from "./spec-client.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const simUser = async (name: string): Promise<Wire> => bodyOf(await fetch(`${app.provider.url}/sim/users/${name}`));
const changeUser = (name: string, change: object) => send(`${app.provider.url}/sim/users/${name}`, "PATCH", {}, change);
const storedUser = async (name: string) =>
  app.db
    .selectFrom("users")
    .selectAll()
    .where("openid", "=", (await simUser(name)).openid)
    .executeTakeFirstOrThrow();
const postSession = (body: unknown) => app.post(`${app.url}/api/sessions`, body);

/** What the provider answers to the exchange of a fresh code. */
async function codeToSession(user: string): Promise<Wire> {
  const { code } = (await app.sim(user, "login")) as { code: string };
  const { app_id, app_secret } = app.provider.credentials;
  const query = new URLSearchParams({
    appid: app_id,
    secret: app_secret,
    js_code: code,
    grant_type: "authorization_code",
  });
  return bodyOf(await fetch(`${app.provider.url}/sns/jscode2session?${query.toString()}`));
}

describe("Session result", () => {
  it("[Session result 1] session_key is in no reply and no header of a whole login", async () => {
    const login = await postSession(await app.sim("result-1", "login"));
    const headers = bearer((await packageOf(login))?.access_token ?? "");
    const replies = [
      login,
      await app.post(`${app.url}/api/userinfos`, await app.sim("result-1", "user-info"), headers),
      await app.post(`${app.url}/api/phonenumbers`, await app.sim("result-1", "phone-number"), headers),
      await send(`${app.url}/api/sessions/current`, "GET", headers),
      await send(`${app.url}/api/articles`, "GET", headers),
    ];
    const { session_key } = await storedUser("result-1");
    expect(session_key).toMatch(/./);
    for (const reply of replies) {
      expect(reply.ok).toBe(true);
      expect(JSON.stringify([...reply.headers]) + (await reply.text())).not.toContain(session_key);
    }
  });

  it("[Session result 2] openid is known after the login alone, though the user has allowed nothing", async () => {
    await app.login("result-2");
    expect(await simUser("result-2/settings")).toMatchObject({ userInfo: null, phoneNumber: null });
    expect((await storedUser("result-2")).openid).toBe((await simUser("result-2")).openid);
  });

  it("[Session result 3] a login works without unionid", async () => {
    expect(await codeToSession("result-3")).not.toHaveProperty("unionid");
    expect(await app.login("result-3")).toHaveProperty("access_token");
    expect((await storedUser("result-3")).unionid).toBeNull();
  });
});

describe("Union id", () => {
  it("[Union id 1] an app that is bound to no open platform never gets it, whatever the user allows", async () => {
    await changeUser("union-1", { unionid_mode: "unbound", follows_account: true });
    await changeUser("union-1/settings", { userInfo: true });
    expect(await codeToSession("union-1")).toEqual(expect.not.objectContaining({ unionid: expect.anything() }));
    await app.loggedIn("union-1");
    expect((await storedUser("union-1")).unionid).toBeNull();
  });

  it("[Union id 2] it comes after getUserInfo is allowed, or before that to who follows an account of the owner", async () => {
    const { unionid } = await simUser("union-2");
    expect(await codeToSession("union-2")).not.toHaveProperty("unionid");
    await app.sim("union-2", "user-info");
    expect(await codeToSession("union-2")).toMatchObject({ unionid });
    await changeUser("union-2-follower", { follows_account: true });
    expect(await codeToSession("union-2-follower")).toHaveProperty("unionid");
  });

  it("[Union id 3] what code2Session gave is stored at the login, before any other call", async () => {
    await app.login("union-3-follower");
    expect((await storedUser("union-3-follower")).unionid).toBeNull();
    await changeUser("union-3-follower", { follows_account: true });
    await app.login("union-3-follower");
    const { openid, unionid } = await simUser("union-3-follower");
    expect(await storedUser("union-3-follower")).toMatchObject({ openid, unionid, phone_number: null });
  });

  it("[Union id 3] what the three calls gave is stored: another session of the user has no step left", async () => {
    await app.loggedIn("union-3");
    const stored = await storedUser("union-3");
    const { openid, unionid, phone_number, nick_name } = await simUser("union-3");
    expect(stored).toMatchObject({ openid, unionid, phone_number, nick_name, session_key: expect.any(String) });
    const again = await app.login("union-3");
    expect(again).toMatchObject({ has_userinfo: true, has_phone: true });
    expect((await send(`${app.url}/api/articles`, "GET", bearer(again.access_token))).status).toBe(200);
  });
});

describe("Login-state protocol", () => {
  it("[Login-state protocol 1] the client login's code is what begins a session, and it works once", async () => {
    const login = (await app.sim("protocol-1", "login")) as { code: string };
    expect(login.code).toMatch(/./);
    expect((await postSession({ code: login.code })).status).toBe(201);
    expect(stepOf(await postSession({ code: login.code }))).toEqual([401, "Bearer"]);
    expect(stepOf(await postSession({ code: "invented" }))).toEqual([401, "Bearer"]);
  });

  it("[Login-state protocol 2] the server has redeemed the code at the provider and issues a token for that user", async () => {
    const { code } = (await app.sim("protocol-2", "login")) as { code: string };
    const status = await packageOf(await postSession({ code }));
    const { openid } = await simUser("protocol-2");
    const stored = await storedUser("protocol-2");
    expect([stored.openid, stored.session_key]).toEqual([openid, expect.stringMatching(/./)]);
    const current = await send(`${app.url}/api/sessions/current`, "GET", bearer(status?.access_token ?? ""));
    expect(current.status).toBe(200);
  });

  it("[Login-state protocol 3] the results of getUserInfo and getPhoneNumber complete the login", async () => {
    const { access_token } = await app.login("protocol-3");
    const headers = bearer(access_token);
    const articles = async () => (await send(`${app.url}/api/articles`, "GET", headers)).status;
    expect(await articles()).toBe(401);
    await app.post(`${app.url}/api/userinfos`, await app.sim("protocol-3", "user-info"), headers);
    expect(await articles()).toBe(401);
    await app.post(`${app.url}/api/phonenumbers`, await app.sim("protocol-3", "phone-number"), headers);
    expect(await articles()).toBe(200);
  });

  /** Sends a step's result with another errMsg: what is answered, and whether the step is still due. */
  async function withErrMsg(user: string, step: "user-info" | "phone-number", errMsg: string) {
    const { access_token } = await app.login(user);
    const detail = (await app.sim(user, step)) as object;
    const path = step === "user-info" ? "userinfos" : "phonenumbers";
    const reply = await app.post(`${app.url}/api/${path}`, { ...detail, errMsg }, bearer(access_token));
    const { has_userinfo, has_phone } = (await app.login(user)) as Wire;
    return [reply.status, step === "user-info" ? has_userinfo : has_phone];
  }

  it("[Login-state protocol 4] only getUserInfo:ok counts, letter for letter", async () => {
    // A unionid, which a login tells after consent, would do instead.
    await changeUser("protocol-4", { unionid_mode: "unbound" });
    for (const errMsg of ["getUserInfo:fail auth deny", "getPhoneNumber:ok", "getuserinfo:ok", "getUserInfo:ok ", ""])
      expect(await withErrMsg("protocol-4", "user-info", errMsg)).toEqual([400, false]);
    expect(await withErrMsg("protocol-4", "user-info", "getUserInfo:ok")).toEqual([201, true]);
  });

  it("[Login-state protocol 5] only getPhoneNumber:ok counts, letter for letter", async () => {
    for (const errMsg of ["getPhoneNumber:fail user deny", "getUserInfo:ok", "getphonenumber:ok", ""])
      expect(await withErrMsg("protocol-5", "phone-number", errMsg)).toEqual([400, false]);
    expect(await withErrMsg("protocol-5", "phone-number", "getPhoneNumber:ok")).toEqual([201, true]);
  });
});
