import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StatusPackage } from "../../../server/contract/app/status-package.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const getArticles = (headers: Record<string, string> = {}) => fetch(`${app.url}/api/articles`, { headers });
const stepOf = (response: Response) => [response.status, response.headers.get("www-authenticate")];
const packageOf = async (response: Response) => ((await response.json()) as { status: StatusPackage }).status;

describe("the login path", () => {
  it("leads from 401 over getUserInfo and getPhoneNumber to 200", async () => {
    expect(stepOf(await getArticles())).toEqual([401, "Bearer"]);

    const created = await app.post(`${app.url}/api/sessions`, await app.sim("path", "login"));
    expect(created.status).toBe(201);
    const first = await packageOf(created);
    expect(first).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_in: expect.closeTo(7200, -1),
      uid: "",
      has_userinfo: false,
      has_phone: false,
    });
    const headers = bearer(first.access_token);
    expect(stepOf(await getArticles(headers))).toEqual([401, "getUserInfo"]);

    const userInfo = await app.post(`${app.url}/api/userinfos`, await app.sim("path", "user-info"), headers);
    expect(userInfo.status).toBe(201);
    expect(await packageOf(userInfo)).toMatchObject({ uid: "", has_userinfo: true, has_phone: false });
    expect(stepOf(await getArticles(headers))).toEqual([401, "getPhoneNumber"]);

    const phone = await app.post(`${app.url}/api/phonenumbers`, await app.sim("path", "phone-number"), headers);
    expect(phone.status).toBe(201);
    expect(await packageOf(phone)).toMatchObject({ uid: expect.stringMatching(/^u\d+$/), has_phone: true });

    const articles = await getArticles(headers);
    expect(articles.status).toBe(200);
    expect(await articles.json()).toEqual({
      status: expect.objectContaining({ access_token: first.access_token, has_phone: true }),
      data: [],
    });
  });

  it("takes the token from X-Access-Token too, and refuses one in the query with 400", async () => {
    const { Authorization = "" } = await app.loggedIn("header");
    const token = Authorization.replace("Bearer ", "");
    expect((await getArticles({ "X-Access-Token": token })).status).toBe(200);
    const refused = await fetch(`${app.url}/api/articles?access_token=${token}`);
    expect([refused.status, await refused.json()]).toEqual([400, expect.objectContaining({ code: "token_in_query" })]);
  });

  it("answers 401 Bearer for an unknown, an ended and an expired token", async () => {
    expect(stepOf(await getArticles(bearer("nonsense")))).toEqual([401, "Bearer"]);
    const headers = await app.loggedIn("ended");
    expect((await fetch(`${app.url}/api/sessions/current`, { method: "DELETE", headers })).status).toBe(204);
    expect(stepOf(await getArticles(headers))).toEqual([401, "Bearer"]);

    const later = await app.loggedIn("expired");
    app.clock.offsetMs += 7_200_001;
    expect(stepOf(await getArticles(later))).toEqual([401, "Bearer"]);
  });

  it("keeps an expired token for a day, and removes it at one of the next hundred logins", async () => {
    await using own = await startTestApp();
    const others = (count: number) =>
      own.db
        .insertInto("sessions")
        .values(
          Array.from({ length: count }, () => ({
            token_hash: randomUUID(),
            user_id: 1,
            created_at: own.clock.now(),
            expires_at: own.clock.now() + 30 * 86_400_000,
          })),
        )
        .execute();
    const kept = async () =>
      (await own.db.selectFrom("sessions").select("id").orderBy("id").execute()).map(({ id }) => id);
    await own.login("early");
    await others(98);
    own.clock.offsetMs += 7_200_000 + 86_400_000;
    await own.login("late");
    expect(await kept()).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    await others(99);
    own.clock.offsetMs += 1;
    await own.login("late");
    expect(await kept()).toEqual(Array.from({ length: 199 }, (_, index) => index + 2));
  });

  it("says in the reply to a logout that the token is worthless", async () => {
    const { Authorization = "" } = await app.loggedIn("leaving");
    const reply = await fetch(`${app.url}/api/sessions/current`, { method: "DELETE", headers: { Authorization } });
    const carried = Buffer.from(reply.headers.get("status-package") ?? "", "base64url").toString();
    expect([reply.status, JSON.parse(carried)]).toEqual([
      204,
      {
        access_token: Authorization.replace("Bearer ", ""),
        expires_in: 0,
        uid: "",
        has_userinfo: false,
        has_phone: false,
      },
    ]);
  });

  it("answers 401 for a code that was used before", async () => {
    const login = await app.sim("twice", "login");
    expect((await app.post(`${app.url}/api/sessions`, login)).status).toBe(201);
    expect(stepOf(await app.post(`${app.url}/api/sessions`, login))).toEqual([401, "Bearer"]);
  });

  it("answers 400 naming the field when the code is missing", async () => {
    const response = await app.post(`${app.url}/api/sessions`, {});
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ details: [expect.objectContaining({ field: "code" })] }),
    ]);
  });

  it("gives the phone number only by its own call", async () => {
    const headers = await app.loggedIn("phone");
    const response = await fetch(`${app.url}/api/phonenumbers/mine`, { headers });
    const { data } = (await response.json()) as { data: { phone_number: string } };
    expect(data.phone_number).toMatch(/^\d{6,15}$/);
    expect(await (await getArticles(headers)).text()).not.toContain(data.phone_number);
  });
});

describe("what the platform's client sends", () => {
  it("answers 400 naming errMsg when the user has refused, and stores nothing", async () => {
    const { access_token } = await app.login("refuser");
    const denied = await (await app.post(`${app.provider.url}/sim/users/refuser/user-info?deny`)).json();
    const response = await app.post(`${app.url}/api/userinfos`, denied, bearer(access_token));
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ details: [expect.objectContaining({ field: "errMsg" })] }),
    ]);
    expect(stepOf(await getArticles(bearer(access_token)))).toEqual([401, "getUserInfo"]);
  });

  it("answers 401 Bearer for raw data that was changed and for another user's, which no known key has signed", async () => {
    const { access_token } = await app.login("victim");
    const detail = (await app.sim("victim", "user-info")) as { rawData: string };
    const tampered = await app.post(
      `${app.url}/api/userinfos`,
      { ...detail, rawData: detail.rawData.replace(/\}$/, " }") },
      bearer(access_token),
    );
    expect([...stepOf(tampered), await tampered.json()]).toEqual([
      401,
      "Bearer",
      expect.objectContaining({ code: "open_data_invalid" }),
    ]);

    await app.login("other");
    const foreign = await app.post(
      `${app.url}/api/userinfos`,
      await app.sim("other", "user-info"),
      bearer(access_token),
    );
    expect(stepOf(foreign)).toEqual([401, "Bearer"]);
    expect(stepOf(await getArticles(bearer(access_token)))).toEqual([401, "getUserInfo"]);
  });

  it("answers 403 for another user's phone code, and stores nothing", async () => {
    const { access_token } = await app.login("phoneless");
    await app.post(`${app.url}/api/userinfos`, await app.sim("phoneless", "user-info"), bearer(access_token));
    await app.login("phoned");
    const foreign = await app.sim("phoned", "phone-number");
    const response = await app.post(`${app.url}/api/phonenumbers`, foreign, bearer(access_token));
    expect([response.status, await response.json()]).toEqual([403, expect.objectContaining({ code: "other_user" })]);
    expect(stepOf(await getArticles(bearer(access_token)))).toEqual([401, "getPhoneNumber"]);
  });

  it("answers 401 Bearer for encrypted data that no known key reads, and 400 when only its signature holds", async () => {
    const { access_token } = await app.login("muddled");
    const info = (await app.sim("muddled", "user-info")) as Record<string, string>;
    const broken = { encryptedData: Buffer.alloc(48, 7).toString("base64") };
    const proven = await app.post(`${app.url}/api/userinfos`, { ...info, ...broken }, bearer(access_token));
    expect([...stepOf(proven), await proven.json()]).toEqual([
      400,
      null,
      expect.objectContaining({ code: "open_data_invalid" }),
    ]);

    const { errMsg, iv } = (await app.sim("muddled", "phone-number")) as Record<string, string>;
    const unread = await app.post(`${app.url}/api/phonenumbers`, { errMsg, iv, ...broken }, bearer(access_token));
    expect([...stepOf(unread), await unread.json()]).toEqual([
      401,
      "Bearer",
      expect.objectContaining({ code: "open_data_invalid" }),
    ]);
  });

  it("takes the phone number from encrypted data as well as by code", async () => {
    const { access_token } = await app.login("oldway");
    const { errMsg, encryptedData, iv } = (await app.sim("oldway", "phone-number")) as Record<string, string>;
    const response = await app.post(`${app.url}/api/phonenumbers`, { errMsg, encryptedData, iv }, bearer(access_token));
    expect([response.status, (await packageOf(response)).has_phone]).toEqual([201, true]);
  });
});

describe("the settings of the protocol", () => {
  it("remove a step, and its field of the package, when its setting is off", async () => {
    await using lax = await startTestApp({ settings: { require_userinfo: false, phone_is_identity: false } });
    const status = await lax.login();
    expect(status).toEqual({
      access_token: expect.any(String),
      expires_in: expect.closeTo(7200, -1),
      uid: expect.stringMatching(/^u\d+$/),
    });
    expect((await fetch(`${lax.url}/api/articles`, { headers: bearer(status.access_token) })).status).toBe(200);
  });

  it("make an unreachable provider a 503 with Retry-After", async () => {
    await using alone = await startTestApp();
    const login = await alone.sim("alice", "login");
    await alone.provider.close();
    const response = await alone.post(`${alone.url}/api/sessions`, login);
    expect([response.status, Number(response.headers.get("retry-after"))]).toEqual([503, 5]);
  });

  it.each([
    ["jscode2session", 45011, [503, "provider_busy", "60"], /in a minute/],
    ["jscode2session", 45009, [503, "provider_busy", "3600"], /daily limit/],
    ["stable_token", 45009, [503, "provider_busy", "3600"], /daily limit/],
    ["jscode2session", 48001, [500, "identity_configuration", null], /refuses this server's call\./],
    ["stable_token", 40164, [500, "identity_configuration", null], /refuses this server's call\./],
    ["jscode2session", 40013, [500, "identity_configuration", null], /refuses this server's app id or secret\./],
  ])("tells when a refusal of the provider ends: %s with errcode %d", async (call, errcode, answer, message) => {
    await using own = await startTestApp();
    const params = { calls: [call], errcode };
    await own.post(`${own.provider.url}/sim/faults`, { kind: "identity_errcode", params });
    const response =
      call === "stable_token"
        ? await own.post(`${own.url}/api/phonenumbers`, await own.sim("zoe", "phone-number"), await own.loggedIn("zoe"))
        : await own.post(`${own.url}/api/sessions`, await own.sim("zoe", "login"));
    const { code, Message } = (await response.json()) as { code: string; Message: string };
    expect([response.status, code, response.headers.get("retry-after")]).toEqual(answer);
    expect(Message).toMatch(message);
  });

  it("name another provider for logins, and a wrong secret is hidden from the client", async () => {
    await using other = await startTestApp();
    const { app_id, app_secret } = other.provider.credentials;
    const named = { identity_base_url: other.provider.url, identity_app_id: app_id };
    await using right = await startTestApp({ settings: { ...named, identity_app_secret: app_secret } });
    const login = await other.sim("zoe", "login");
    expect((await right.post(`${right.url}/api/sessions`, login)).status).toBe(201);

    await using wrong = await startTestApp({ settings: { ...named, identity_app_secret: "wrong" } });
    const refused = await wrong.post(`${wrong.url}/api/sessions`, await other.sim("zoe", "login"));
    const text = await refused.text();
    expect([refused.status, (JSON.parse(text) as { code: string }).code]).toEqual([500, "identity_configuration"]);
    expect(text).not.toMatch(/wrong|appsecret|40125/);
  });
});
