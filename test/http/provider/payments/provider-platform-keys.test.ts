/** The keys by which the platform signs for a merchant: by certificate, by public key, and while it switches. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callControl, otherMerchant, registration } from "../../../support/payments/control-merchants.ts";
import { startFaultedProvider, type FaultedProvider } from "../../../support/payments/faulted-provider.ts";
import {
  createMerchantV3,
  isFromPlatform,
  platformKeysOf,
  readCredentials,
} from "../../../support/payments/merchant-v3.ts";

let test: FaultedProvider;
let certificate: string;
let publicKey: string;
let count = 0;
const nextNumber = () => `KEYS_${String(++count)}`;

const use = (keys: object, mchId?: string) =>
  test.provider.control("PUT", `/platform-key${mchId === undefined ? "" : `?mch_id=${mchId}`}`, keys);

beforeAll(async () => {
  test = await startFaultedProvider();
  await use({ mode: "switching" });
  const credentials = await readCredentials(test.provider.url);
  [certificate, publicKey] = [credentials.platform_serial, credentials.platform_public_key_id ?? ""];
});
beforeEach(async () => {
  await use({ mode: "certificate" });
  await test.clear();
});
afterAll(() => test[Symbol.asyncDispose]());

/** The serial of a reply, which must be signed by the key of that serial. */
async function signerOf(reply: { headers: Headers; text: string }) {
  const serial = reply.headers.get("wechatpay-serial") ?? "";
  const known = platformKeysOf(await readCredentials(test.provider.url));
  expect(isFromPlatform((name) => reply.headers.get(name), reply.text, known.get(serial) ?? "")).toBe(true);
  return serial;
}

/** @param named Wechatpay-Serial of the request */
const call = (method: string, target: string, body: unknown, named: string | undefined) =>
  test.v3.call(method, target, body, { headers: { "Wechatpay-Serial": named } });

const place = (named?: string) => call("POST", "/v3/pay/transactions/native", test.v3.order(nextNumber()), named);

describe("GET /v3/certificates", () => {
  it("of a merchant without certificates is 404 RESOURCE_NOT_EXISTS, in the platform's words", async () => {
    await use({ mode: "public_key" });
    const reply = await test.v3.call("GET", "/v3/certificates");
    expect([reply.status, reply.json]).toEqual([
      404,
      {
        code: "RESOURCE_NOT_EXISTS",
        message:
          "无可用的平台证书，请在商户平台-API安全申请使用微信支付公钥。可查看指引https://pay.weixin.qq.com/doc/v3/merchant/4012153196",
      },
    ]);
    expect(await signerOf(reply)).toBe(publicKey);
  });

  it("while switching still holds them", async () => {
    await use({ mode: "switching" });
    expect((await test.v3.call("GET", "/v3/certificates")).json.data).toMatchObject([{ serial_no: certificate }]);
  });
});

describe("a reply", () => {
  it("while switching is signed by the key that the request names, by the certificate if it names none", async () => {
    await use({ mode: "switching" });
    for (const [named, signer] of [
      [publicKey, publicKey],
      [publicKey.toLowerCase(), publicKey],
      [certificate, certificate],
      [undefined, certificate],
      ["PUB_KEY_ID_0000000000000000000000000000000000", certificate],
      ["0".repeat(40), certificate],
    ] as const)
      expect(await signerOf(await place(named))).toBe(signer);
  });

  it("that refuses, or has no body, is signed by that key too", async () => {
    await use({ mode: "switching" });
    const number = nextNumber();
    await test.v3.place("native", number);
    const target = `/v3/pay/transactions/out-trade-no/${number}`;
    const refused = await call("GET", `${target}_NONE?mchid=${test.v3.credentials.mch_id}`, undefined, publicKey);
    expect([refused.status, await signerOf(refused)]).toEqual([404, publicKey]);
    const closed = await call("POST", `${target}/close`, { mchid: test.v3.credentials.mch_id }, publicKey);
    expect([closed.status, await signerOf(closed)]).toEqual([204, publicKey]);
  });

  it("outside of a switch is signed by the key of the mode, whatever the request names", async () => {
    const reply = await place(publicKey);
    expect([reply.headers.get("wechatpay-serial"), reply.isSigned]).toEqual([certificate, true]);
    await use({ mode: "public_key" });
    expect(await signerOf(await place(certificate))).toBe(publicKey);
  });

  it("to another merchant is signed by that merchant's mode", async () => {
    await test.provider.control("PUT", `/merchants/${otherMerchant.mchId}`, registration);
    const other = await createMerchantV3(test.provider.url, otherMerchant.mchId);
    await use({ mode: "public_key" }, otherMerchant.mchId);
    expect(await signerOf(await place())).toBe(certificate);
    const reply = await other.place("native", nextNumber());
    expect(reply.headers.get("wechatpay-serial")).toBe(publicKey);
  });
});

describe("a notification", () => {
  async function notifiedBy(): Promise<string> {
    const number = nextNumber();
    await test.placeV3(number);
    await test.pay(number);
    const [first] = await test.received(number);
    return String(first?.headers["wechatpay-serial"]);
  }
  const notified = async (times: number) => {
    const serials: string[] = [];
    while (serials.length < times) serials.push(await notifiedBy());
    return serials;
  };

  it("while switching is signed by the public key at its share, evenly spread", async () => {
    await use({ mode: "switching", public_key_share: 50 });
    const serials = await notified(6);
    const [first = "", second = ""] = serials;
    expect([first, second].sort()).toEqual([certificate, publicKey].sort());
    expect(serials).toEqual([first, second, first, second, first, second]);
    await use({ mode: "switching", public_key_share: 100 });
    expect(await notified(2)).toEqual([publicKey, publicKey]);
  });

  it("is signed by the certificate before the switch, by the public key after it", async () => {
    expect(await notified(2)).toEqual([certificate, certificate]);
    await use({ mode: "public_key" });
    expect(await notified(2)).toEqual([publicKey, publicKey]);
  });

  it("is signed by another key once, by the fault that switches the key", async () => {
    await test.add({ kind: "key_switched", params: { where: "notification" }, times: 1 });
    expect(await notified(2)).toEqual([publicKey, certificate]);
    expect((await place()).isSigned).toBe(true);
  });

  it("of version 2 names no key, so that none can be switched", async () => {
    const { id } = await test.add({ kind: "key_switched" });
    const number = nextNumber();
    await test.place(number);
    await test.pay(number);
    await test.received(number);
    expect(await test.hits(id)).toBe(0);
    expect(await test.send(number, { kind: "key_switched" })).toMatchObject({ code: "nothing_to_send" });
  });
});

describe("the mode of a merchant", () => {
  it("is shown with the merchant, and set with it or by itself; a restart keeps it", async () => {
    const path = `/merchants/${otherMerchant.mchId}`;
    const put = async (more: object) =>
      (await test.provider.control("PUT", path, { ...registration, ...more }))["platform_keys"];
    expect(await put({ platform_keys: { mode: "switching", public_key_share: 0.1 } })).toEqual({
      mode: "switching",
      public_key_share: 0.1,
    });
    expect(await put({})).toEqual({ mode: "switching", public_key_share: 0.1 });
    await use({ mode: "public_key" }, otherMerchant.mchId);
    await test.restart();
    const { merchants } = (await test.provider.control("GET", "/merchants")) as {
      merchants: { mch_id: string; platform_keys: unknown }[];
    };
    expect(merchants.find(({ mch_id }) => mch_id === otherMerchant.mchId)?.platform_keys).toMatchObject({
      mode: "public_key",
    });
    expect(await test.provider.control("GET", `/platform-key?mch_id=${otherMerchant.mchId}`)).toMatchObject({
      mode: "public_key",
      serial: publicKey,
      public_key_id: publicKey,
    });
  });

  it("takes a share from 0.1 to 100 percent, and is not that of an unknown merchant", async () => {
    for (const public_key_share of [0, 0.05, 101])
      expect(await use({ mode: "switching", public_key_share })).toMatchObject({
        details: [{ field: "public_key_share" }],
      });
    expect(await callControl(test.provider, "GET", "/platform-key?mch_id=1999999999")).toMatchObject({ status: 404 });
  });
});
