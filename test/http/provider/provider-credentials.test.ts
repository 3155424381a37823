/** The server credentials (access_token) and the phone number call, which needs one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider();
});
afterAll(() => provider[Symbol.asyncDispose]());

const issue = (own: TestProvider, changed: Record<string, string> = {}) =>
  own.call("/cgi-bin/token", { ...own.app, grant_type: "client_credential", ...changed });
const stable = (own: TestProvider, changed: Record<string, unknown> = {}) =>
  own.postJson("/cgi-bin/stable_token", {}, { ...own.app, grant_type: "client_credential", ...changed });
const errcodeWith = async (own: TestProvider, token: string) =>
  (await own.call("/wxa/checksession", { access_token: token, openid: "oNobody" }))["errcode"];
/** What a call with a good token gets: only its openid is wrong. */
const works = 40003;

describe("GET /cgi-bin/token", () => {
  it("gives a new token at each call; the old one works on for five minutes, then gets 40001", async () => {
    await using own = await startTestProvider();
    const first = await issue(own);
    expect(first).toEqual({ access_token: expect.stringMatching(/^[\w-]{64,512}$/), expires_in: 7200 });
    const second = await issue(own);
    expect(second["access_token"]).not.toBe(first["access_token"]);
    own.clock.offsetMs = 299_000;
    expect(await errcodeWith(own, String(first["access_token"]))).toBe(works);
    own.clock.offsetMs = 301_000;
    expect(await errcodeWith(own, String(first["access_token"]))).toBe(40001);
    expect(await errcodeWith(own, String(second["access_token"]))).toBe(works);
    own.clock.offsetMs = 7_201_000;
    expect(await errcodeWith(own, String(second["access_token"]))).toBe(42001);
  });

  it("names what is missing before what is wrong", async () => {
    const errcodes = [];
    for (const changed of [
      { appid: "", secret: "", grant_type: "x" },
      { secret: "", grant_type: "x" },
      { appid: "wx0", secret: "x", grant_type: "x" },
      { appid: "wx0", secret: "x" },
      { secret: "x" },
    ] as Record<string, string>[])
      errcodes.push((await issue(provider, changed))["errcode"]);
    expect(errcodes).toEqual([41002, 41004, 40002, 40013, 40125]);
  });
});

describe("POST /cgi-bin/stable_token", () => {
  it("gives the same token while it has more than five minutes left; near its end both work", async () => {
    await using own = await startTestProvider();
    const { access_token } = await stable(own);
    own.clock.offsetMs = 6_000_000;
    expect(await stable(own)).toMatchObject({ access_token, expires_in: expect.closeTo(1200, -1) });
    own.clock.offsetMs = 6_950_000;
    const next = await stable(own);
    expect(next).toMatchObject({ expires_in: 7200 });
    expect(next["access_token"]).not.toBe(access_token);
    expect(await errcodeWith(own, String(access_token))).toBe(works);
    expect(await errcodeWith(own, String(next["access_token"]))).toBe(works);
  });

  it("ends the old token at once when forced, every 30 seconds at most and 20 times a day", async () => {
    await using own = await startTestProvider();
    const { access_token: first } = await stable(own);
    const { access_token: second } = await stable(own, { force_refresh: true });
    expect(await errcodeWith(own, String(first))).toBe(40001);
    expect(await stable(own, { force_refresh: true })).toMatchObject({ access_token: second });
    const seen = new Set([second]);
    for (let i = 0; i < 25; i++) {
      own.clock.offsetMs += 31_000;
      seen.add((await stable(own, { force_refresh: true }))["access_token"]);
    }
    expect(seen.size).toBe(20);
  });

  it("leaves the tokens of the other route alone", async () => {
    await using own = await startTestProvider();
    const plain = await own.accessToken();
    await stable(own, { force_refresh: true });
    expect(await errcodeWith(own, plain)).toBe(works);
  });

  it("answers 43002 for GET, 44002 for an empty body, 47001 for one that is no JSON", async () => {
    expect(await provider.call("/cgi-bin/stable_token")).toMatchObject({ errcode: 43002 });
    const post = (body: string) => provider.call("/cgi-bin/stable_token", {}, { method: "POST", body });
    expect(await post("")).toMatchObject({ errcode: 44002 });
    expect(await post("appid=x")).toMatchObject({ errcode: 47001 });
    expect(await post("x".repeat(2_000_000))).toMatchObject({ errcode: 47001 });
  });
});

describe("POST /wxa/business/getuserphonenumber", () => {
  const phoneCode = async (own: TestProvider, name: string) =>
    String((await own.control("POST", `/users/${name}/phone-number`))["code"]);
  const ask = async (own: TestProvider, body: unknown, token?: string) =>
    own.postJson("/wxa/business/getuserphonenumber", { access_token: token ?? (await own.accessToken()) }, body);

  it("gives the number behind a code, once", async () => {
    const code = await phoneCode(provider, "caller");
    const { phone_number } = await provider.user("caller");
    expect(await ask(provider, { code })).toEqual({
      errcode: 0,
      errmsg: "ok",
      phone_info: {
        phoneNumber: phone_number,
        purePhoneNumber: phone_number,
        countryCode: "86",
        watermark: { timestamp: Math.floor(provider.clock.now() / 1000), appid: provider.app.appid },
      },
    });
    expect(await ask(provider, { code })).toMatchObject({ errcode: 40029 });
  });

  it("writes a number from abroad with its prefix, and the country code as a number where the settings say so", async () => {
    await using own = await startTestProvider();
    await own.control("PATCH", "/users/abroad", { country_code: "852", phone_number: "51234567" });
    await own.control("PATCH", "/settings", { country_code_number: true });
    const { phone_info } = await ask(own, { code: await phoneCode(own, "abroad") });
    expect(phone_info).toMatchObject({ phoneNumber: "+85251234567", purePhoneNumber: "51234567", countryCode: 852 });
  });

  it("answers 40029 for an unknown, an expired and a login code", async () => {
    await using own = await startTestProvider();
    expect(await ask(own, { code: "nonsense" })).toMatchObject({ errcode: 40029 });
    expect(await ask(own, {})).toMatchObject({ errcode: 40029 });
    expect(await ask(own, { code: await own.login("mixed") })).toMatchObject({ errcode: 40029 });
    const code = await phoneCode(own, "mixed");
    own.clock.offsetMs = 300_001;
    expect(await ask(own, { code })).toMatchObject({ errcode: 40029 });
  });

  it("answers 40003 for another user's openid and does not consume the code", async () => {
    const code = await phoneCode(provider, "mine");
    expect(await ask(provider, { code, openid: "oSomebodyElse" })).toMatchObject({ errcode: 40003 });
    const { openid } = await provider.user("mine");
    expect(await ask(provider, { code, openid })).toMatchObject({ errcode: 0 });
  });

  it("answers 41001, 40014 and 40001 for a token that is missing, malformed and unknown", async () => {
    expect(await ask(provider, {}, "")).toMatchObject({ errcode: 41001 });
    expect(await ask(provider, {}, "!")).toMatchObject({ errcode: 40014 });
    expect(await ask(provider, {}, "A".repeat(128))).toMatchObject({ errcode: 40001 });
  });
});

it("answers 404 with errcode 40066 for an address that the provider does not have", async () => {
  const response = await fetch(`${provider.url}/cgi-bin/nothing`);
  expect([response.status, await response.json()]).toEqual([404, expect.objectContaining({ errcode: 40066 })]);
});
