/** code2Session and the session key, as a server meets them. */
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider();
});
afterAll(() => provider[Symbol.asyncDispose]());

const refused = (errcode: number, core: string) => ({
  errcode,
  errmsg: expect.stringMatching(new RegExp(`^${core}, rid: [0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}$`)),
});

describe("GET /sns/jscode2session", () => {
  it("gives openid and session_key for a code, and no unionid before the user has consented", async () => {
    expect(await provider.session("fresh")).toEqual({
      openid: expect.stringMatching(/^o[\w-]{27}$/),
      session_key: expect.stringMatching(/^[A-Za-z0-9+/]{22}==$/),
      errcode: 0,
      errmsg: "ok",
    });
  });

  it("gives one openid per user, the same at each login and after a restart, and never another's", async () => {
    await using own = await startTestProvider();
    const first = await own.session("anna");
    expect((await own.session("berta")).openid).not.toBe(first.openid);
    await own.restart();
    expect(await own.session("anna")).toMatchObject({ openid: first.openid, session_key: first.session_key });
  });

  it("names what is missing before what is wrong, in the documented order", async () => {
    const code = await provider.login("order");
    const wrong = { appid: "wx0000000000000000", secret: "wrong", grant_type: "wrong" };
    expect(await provider.exchange("", { ...wrong, appid: "", secret: "" })).toEqual(refused(41002, "appid missing"));
    expect(await provider.exchange("", { ...wrong, secret: "" })).toEqual(refused(41004, "appsecret missing"));
    expect(await provider.exchange("", wrong)).toEqual(refused(41008, "missing code"));
    expect(await provider.exchange(code, wrong)).toEqual(refused(40002, "invalid grant_type"));
    const { appid, secret } = wrong;
    expect(await provider.exchange(code, { appid, secret })).toEqual(refused(40013, "invalid appid"));
    expect(await provider.exchange(code, { secret })).toEqual(refused(40125, "invalid appsecret"));
    expect(await provider.exchange(code)).toMatchObject({ errcode: 0 });
  });

  it("takes a code once: 40163 at the second time, one winner of ten at the same time", async () => {
    const code = await provider.login("once");
    expect(await provider.exchange(code)).toMatchObject({ errcode: 0 });
    expect(await provider.exchange(code)).toEqual(refused(40163, "code been used"));
    const raced = await provider.login("once");
    const answers = await Promise.all(Array.from({ length: 10 }, () => provider.exchange(raced)));
    expect(answers.map(({ errcode }) => errcode).toSorted()).toEqual([0, ...Array<number>(9).fill(40163)]);
  });

  it("answers 40029 for an unknown code, one of another app, a phone code and one older than five minutes", async () => {
    await using own = await startTestProvider();
    expect(await own.exchange("nonsense")).toEqual(refused(40029, "invalid code"));
    const foreign = await own.control("POST", "/users/other/login?app_id=wx1111111111111111");
    expect(await own.exchange(String(foreign["code"]))).toEqual(refused(40029, "invalid code"));
    const phone = await own.control("POST", "/users/other/phone-number");
    expect(await own.exchange(String(phone["code"]))).toEqual(refused(40029, "invalid code"));
    const [young, old] = [await own.login("old"), await own.login("old")];
    own.clock.offsetMs = 299_000;
    expect(await own.exchange(young)).toMatchObject({ errcode: 0 });
    own.clock.offsetMs = 300_001;
    expect(await own.exchange(old)).toEqual(refused(40029, "invalid code"));
  });

  it("answers 45011 above 100 calls of a user in a minute, before 40226 and 40163, and does not consume the code", async () => {
    await using own = await startTestProvider();
    const used = await own.login("busy");
    for (let i = 0; i < 100; i++) await own.exchange(used);
    const code = await own.login("busy");
    await own.control("PATCH", "/users/busy", { blocked: true });
    expect(await own.exchange(used)).toMatchObject({ errcode: 45011 });
    expect(await own.exchange(code)).toMatchObject({ errcode: 45011 });
    own.clock.offsetMs += 60_000;
    expect(await own.exchange(used)).toEqual(refused(40226, "code blocked"));
    await own.control("PATCH", "/users/busy", { blocked: false });
    expect(await own.exchange(code)).toMatchObject({ errcode: 0 });
  });

  it("answers a POST that the query is missing", async () => {
    const answer = await provider.call("/sns/jscode2session", {}, { method: "POST", body: "appid=x" });
    expect(answer).toEqual(refused(41002, "appid missing"));
  });

  it("labels its JSON as such", async () => {
    const query = { ...provider.app, js_code: await provider.login("labelled"), grant_type: "authorization_code" };
    const response = await fetch(`${provider.url}/sns/jscode2session?${String(new URLSearchParams(query))}`);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await response.json()).toMatchObject({ openid: expect.any(String) });
  });

  it("labels its JSON text/plain, and leaves the request id out, where the settings say so", async () => {
    await using own = await startTestProvider();
    await own.control("PATCH", "/settings", { content_type_text_plain: true, errmsg_rid: false });
    await own.restart();
    const query = { ...own.app, js_code: await own.login("plain"), grant_type: "authorization_code" };
    const response = await fetch(`${own.url}/sns/jscode2session?${String(new URLSearchParams(query))}`);
    expect(response.headers.get("content-type")).toContain("text/plain");
    expect(JSON.parse(await response.text())).toMatchObject({ openid: expect.any(String) });
    expect(await own.exchange("nonsense")).toEqual({ errcode: 40029, errmsg: "invalid code" });
  });
});

describe("unionid", () => {
  const told = async (name: string) => (await provider.session(name)).unionid;

  it("seed: is given once the user has consented to user info", async () => {
    await provider.session("consents");
    await provider.control("POST", "/users/consents/user-info?deny");
    expect(await told("consents")).toBeUndefined();
    await provider.control("POST", "/users/consents/user-info");
    expect(await told("consents")).toBe((await provider.user("consents")).unionid);
  });

  it.each([{ follows_account: true }, { uses_other_app: true }, { unionid_mode: "modern" }])(
    "is given without consent when %o",
    async (change) => {
      const name = Object.keys(change).join("");
      await provider.control("PATCH", `/users/${name}`, change);
      expect(await told(name)).toEqual(expect.stringMatching(/^o[\w-]{27}$/));
    },
  );

  it("unbound: is never given, even with consent", async () => {
    await provider.control("PATCH", "/users/unbound", { unionid_mode: "unbound", follows_account: true });
    await provider.control("POST", "/users/unbound/user-info");
    expect(await told("unbound")).toBeUndefined();
  });
});

describe("the session key", () => {
  const sign = (key: string) => createHmac("sha256", key).update("").digest("hex");
  const check = async (own: TestProvider, openid: string, key: string, path = "/wxa/checksession") =>
    own.call(path, { access_token: await own.accessToken(), openid, signature: sign(key), sig_method: "hmac_sha256" });

  it("stays the same over logins until it has not been used for its lifetime", async () => {
    await using own = await startTestProvider();
    await own.control("PATCH", "/settings", { session_key_ttl_seconds: 1_000 });
    const first = await own.session("keeper");
    own.clock.offsetMs += 900_000;
    await own.control("POST", "/users/keeper/user-info");
    own.clock.offsetMs += 900_000;
    expect((await own.session("keeper")).session_key).toBe(first.session_key);
    own.clock.offsetMs += 1_000_001;
    expect(await check(own, first.openid, first.session_key)).toMatchObject({ errcode: 87009 });
    expect((await own.session("keeper")).session_key).not.toBe(first.session_key);
  });

  it("is named by an id in the person's data, another after a rotation, and null once it has expired", async () => {
    await using own = await startTestProvider();
    const keyId = async () => (await own.control("GET", "/users/ida"))["session_key_id"];
    await own.session("ida");
    const first = await keyId();
    expect(first).toMatch(/^[0-9a-f]{8}$/);
    await own.session("ida");
    expect(await keyId()).toBe(first);
    await own.control("POST", "/users/ida/session-key-rotations");
    expect(await keyId()).not.toBe(first);
    own.clock.offsetMs = 4 * 24 * 3600 * 1000;
    expect(await keyId()).toBeNull();
  });

  it("is new at each login where the settings say so, and after a rotation", async () => {
    await using own = await startTestProvider();
    await own.control("PATCH", "/settings", { login_rotates_key: "always" });
    const first = await own.session("rotates");
    const second = await own.session("rotates");
    expect(second.session_key).not.toBe(first.session_key);
    await own.control("POST", "/users/rotates/session-key-rotations");
    expect(await check(own, second.openid, second.session_key)).toMatchObject({ errcode: 87009 });
  });

  it("is confirmed by checksession: 0 for the current one, 87009 for another, 40003 for an unknown openid", async () => {
    const { openid, session_key } = await provider.session("checked");
    expect(await check(provider, openid, session_key)).toEqual({ errcode: 0, errmsg: "ok" });
    expect(await check(provider, openid, "AAAAAAAAAAAAAAAAAAAAAA==")).toEqual(refused(87009, "invalid signature"));
    expect(await check(provider, "oNobody", session_key)).toEqual(refused(40003, "invalid openid"));
    const query = { access_token: await provider.accessToken(), openid, signature: sign(session_key) };
    expect(await provider.call("/wxa/checksession", query)).toMatchObject({ errcode: 87009 });
  });

  it("is replaced by resetusersessionkey, which answers the new one", async () => {
    const { openid, session_key } = await provider.session("resets");
    const reset = await check(provider, openid, session_key, "/wxa/resetusersessionkey");
    expect(reset).toEqual({ errcode: 0, errmsg: "ok", openid, session_key: expect.stringMatching(/==$/) });
    expect(await check(provider, openid, session_key)).toMatchObject({ errcode: 87009 });
    expect(await check(provider, openid, String(reset["session_key"]))).toMatchObject({ errcode: 0 });
  });
});
