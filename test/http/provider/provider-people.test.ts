/** The control routes: a client simulator or a test acts as the platform's client. */
import { createDecipheriv, createHash } from "node:crypto";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider();
});
afterAll(() => provider[Symbol.asyncDispose]());

const post = (path: string) => provider.control("POST", `/users/${path}`);

function decrypt({ encryptedData, iv }: Record<string, unknown>, key: string): unknown {
  const decipher = createDecipheriv("aes-128-cbc", Buffer.from(key, "base64"), Buffer.from(String(iv), "base64"));
  const plain = [decipher.update(Buffer.from(String(encryptedData), "base64")), decipher.final()];
  return JSON.parse(Buffer.concat(plain).toString("utf8"));
}

describe.each([
  ["user-info", "getUserInfo:ok", "getUserInfo:fail auth deny"],
  ["phone-number", "getPhoneNumber:ok", "getPhoneNumber:fail user deny"],
])("POST /sim/users/{name}/%s", (step, ok, denied) => {
  it("prompts at the first time, and not again after consent, when a refusal is no longer possible", async () => {
    expect(await post(`first-${step}/${step}`)).toMatchObject({ prompted: true, errMsg: ok });
    expect(await post(`first-${step}/${step}`)).toMatchObject({ prompted: false, errMsg: ok });
    expect(await post(`first-${step}/${step}?deny`)).toMatchObject({ prompted: false, errMsg: ok });
  });

  it("prompts again after a rejection, which carries no data", async () => {
    expect(await post(`never-${step}/${step}?deny`)).toEqual({ prompted: true, errMsg: denied });
    expect(await post(`never-${step}/${step}?deny`)).toEqual({ prompted: true, errMsg: denied });
    expect(await post(`never-${step}/${step}`)).toMatchObject({ prompted: true, errMsg: ok });
    expect(await post(`never-${step}/${step}`)).toMatchObject({ prompted: false, errMsg: ok });
  });
});

describe("the data for the platform's client", () => {
  it("user info: raw data with its signature, and the same encrypted with the ids and a watermark", async () => {
    const { session_key, openid } = await provider.session("zoe");
    await provider.control("PATCH", "/users/zoe", {
      nick_name: "佐伊 🙂",
      avatar_url: "https://example.invalid/z.png",
    });
    const detail = await post("zoe/user-info");
    const userInfo = {
      nickName: "佐伊 🙂",
      gender: 0,
      language: "zh_CN",
      city: "",
      province: "",
      country: "",
      avatarUrl: "https://example.invalid/z.png",
    };
    expect(detail["userInfo"]).toEqual(userInfo);
    expect(detail["rawData"]).toBe(JSON.stringify(userInfo));
    const sha1 = createHash("sha1")
      .update(`${String(detail["rawData"])}${session_key}`)
      .digest("hex");
    expect(detail["signature"]).toBe(sha1);
    expect(decrypt(detail, session_key)).toEqual({
      openId: openid,
      ...userInfo,
      unionId: (await provider.user("zoe")).unionid,
      watermark: { timestamp: Math.floor(provider.clock.now() / 1000), appid: provider.app.appid },
    });
  });

  it("profile of getUserProfile: asks each time, keeps no consent, and has no ids in its encrypted data", async () => {
    const { session_key } = await provider.session("pia");
    for (let times = 0; times < 2; times++) {
      const detail = await post("pia/user-info?profile");
      expect(detail).toMatchObject({ prompted: true, errMsg: "getUserProfile:ok", userInfo: { nickName: "pia" } });
      const plain = decrypt(detail, session_key);
      expect(plain).toMatchObject({ nickName: "pia", watermark: { appid: provider.app.appid } });
      for (const id of ["openId", "unionId"]) expect(plain).not.toHaveProperty(id);
    }
    const refused = { prompted: true, errMsg: "getUserProfile:fail auth deny" };
    expect(await post("pia/user-info?profile&deny")).toEqual(refused);
    expect(await provider.control("GET", "/users/pia/settings")).toMatchObject({ userInfo: null });
  });

  it("phone number: a code, and the number encrypted", async () => {
    const { session_key } = await provider.session("phil");
    await provider.control("PATCH", "/users/phil", { phone_number: "13580006666" });
    const detail = await post("phil/phone-number");
    expect(detail["code"]).toEqual(expect.any(String));
    expect(decrypt(detail, session_key)).toMatchObject({
      phoneNumber: "13580006666",
      purePhoneNumber: "13580006666",
      countryCode: "86",
      watermark: { appid: provider.app.appid },
    });
  });

  it("no union id in the user info of an app that is bound to no open platform", async () => {
    const { session_key } = await provider.session("loner");
    await provider.control("PATCH", "/users/loner", { unionid_mode: "unbound" });
    expect(decrypt(await post("loner/user-info"), session_key)).not.toHaveProperty("unionId");
  });

  it("data under a new key when the server's has expired, so that a new login is needed", async () => {
    await using own = await startTestProvider();
    const { session_key } = await own.session("late");
    own.clock.offsetMs = 4 * 24 * 3600 * 1000;
    const detail = await own.control("POST", "/users/late/user-info");
    expect(detail["signature"]).not.toBe(
      createHash("sha1")
        .update(`${String(detail["rawData"])}${session_key}`)
        .digest("hex"),
    );
    const renewed = await own.session("late");
    expect(decrypt(detail, renewed.session_key)).toMatchObject({ openId: renewed.openid });
  });
});

describe("the control routes", () => {
  it("name the test app", async () => {
    expect(await provider.control("GET", "/credentials")).toMatchObject({
      app_id: expect.stringMatching(/^wx[0-9a-f]{16}$/),
      app_secret: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it("make a user of any name at the first call that does something, list all, and keep changes over a restart", async () => {
    await using own = await startTestProvider();
    expect(await own.user("a.b-c_1")).toMatchObject({
      name: "a.b-c_1",
      phone_number: expect.stringMatching(/^\d{11}$/),
    });
    await own.control("PATCH", "/users/a.b-c_1");
    await own.control("PATCH", "/users/second", { follows_account: true, phone_number: "12345" });
    await own.restart();
    expect(await own.user("second")).toMatchObject({ follows_account: true, phone_number: "12345" });
    const all = (await own.control("GET", "/users")) as unknown as { name: string }[];
    expect(all.map(({ name }) => name)).toEqual(["a.b-c_1", "second"]);
  });

  it.each([
    ["PATCH", "/users/strict", { phone_number: "+1 555" }, "phone_number"],
    ["PATCH", "/users/strict", { phnoe_number: "12345" }, "phnoe_number"],
    ["PATCH", "/users/strict", { unionid_mode: "often" }, "unionid_mode"],
    ["PATCH", "/settings", { session_key_ttl_seconds: 0 }, "session_key_ttl_seconds"],
    ["GET", "/users/no%20spaces", undefined, "name"],
  ])("refuse %s %s %o with 400, naming the field", async (method, path, body, field) => {
    const answer = await provider.control(method, path, body);
    expect(answer).toMatchObject({ details: [{ field }] });
    expect(answer["Message"]).toEqual(expect.stringContaining(field === "name" ? "name" : field));
  });

  it("answer 404 for a route that is not there", async () => {
    expect(await provider.control("POST", "/users/x/dance")).toMatchObject({ code: "not_found" });
  });

  it("refuse a page of another origin with 403, and a Host that is another site's name", async () => {
    const statusWith = (headers: Record<string, string>, path = "/sim/credentials") =>
      new Promise<number>((resolve, reject) => {
        const call = request(`${provider.url}${path}`, { headers }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        call.on("error", reject).end();
      });
    expect(await statusWith({})).toBe(200);
    expect(await statusWith({ Origin: provider.url })).toBe(200);
    expect(await statusWith({ Origin: "https://evil.example" })).toBe(403);
    expect(await statusWith({ Origin: "null" })).toBe(403);
    expect(await statusWith({ Host: "evil.example" })).toBe(403);
    expect(await statusWith({ Host: "evil.example" }, "/cgi-bin/token")).toBe(403);
  });
});
