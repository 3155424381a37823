/** The control routes for merchants, and what of payments the simulator's state holds. */
import { generateKeyPairSync } from "node:crypto";
import forge from "node-forge";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callControl, otherMerchant, registration } from "../../support/payments/control-merchants.ts";
import { createMerchantV2, outcomeOf } from "../../support/payments/merchant-v2.ts";
import { createMerchantV3 } from "../../support/payments/merchant-v3.ts";
import { notificationReceiver } from "../../support/payments/notification-receiver.ts";
import { attemptsOf, orderDetails } from "../../support/payments/order-details.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

const { md, pki } = forge;

/** A merchant's own key with a certificate of this serial, in hexadecimal digits. */
function certified(serial: string) {
  const pem = { type: "pkcs1", format: "pem" } as const;
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: pem,
    privateKeyEncoding: pem,
  });
  const key = pki.privateKeyFromPem(privateKey);
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.setRsaPublicKey(key.n, key.e);
  certificate.serialNumber = serial;
  certificate.validity.notBefore = new Date("2026-01-01");
  certificate.validity.notAfter = new Date("2036-01-01");
  certificate.sign(key, md.sha256.create());
  return { privateKey, certificate: pki.certificateToPem(certificate) };
}

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider();
});
afterAll(() => provider[Symbol.asyncDispose]());

describe("/sim/merchants", () => {
  it("lists the built-in one, takes others, and keeps them over a restart", async () => {
    await using own = await startTestProvider();
    const builtIn = { mch_id: "1900000109", app_ids: [own.app.appid] };
    expect(await own.control("GET", "/merchants")).toMatchObject({ merchants: [builtIn] });
    const added = await own.control("PUT", `/merchants/${otherMerchant.mchId}`, { ...registration, balance: 50 });
    expect(added).toMatchObject({ mch_id: otherMerchant.mchId, balance: 50, ...registration });
    await own.restart();
    expect(await own.control("GET", "/merchants")).toMatchObject({ merchants: [builtIn, { balance: 50 }] });
    const other = createMerchantV2(own, otherMerchant);
    expect(outcomeOf(await other.place("OF_OTHER", { appid: "wx0000000000000110" }))).toBe("SUCCESS");
    const v3 = await createMerchantV3(own.url, otherMerchant.mchId);
    expect((await v3.place("native", "OF_OTHER_V3")).status).toBe(200);
  });

  it("replaces a merchant's own certificate by another one with its serial, but none that the simulator made", async () => {
    await using own = await startTestProvider();
    await own.control("PUT", `/merchants/${otherMerchant.mchId}`, registration);
    const merchant = await createMerchantV3(own.url, otherMerchant.mchId);
    const statusWith = async (serial: string, privateKey: string) =>
      (await merchant.call("GET", "/v3/certificates", undefined, { serial, privateKey })).status;
    const put = async (certificate: string) =>
      (await callControl(own, "PUT", `/merchants/${otherMerchant.mchId}`, { ...registration, certificate })).status;
    const [before, after] = [certified("01"), certified("01")];
    expect(await put(before.certificate)).toBe(200);
    expect([await statusWith("01", before.privateKey), await statusWith("01", after.privateKey)]).toEqual([200, 401]);
    expect(await put(after.certificate)).toBe(200);
    expect([await statusWith("01", before.privateKey), await statusWith("01", after.privateKey)]).toEqual([401, 200]);

    const { merchant_serial: serial, merchant_private_key: key } = merchant.credentials;
    await put(certified(serial).certificate);
    expect(await statusWith(serial, key)).toBe(200);
  });

  it.each([
    ["a key of 31 characters", { api_v2_key: "k".repeat(31) }, "api_v2_key"],
    ["no app", { app_ids: [] }, "app_ids"],
    ["an unknown product", { products: ["FACEPAY"] }, "products.0"],
    ["a certificate that is none", { certificate: "-----BEGIN" }, "certificate"],
    ["a field that nobody knows", { name: "Tea house" }, "name"],
  ])("answers 400 to %s", async (_name, changed, field) => {
    const { status, body } = await callControl(provider, "PUT", "/merchants/1900000111", {
      ...registration,
      ...changed,
    });
    expect([status, body["details"]]).toMatchObject([400, [{ field }]]);
    expect(JSON.stringify(await provider.control("GET", "/merchants"))).not.toContain("1900000111");
  });

  it("answers 400 to an id that is no number", async () => {
    expect(await callControl(provider, "PUT", "/merchants/abc", registration)).toMatchObject({ status: 400 });
  });
});

describe("/sim/state", () => {
  /** An order that was paid and waits for its receiver, one that is open, a merchant and a fault. */
  async function startUsed(notify_url: string) {
    const own = await startTestProvider();
    const one = createMerchantV2(own);
    await one.paid("STATE_PAID", { notify_url });
    await attemptsOf(own, "STATE_PAID", 1);
    await one.place("STATE_OPEN");
    await own.control("PUT", `/merchants/${otherMerchant.mchId}`, registration);
    return own;
  }

  it("holds orders and what waits; another simulator that takes it goes on with them", async () => {
    await using receiver = await notificationReceiver();
    await using own = await startUsed("http://127.0.0.1:9/");
    const state = JSON.stringify(await own.control("GET", "/state")).replaceAll("http://127.0.0.1:9/", receiver.url);
    await using other = await startTestProvider();
    expect(await other.control("PUT", "/state", JSON.parse(state))).toMatchObject({ parts: { payments: 2 } });
    const { order, notifications } = await orderDetails(other, "STATE_PAID");
    expect(order).toMatchObject({ trade_state: "SUCCESS" });
    expect(notifications).toMatchObject([{ state: "pending", attempts: [] }]);
    expect(await other.control("GET", "/merchants")).toMatchObject({
      merchants: [{}, { mch_id: otherMerchant.mchId }],
    });
    other.clock.offsetMs += 15_000;
    expect(await attemptsOf(other, "STATE_PAID", 1)).toMatchObject([{ attempt: 2, verdict: "accepted" }]);
  });

  it("is refused with a time after the year 9999, which no reply could contain", async () => {
    await using own = await startUsed("http://127.0.0.1:9/");
    const state = JSON.stringify(await own.control("GET", "/state"));
    const late = JSON.parse(state.replace(/("created_at":)\d+/, "$19000000000000000")) as unknown;
    const { status, body } = await callControl(own, "PUT", "/state", late);
    expect([status, body["details"]]).toMatchObject([400, [{ field: "payments.pay_orders.0.created_at" }]]);
    expect(await own.control("GET", "/orders")).toMatchObject({ orders: [{}, {}] });
  });

  it("is empty after DELETE, but for the keys with which clients are configured", async () => {
    await using own = await startUsed("http://127.0.0.1:9/");
    const before = await own.control("GET", "/credentials");
    expect(await own.control("DELETE", "/state")).toMatchObject({ parts: { payments: 2 } });
    expect(await own.control("GET", "/orders")).toEqual({ orders: [], total: 0, stored: 0 });
    expect(await own.control("GET", "/notifications")).toEqual({ notifications: [] });
    expect(((await own.control("GET", "/merchants")) as { merchants: unknown[] }).merchants).toHaveLength(1);
    expect(await own.control("GET", "/credentials")).toEqual(before);
    expect(outcomeOf(await createMerchantV2(own).place("STATE_PAID"))).toBe("SUCCESS");
  });
});
