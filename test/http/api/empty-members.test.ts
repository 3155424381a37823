/** Results of the platform's client in which members are empty. */
import { createCipheriv, createDecipheriv } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

describe("what the platform's client sends with empty members", () => {
  it("counts an empty text as not given", async () => {
    const { access_token } = await app.login("sparing");
    const sent = async (path: string, body: object) => {
      const response = await app.post(`${app.url}/api/${path}`, body, bearer(access_token));
      const { code } = (await response.json()) as { code?: string };
      return [response.status, code];
    };
    const info = (await app.sim("sparing", "user-info")) as Record<string, string>;
    for (const name of ["rawData", "signature"])
      expect(await sent("userinfos", { ...info, [name]: "" })).toEqual([400, "missing_field"]);
    expect(await sent("userinfos", { ...info, encryptedData: "", iv: "" })).toEqual([201, undefined]);

    const phone = (await app.sim("sparing", "phone-number")) as Record<string, string>;
    for (const name of ["encryptedData", "iv"])
      expect(await sent("phonenumbers", { ...phone, code: "", [name]: "" })).toEqual([400, "missing_field"]);
    expect(await sent("phonenumbers", { ...phone, code: "" })).toEqual([201, undefined]);
  });

  /** The open data with some members changed, under the key of the newest user. */
  async function changed(info: Record<"encryptedData" | "iv", string>, members: object): Promise<string> {
    const newest = app.db.selectFrom("users").select("session_key").orderBy("id", "desc");
    const [key, iv] = [(await newest.executeTakeFirstOrThrow()).session_key, info.iv].map((text) =>
      Buffer.from(text, "base64"),
    ) as [Buffer, Buffer];
    const decipher = createDecipheriv("aes-128-cbc", key, iv);
    const open = JSON.parse(decipher.update(info.encryptedData, "base64", "utf8") + decipher.final("utf8")) as object;
    const cipher = createCipheriv("aes-128-cbc", key, iv);
    return cipher.update(JSON.stringify({ ...open, ...members }), "utf8", "base64") + cipher.final("base64");
  }

  it("takes user info whose encrypted part has an empty openId", async () => {
    const { access_token } = await app.login("unnamed");
    const info = (await app.sim("unnamed", "user-info")) as Record<"encryptedData" | "iv", string>;
    const encryptedData = await changed(info, { openId: "" });
    const response = await app.post(`${app.url}/api/userinfos`, { ...info, encryptedData }, bearer(access_token));
    expect(response.status).toBe(201);
  });

  it("takes user info whose unionId is null as one without", async () => {
    const { access_token } = await app.login("unnamed");
    const info = (await app.sim("unnamed", "user-info")) as Record<"encryptedData" | "iv", string>;
    const encryptedData = await changed(info, { unionId: null });
    const response = await app.post(`${app.url}/api/userinfos`, { ...info, encryptedData }, bearer(access_token));
    expect(response.status).toBe(201);
  });

  it("takes an empty phone number for none", async () => {
    const { access_token } = await app.login("unnamed");
    const phone = (await app.sim("unnamed", "phone-number")) as Record<"errMsg" | "encryptedData" | "iv", string>;
    const encryptedData = await changed(phone, { phoneNumber: "", purePhoneNumber: "" });
    const sent = { errMsg: phone.errMsg, encryptedData, iv: phone.iv };
    const response = await app.post(`${app.url}/api/phonenumbers`, sent, bearer(access_token));
    expect([response.status, ((await response.json()) as { Message: string }).Message]).toEqual([
      400,
      expect.stringContaining("no phone number"),
    ]);
  });
});
