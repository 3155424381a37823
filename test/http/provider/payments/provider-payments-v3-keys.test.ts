/** The keys of the simulated platform and its merchants: handed out, kept, renewed, and used by others as they are. */
import { createPublicKey, X509Certificate } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { simPlatformKeySchema } from "../../../../server/contract/provider/provider-keys.ts";
import { unseal } from "../../../../server/payment-wire/sealed-v3.ts";
import { otherMerchant, registration } from "../../../support/payments/control-merchants.ts";
import {
  createMerchantV3,
  isFromPlatform,
  readCredentials,
  type MerchantV3,
} from "../../../support/payments/merchant-v3.ts";
import { hasOpenssl, openssl } from "../../../support/payments/openssl.ts";
import { recordedCalls } from "../../../support/app/recorded-calls.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { startTestApp } from "../../../support/app/test-app.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV3;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());

/** What a merchant that asks for them learns of the platform's certificates, newest first. */
async function downloaded(own: MerchantV3) {
  const { json } = await own.call("GET", "/v3/certificates?algorithm_type=RSA");
  return (json.data as { serial_no: string; encrypt_certificate: Parameters<typeof unseal>[0] }[]).map((one) => ({
    serial: one.serial_no,
    certificate: unseal(one.encrypt_certificate, own.credentials.api_v3_key),
  }));
}

describe("GET /sim/credentials", () => {
  it("gives all that an SDK is configured with, the same at every call and after a restart", async () => {
    const { credentials } = merchant;
    expect(credentials).toMatchObject({
      app_id: provider.app.appid,
      app_secret: provider.app.secret,
      mch_id: "1900000109",
      api_v2_key: expect.stringMatching(/^\w{32}$/),
      api_v3_key: expect.stringMatching(/^\w{32}$/),
      merchant_private_key: expect.stringMatching(/^-----BEGIN PRIVATE KEY-----\n/),
    });
    expect(credentials).not.toHaveProperty("platform_public_key");
    for (const [serial, pem, key] of [
      [credentials.merchant_serial, credentials.merchant_certificate, credentials.merchant_private_key],
      [credentials.platform_serial, credentials.platform_certificate, undefined],
    ]) {
      const certificate = new X509Certificate(pem ?? "");
      expect(serial).toMatch(/^[4-7][0-9A-F]{39}$/);
      expect(certificate.serialNumber).toBe(serial);
      expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
      expect(certificate.verify(certificate.publicKey)).toBe(true);
      expect(certificate.validToDate.getTime()).toBeGreaterThan(Date.now() + 4 * 365 * 86_400_000);
      if (key !== undefined) expect(createPublicKey(key).equals(certificate.publicKey)).toBe(true);
    }
    expect(await readCredentials(provider.url)).toEqual(credentials);
    await provider.restart();
    merchant = await createMerchantV3(provider.url);
    expect(merchant.credentials).toEqual(credentials);
  });

  it("asked by many at once makes each key once", async () => {
    await using own = await startTestProvider();
    const all = await Promise.all(Array.from({ length: 5 }, () => readCredentials(own.url)));
    expect(new Set(all.map(({ merchant_serial }) => merchant_serial)).size).toBe(1);
    expect(new Set(all.map(({ platform_serial }) => platform_serial)).size).toBe(1);
  });

  it("of an unknown merchant is 404", async () => {
    const { status } = await fetch(`${provider.url}/sim/credentials?mch_id=1999999999`);
    expect(status).toBe(404);
  });

  it("names a file with the platform certificate, which is the one to be downloaded and the one of /v3/certificates", async () => {
    const { platform_certificate: pem, platform_certificate_file: file, platform_serial } = merchant.credentials;
    const download = await fetch(`${provider.url}/sim/platform-certificate.pem`);
    expect(download.headers.get("content-disposition")).toContain("platform-certificate.pem");
    expect([await download.text(), readFileSync(file, "utf8")]).toEqual([pem, pem]);
    expect(await downloaded(merchant)).toEqual([{ serial: platform_serial, certificate: pem }]);
  });
});

it("private keys and API keys stand in no record of a request", async () => {
  await using app = await startTestApp();
  const { newest, recorded } = recordedCalls(() => app);
  const given = await readCredentials(app.provider.url);
  const one = JSON.parse((await newest("path=/sim/credentials")).response.body.text ?? "");
  expect(one.mch_id).toBe(given.mch_id);
  await fetch(`${app.provider.url}/sim/merchant-certificate.p12`);
  const { response } = await newest("path=/sim/merchant-certificate.p12");
  expect(response.body).toMatchObject({ withheld: "it holds a private key" });
  const seller = await createMerchantV3(app.provider.url);
  await seller.place("native", "RECORDED_1");
  const placed = await newest("path=/v3/pay/transactions/native");
  expect(JSON.parse(placed.request.body.text ?? "")).toMatchObject({ out_trade_no: "RECORDED_1" });
  const all = await (await recorded("/har")).text();
  const line = given.merchant_private_key.split("\n")[3] ?? "";
  expect(line).toMatch(/^[\w+/]{64}$/);
  for (const secret of [line, given.api_v2_key, given.api_v3_key, given.app_secret]) expect(all).not.toContain(secret);
});

describe("the platform's key", () => {
  it("renewed signs under its new serial from then on; both certificates are there to be downloaded, the new one first", async () => {
    await using own = await startTestProvider();
    const before = await createMerchantV3(own.url);
    own.clock.offsetMs = 10 * 86_400_000;
    const rotated = await fetch(`${own.url}/sim/platform-key/rotations`, { method: "POST" });
    expect(rotated.status).toBe(201);
    const after = await createMerchantV3(own.url);
    const [oldSerial, newSerial] = [before.credentials.platform_serial, after.credentials.platform_serial];
    expect(newSerial).not.toBe(oldSerial);
    expect(simPlatformKeySchema.strict().parse(await rotated.json())).toMatchObject({
      mode: "certificate",
      serial: newSerial,
      certificates: [{ serial: newSerial }, { serial: oldSerial }],
    });
    const reply = await before.place("native", "ROTATED_1");
    expect([reply.headers.get("wechatpay-serial"), reply.isSigned]).toEqual([newSerial, false]);
    expect((await after.query("ROTATED_1")).isSigned).toBe(true);
    expect((await downloaded(after)).map(({ serial }) => serial)).toEqual([newSerial, oldSerial]);
    expect(readFileSync(after.credentials.platform_certificate_file, "utf8")).toBe(
      after.credentials.platform_certificate,
    );
    const other = await own.control("PUT", `/merchants/${otherMerchant.mchId}`, registration);
    expect(other).toMatchObject({ mch_id: otherMerchant.mchId });
    const { merchant_certificate } = await readCredentials(own.url, otherMerchant.mchId);
    // Peers compare it with a real clock.
    for (const made of [after.credentials.platform_certificate, merchant_certificate])
      expect(new X509Certificate(made).validFromDate.getTime()).toBeLessThan(Date.now());
    await own.restart();
    const restarted = await createMerchantV3(own.url);
    expect((await restarted.query("ROTATED_1")).headers.get("wechatpay-serial")).toBe(newSerial);
    await own.control("POST", "/platform-key/rotations");
    expect(await downloaded(restarted)).toHaveLength(2);
  });

  it("may be a bare public key with an id, until certificates are chosen again", async () => {
    await using own = await startTestProvider();
    await own.control("PUT", "/platform-key", { mode: "public_key" });
    const merchant = await createMerchantV3(own.url);
    const { platform_public_key: key = "", platform_public_key_id: id } = merchant.credentials;
    expect(id).toMatch(/^PUB_KEY_ID_\d{34}$/);
    expect(key).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    const reply = await merchant.place("native", "BY_PUBLIC_KEY");
    expect([reply.headers.get("wechatpay-serial"), reply.isSigned]).toEqual([id, false]);
    expect(isFromPlatform((name) => reply.headers.get(name), reply.text, key)).toBe(true);
    await own.control("POST", "/platform-key/rotations");
    expect((await merchant.query("BY_PUBLIC_KEY")).headers.get("wechatpay-serial")).toBe(id);
    await own.restart();
    expect(await own.control("GET", "/platform-key")).toMatchObject({ mode: "public_key", serial: id });
    await own.control("PUT", "/platform-key", { mode: "certificate" });
    const again = await createMerchantV3(own.url);
    expect((await again.query("BY_PUBLIC_KEY")).isSigned).toBe(true);
  });

  it("is not chosen by another word: 400 naming the field", async () => {
    expect(await provider.control("PUT", "/platform-key", { mode: "none" })).toMatchObject({
      code: "invalid_request",
      details: [{ field: "mode" }],
    });
  });
});

describe.skipIf(!hasOpenssl)("openssl on the command line", () => {
  it("reads the certificate, and verifies a reply by it", async () => {
    using folder = temporaryFolder();
    const { platform_certificate_file: file, platform_serial } = merchant.credentials;
    expect(openssl(["x509", "-in", file, "-noout", "-serial"]).trim()).toBe(`serial=${platform_serial}`);
    const text = openssl(["x509", "-in", file, "-noout", "-text"]);
    expect(text).toContain("Signature Algorithm: sha256WithRSAEncryption");
    expect(text).toContain("Public-Key: (2048 bit)");
    expect(openssl(["verify", "-CAfile", file, file])).toContain(": OK");
    const reply = await merchant.place("native", "OPENSSL_1");
    const of = (name: string) => reply.headers.get(`wechatpay-${name}`) ?? "";
    const [key, signature] = [join(folder.path, "key.pem"), join(folder.path, "signature")];
    writeFileSync(key, openssl(["x509", "-in", file, "-noout", "-pubkey"]));
    writeFileSync(signature, Buffer.from(of("signature"), "base64"));
    const message = (body: string) => `${of("timestamp")}\n${of("nonce")}\n${body}\n`;
    const verify = (body: string) =>
      openssl(["dgst", "-sha256", "-verify", key, "-signature", signature], message(body));
    expect(verify(reply.text)).toContain("Verified OK");
    expect(() => verify(`${reply.text} `)).toThrow(/verification failure/i);
  });

  it("signs a request that is taken", async () => {
    using folder = temporaryFolder();
    const key = join(folder.path, "merchant.pem");
    writeFileSync(key, merchant.credentials.merchant_private_key);
    const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), "openssl"];
    const { mch_id, merchant_serial } = merchant.credentials;
    const message = `GET\n/v3/certificates\n${timestamp}\n${nonce}\n\n`;
    const [signed, sealed] = [join(folder.path, "signed"), join(folder.path, "message")];
    writeFileSync(sealed, message);
    openssl(["dgst", "-sha256", "-sign", key, "-out", signed, sealed]);
    const pairs = { mchid: mch_id, nonce_str: nonce, timestamp, serial_no: merchant_serial };
    const written = Object.entries(pairs).map(([name, value]) => `${name}="${value}"`);
    const signature = readFileSync(signed).toString("base64");
    const authorization = `WECHATPAY2-SHA256-RSA2048 ${written.join(",")},signature="${signature}"`;
    expect((await merchant.call("GET", "/v3/certificates", undefined, { authorization })).status).toBe(200);
  });
});
