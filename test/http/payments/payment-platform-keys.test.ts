/** By which keys the merchant's side believes the platform of version 3, and how it comes by them. */
import { writeFileSync } from "node:fs";
import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Settings } from "../../../server/contract/process/settings.ts";
import type { MadeKey } from "../../../server/provider/payments/keys/make-certificate.ts";
import type { NotificationRefused, PaymentProvider } from "../../../server/app/payments/provider/provider-client.ts";
import { headersV3, sealedV3 } from "../../support/payments/payment-signatures.ts";
import {
  offlineClient,
  paymentMerchant,
  withScriptedProvider,
  type Script,
} from "../../support/payments/scripted/scripted-payment-provider.ts";
import { outTradeNo } from "../../support/payments/scripted/scripted-payment-v2.ts";
import {
  makeKey,
  merchantOfV3,
  signedReplyV3,
  type MerchantV3,
} from "../../support/payments/scripted/scripted-payment-v3.ts";

const { api_v3_key: apiV3Key, mch_id: mchid, app_id: appid } = paymentMerchant;
const certificatesPath = "/v3/certificates";
const unpaid = { appid, mchid, out_trade_no: outTradeNo, trade_state: "NOTPAY" };

let keys: MerchantV3;
let newer: MadeKey;
beforeAll(async () => void ([keys, newer] = await Promise.all([merchantOfV3(), makeKey("newer platform")])));
afterAll(() => keys[Symbol.dispose]());

/** How the platform hands out its certificates. */
const handedOut = (made: readonly MadeKey[], key = apiV3Key) => ({
  data: made.map(({ serial, publicPart }) => ({
    serial_no: serial,
    effective_time: "2026-01-01T00:00:00+08:00",
    expire_time: "2031-01-01T00:00:00+08:00",
    encrypt_certificate: sealedV3(publicPart, key, "certificate"),
  })),
});

/** Signs replies with `signer`; hands out what `certificates` says. */
const platform =
  (signer: MadeKey, certificates: Script): Script =>
  (call, res) =>
    call.path === certificatesPath ? certificates(call, res) : signedReplyV3(signer, { body: unpaid });
const handsOut =
  (made: readonly MadeKey[], signer: MadeKey): Script =>
  () =>
    signedReplyV3(signer, { body: handedOut(made) });

async function start(script: Script, changed: Partial<Settings> = {}, more: { realNow?: () => number } = {}) {
  const { scripted } = await withScriptedProvider(script);
  const client = scripted.client({ ...keys.settings, payment_base_url: scripted.url, ...changed }, more);
  const asked = () => scripted.calls.filter(({ path }) => path === certificatesPath).length;
  return { scripted, client, asked };
}

describe("a platform key that is not known", () => {
  it("is fetched once, however many replies wait for it, and kept", async () => {
    const { client, asked } = await start(platform(newer, handsOut([newer, keys.platform], newer)));
    const results = await Promise.all(Array.from({ length: 5 }, () => client.queryOrder(outTradeNo)));
    expect(results.map(({ outcome }) => outcome)).toEqual(Array(5).fill("done"));
    expect((await client.queryOrder(outTradeNo)).outcome).toBe("done");
    expect(asked()).toBe(1);
  });

  it("is fetched where none was known beforehand", async () => {
    const script = platform(keys.platform, handsOut([keys.platform], keys.platform));
    const { client } = await start(script, { payment_platform_key_file: undefined });
    expect((await client.queryOrder(outTradeNo)).outcome).toBe("done");
  });

  it("is fetched again after the next change", async () => {
    const { scripted, client, asked } = await start(platform(newer, handsOut([newer], newer)));
    expect((await client.queryOrder(outTradeNo)).outcome).toBe("done");
    const newest = await makeKey("newest platform");
    scripted.answerBy(platform(newest, handsOut([newest, newer], newest)));
    expect((await client.queryOrder(outTradeNo)).outcome).toBe("done");
    expect(asked()).toBe(2);
  });

  it.each<readonly [string, () => Script]>([
    ["are encrypted with another key", () => () => signedReplyV3(newer, { body: handedOut([newer], "k".repeat(32)) })],
    ["are not signed", () => () => ({ body: JSON.stringify(handedOut([newer])) })],
    ["are signed by none of them", () => handsOut([newer], keys.merchant)],
    [
      "are signed by one that was known, and replayed after 6 minutes",
      () => () => signedReplyV3(newer, { body: handedOut([newer]), at: Date.now() - 360_000 }),
    ],
    ["are no JSON", () => () => signedReplyV3(newer, { body: "hello" })],
    ["are an error", () => () => ({ status: 500, body: "" })],
    ["do not have it", () => handsOut([keys.platform], keys.platform)],
    ["do not arrive", () => (_call, res) => void res.destroy()],
  ])("verifies nothing when the certificates %s", async (_what, certificates) => {
    const { client } = await start(platform(newer, certificates()));
    expect(await client.queryOrder(outTradeNo)).toMatchObject({ outcome: "unknown", reason: "bad_signature" });
  });

  it("is not asked for again at once when the platform did not have it", async () => {
    const clock = { at: Date.now() };
    const script = platform(newer, handsOut([keys.platform], keys.platform));
    const { client, asked } = await start(script, {}, { realNow: () => clock.at });
    for (let i = 0; i < 3; i++) expect((await client.queryOrder(outTradeNo)).outcome).toBe("unknown");
    expect(asked()).toBe(1);
    clock.at += 5_000;
    expect((await client.queryOrder(outTradeNo)).outcome).toBe("unknown");
    expect(asked()).toBe(2);
  });

  const forged = async (client: PaymentProvider, serial: string) =>
    client
      .readerOf("v3")
      .readPaymentNotification(Buffer.from("{}"), headersV3("{}", { ...keys.merchant, serial }))
      .then(
        () => "believed",
        ({ reason }: NotificationRefused) => reason,
      );
  const standing = () => {
    const at = Date.now();
    return { realNow: () => at };
  };

  it.each(["PUB_KEY_ID_0123", "F".repeat(40)])("is not forgotten because of a forged message by %s", async (serial) => {
    const { client } = await start(platform(newer, handsOut([newer], newer)), {}, standing());
    expect((await client.queryOrder(outTradeNo)).outcome).toBe("done");
    expect(await forged(client, serial)).toBe("unknown_serial");
    expect((await client.queryOrder(outTradeNo)).outcome).toBe("done");
  });

  it.each(["PUB_KEY_ID_0123", "F".repeat(40)])("is fetched though another, %s, was just missed", async (serial) => {
    const { scripted, client } = await start(platform(newer, handsOut([newer], newer)), {}, standing());
    expect(await forged(client, serial)).toBe("unknown_serial");
    const newest = await makeKey("newest platform");
    scripted.answerBy(platform(newest, handsOut([newest, newer], newest)));
    expect((await client.queryOrder(outTradeNo)).outcome).toBe("done");
  });

  it("is fetched for a few forged messages only, however many serials they name", async () => {
    const { client, asked } = await start(platform(newer, handsOut([newer], newer)), {}, standing());
    for (let i = 0; i < 50; i++) expect(await forged(client, `F${String(i)}`)).toBe("unknown_serial");
    expect(asked()).toBeLessThan(10);
  });
});

describe("a platform that signs by a public key", () => {
  const id = "PUB_KEY_ID_0112345678901234567890";
  const publicKeySigner = () => {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    });
    const settings = {
      payment_platform_key_id: id,
      payment_platform_key_file: keys.file("public-key.pem", publicKey),
    };
    return { signer: { ...newer, serial: id, privateKey }, settings };
  };

  it("may still sign by a certificate while it switches, which it hands out signed by the public key", async () => {
    const { signer, settings } = publicKeySigner();
    const { client } = await start(platform(newer, handsOut([newer], signer)), settings);
    expect((await client.queryOrder(outTradeNo)).outcome).toBe("done");
  });

  it("is believed by its id, which is asked for in each call", async () => {
    const { signer, settings } = publicKeySigner();
    const { scripted, client } = await start(platform(signer, handsOut([newer], newer)), settings);
    expect((await client.queryOrder(outTradeNo)).outcome).toBe("done");
    expect(scripted.calls[0]?.headers["wechatpay-serial"]).toBe(id);
    scripted.answerBy(platform({ ...signer, serial: "PUB_KEY_ID_02" }, handsOut([newer], newer)));
    expect(await client.queryOrder(outTradeNo)).toMatchObject({ outcome: "unknown", reason: "bad_signature" });
  });
});

describe("the key files of the settings", () => {
  it.each<readonly [string, string, () => string]>([
    ["payment_merchant_key_file", "does not exist", () => "/nowhere/merchant.pem"],
    [
      "payment_merchant_key_file",
      "not the PEM file of the required RSA key",
      () => keys.file("text.pem", "secret-text"),
    ],
    [
      "payment_platform_key_file",
      "not the PEM file of the required RSA key",
      () => keys.file("text.pem", "secret-text"),
    ],
  ])("refuse the start, by the name of %s, when %s", (name, why, file) => {
    const make = (): unknown => offlineClient({ ...keys.settings, [name]: file() });
    expect(make).toThrow(new RegExp(`^${name}: .*${why}`));
    expect(make).not.toThrow(/secret-text/);
  });

  it("refuse a key other than RSA", () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const file = keys.file("ec.pem", "");
    writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }));
    expect(() => offlineClient({ ...keys.settings, payment_merchant_key_file: file })).toThrow(/RSA/);
  });

  it("refuse a version whose keys are not set", () => {
    expect(() => offlineClient({ ...keys.settings, payment_version: "v2" })).toThrow(/^payment_version: /);
  });
});
