/** Who may call version 3: what is checked, in which order, and what is said of it. */
import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeCertificate } from "../../../../server/provider/payments/keys/make-certificate.ts";
import { createMerchantV3, type MerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV3;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());

const foreign = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const seconds = () => Math.floor(Date.now() / 1000);
/** A merchant whose clock differs by so many seconds when it calls. */
const clockOff = (by: number) => ({
  get timestamp() {
    return seconds() + by;
  },
});
const missing = "/v3/pay/transactions/out-trade-no/NOWHERE";
const certificates = "/v3/certificates";

describe("a request is refused", () => {
  it("with 404 that names what is not simulated, and 405 without a body, for any sender", async () => {
    const nobody = { authorization: "nobody" };
    const unknown = await merchant.call("GET", "/v3/pay/transactions", undefined, nobody);
    const wrong = await merchant.call("PUT", certificates, undefined, nobody);
    const head = await merchant.call("POST", `${missing}?mchid=1`, "{}", nobody);
    expect([unknown.status, unknown.json]).toEqual([
      404,
      { code: "RESOURCE_NOT_EXISTS", message: "Hearth does not simulate GET /v3/pay/transactions." },
    ]);
    expect([wrong, head].map(({ status, text }) => [status, text])).toEqual([
      [405, ""],
      [405, ""],
    ]);
    expect(wrong.headers.get("allow")).toBe("GET");
  });

  it("with 400 INVALID_REQUEST where User-Agent is empty or Accept does not take JSON", async () => {
    const refused = [
      await merchant.call("GET", certificates, undefined, { headers: { "User-Agent": "" } }),
      await merchant.call("GET", certificates, undefined, { headers: { Accept: "text/html" } }),
    ];
    expect(refused.map(({ status, json }) => [status, json.code])).toEqual(Array(2).fill([400, "INVALID_REQUEST"]));
    for (const Accept of ["*/*", "text/html, application/*;q=0.5", "APPLICATION/JSON"])
      expect((await merchant.call("GET", certificates, undefined, { headers: { Accept } })).status).toBe(200);
  });

  it.each([
    ["no Authorization", { headers: { Authorization: undefined } }, "missing"],
    ["another scheme", { authorization: "Basic YTpi" }, "format"],
    ["a pair missing", { authorization: 'WECHATPAY2-SHA256-RSA2048 mchid="1900000109",nonce_str="n"' }, "format"],
    ["a clock 6 minutes behind", clockOff(-360), "timestamp"],
    ["a clock 6 minutes ahead", clockOff(360), "timestamp"],
    ["a merchant that nobody knows", { mchid: "1900000999" }, "mchid"],
    ["a serial that is not the merchant's", { serial: "5157F09EFDC096DE15EBE81A47057A7232F1B8E1" }, "serial_no"],
    ["the key of somebody else", { privateKey: foreign.privateKey }, "sign not match"],
    ["a signature over another path", { signedTarget: "/v3/certificates?algorithm_type=RSA" }, "sign not match"],
    ["a signature over another body", { signedBody: "{}" }, "sign not match"],
  ])("with 401 SIGN_ERROR for %s, without the platform's signature", async (_what, changed, issue) => {
    const refused = await merchant.call("GET", certificates, undefined, changed);
    expect(refused.status).toBe(401);
    expect(refused.json).toMatchObject({
      code: "SIGN_ERROR",
      message: expect.stringMatching(/./),
      detail: { location: "authorization", detail: { issue } },
    });
    expect([...refused.headers.keys()].filter((name) => name.startsWith("wechatpay-"))).toEqual([]);
    expect(refused.headers.get("request-id")).toMatch(/./);
  });

  it("in this order: form of the header, time, serial, signature, body", async () => {
    const target = "/v3/pay/transactions/native";
    const wrong = { timestamp: 1, serial: "00", privateKey: foreign.privateKey };
    const issueOf = async (changed: object) => {
      const { json } = await merchant.call("POST", target, "no JSON", changed);
      return json.detail.detail?.issue ?? json.code;
    };
    const { timestamp, serial, privateKey } = wrong;
    expect([
      await issueOf({ authorization: "x", ...wrong }),
      await issueOf({ timestamp, serial, privateKey }),
      await issueOf({ serial, privateKey }),
      await issueOf({ privateKey }),
      await issueOf({}),
    ]).toEqual(["format", "timestamp", "serial_no", "sign not match", "PARAM_ERROR"]);
  });

  it("and shown the message that it should have signed", async () => {
    const target = `${missing}?mchid=${merchant.credentials.mch_id}`;
    const { json } = await merchant.call("GET", target, undefined, { signedTarget: missing });
    const { sign_information } = json.detail;
    expect(json.detail.field).toBe("signature");
    expect(sign_information).toMatchObject({ method: "GET", url: target });
    expect(sign_information.truncated_sign_message).toMatch(
      /^GET\n\/v3\/pay\/.+\?mchid=1900000109\n\d{10}\n\w{32}\n\n$/,
    );
    expect(sign_information.sign_message_length).toBe(sign_information.truncated_sign_message.length);
  });
});

describe("a request is taken", () => {
  it("with the pairs in any order, the serial in lower case, and a clock 4 minutes off", async () => {
    const { merchant_serial } = merchant.credentials;
    for (const changed of [
      { reversed: true },
      { serial: merchant_serial.toLowerCase() },
      { timestamp: seconds() - 240 },
      { timestamp: seconds() + 240 },
    ])
      expect((await merchant.call("GET", certificates, undefined, changed)).status).toBe(200);
  });

  it("over the bytes of the body as they are, white space and all", async () => {
    const order = JSON.stringify(merchant.order("SPACED_1", { description: "茶 ☕" }), null, 2);
    expect((await merchant.call("POST", "/v3/pay/transactions/native", order)).status).toBe(200);
    const { json } = await merchant.call("POST", "/v3/pay/transactions/native", order, {
      signedBody: JSON.stringify(JSON.parse(order)),
    });
    expect(json.code).toBe("SIGN_ERROR");
  });

  it("by the real clock, however far the simulated one is ahead", async () => {
    await using own = await startTestProvider();
    own.clock.offsetMs = 30 * 86_400_000;
    const ahead = await createMerchantV3(own.url);
    const reply = await ahead.place("native", "AHEAD_1");
    expect([reply.status, reply.isSigned]).toEqual([200, true]);
    expect(Math.abs(Number(reply.headers.get("wechatpay-timestamp")) - seconds())).toBeLessThan(300);
  });
});

describe("the merchant in a request", () => {
  it("must be the one that signed (403 NO_AUTH) and take payments for the app (400 APPID_MCHID_NOT_MATCH)", async () => {
    const other = await merchant.place("native", "FOREIGN_1", { mchid: "1900000110" });
    expect([other.status, other.json.code, other.isSigned]).toEqual([403, "NO_AUTH", true]);
    const query = await merchant.call("GET", `${missing}?mchid=1900000110`);
    expect([query.status, query.json.code]).toEqual([403, "NO_AUTH"]);
    const app = await merchant.place("native", "FOREIGN_1", { appid: "wx0000000000000000" });
    expect([app.status, app.json.code, app.isSigned]).toEqual([400, "APPID_MCHID_NOT_MATCH", true]);
  });

  it("may sign by a certificate of its own that was registered, and by none of another merchant", async () => {
    const own = await makeCertificate("Tea shop", Date.now());
    const registered = await provider.control("PUT", "/merchants/1900000113", {
      app_ids: [merchant.credentials.app_id],
      api_v2_key: "2".repeat(32),
      api_v3_key: "3".repeat(32),
      certificate: own.publicPart,
    });
    expect(registered).toMatchObject({ mch_id: "1900000113" });
    const signed = { mchid: "1900000113", serial: own.serial, privateKey: own.privateKey };
    expect((await merchant.call("GET", certificates, undefined, signed)).status).toBe(200);
    const elsewhere = await merchant.call("GET", certificates, undefined, {
      ...signed,
      mchid: merchant.credentials.mch_id,
    });
    expect(elsewhere.json.detail.detail.issue).toBe("serial_no");
  });

  it("sees its own orders only", async () => {
    const { app_id } = merchant.credentials;
    await provider.control("PUT", "/merchants/1900000111", {
      app_ids: [app_id],
      api_v2_key: "another2Key0123456789abcdef01234",
      api_v3_key: "another3Key0123456789abcdef01234",
    });
    const second = await createMerchantV3(provider.url, "1900000111");
    expect(second.credentials).toMatchObject({ mch_id: "1900000111", api_v3_key: "another3Key0123456789abcdef01234" });
    expect(second.credentials.merchant_serial).not.toBe(merchant.credentials.merchant_serial);
    await merchant.place("native", "MINE_1");
    expect((await second.query("MINE_1")).json.code).toBe("ORDER_NOT_EXIST");
    expect((await second.place("native", "MINE_1")).status).toBe(200);
  });
});
